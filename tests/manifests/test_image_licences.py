"""Debian's copyright files in SPDX's words: deploy/lib/image/licences.py."""

import sys

import pytest

from kustomize import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "deploy" / "lib"))

from image import licences  # noqa: E402

FORMAT = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"


def test_names_in_order_each_once():
    text = (FORMAT + "\nFiles: *\nCopyright: A\nLicense: Expat\n The text, License: of nobody.\n"
            "\nFiles: b\nLicense:   GPL-2+\n\nLicense: Expat\n\nLicense:\n")
    assert licences.names_in(text) == ["Expat", "GPL-2+"]


def test_what_is_not_written_for_machines_names_none():
    assert licences.names_in("This package is free.\nLicense: Expat\n") is None
    assert licences.names_in("") is None


@pytest.mark.parametrize("names, expected", [
    (["Expat"], "MIT"),
    (["GPL-2+"], "GPL-2.0-or-later"),
    (["GPL-2"], "GPL-2.0-only"),
    (["LGPL-2.1+"], "LGPL-2.1-or-later"),
    (["BSD-3-clause", "Zlib"], "BSD-3-Clause AND Zlib"),
    (["LGPL-3+ or GPL-2+"], "(LGPL-3.0-or-later OR GPL-2.0-or-later)"),
    (["Expat and ISC or Zlib"], "((MIT AND ISC) OR Zlib)"),
    (["Expat and ISC"], "MIT AND ISC"),
    (["Expat", "MIT"], "MIT"),
])
def test_known_names(names, expected):
    references = {}
    assert licences.expression(names, references) == expected
    assert references == {}


@pytest.mark.parametrize("name, reference", [
    ("public-domain", "LicenseRef-Debian-public-domain"),
    ("ISC+IBM", "LicenseRef-Debian-ISC-IBM"),
    ("GPL-2+ with Autoconf exception", "LicenseRef-Debian-GPL-2-or-later-with-Autoconf-exception"),
])
def test_other_names_are_references(name, reference):
    references = {}
    assert licences.expression([name], references) == reference
    assert references == {reference: name}


def test_two_names_are_not_one_reference():
    references = {}
    assert licences.expression(["GPL-9+ with X", "GPL-9 with X"], references).count("LicenseRef") == 2
    assert sorted(references.values()) == ["GPL-9 with X", "GPL-9+ with X"]
