"""Debian's machine-readable copyright files (DEP-5) in SPDX's words."""

import re

_FORMAT = re.compile(r"^Format:\s*https?://www\.debian\.org/doc/packaging-manuals/copyright-format/1\.0",
                     re.IGNORECASE | re.MULTILINE)

# Debian's short name, in small letters → SPDX's.
_NAMES = {
    "expat": "MIT", "mit": "MIT", "isc": "ISC", "zlib": "Zlib", "curl": "curl", "fsfap": "FSFAP",
    "fsful": "FSFUL", "fsfullr": "FSFULLR", "bsl-1.0": "BSL-1.0", "boost-1.0": "BSL-1.0",
    "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "bsd-4-clause": "BSD-4-Clause",
    "apache-2.0": "Apache-2.0", "mpl-1.1": "MPL-1.1", "mpl-2.0": "MPL-2.0", "cc0-1.0": "CC0-1.0",
    "cc0": "CC0-1.0", "openldap-2.8": "OLDAP-2.8", "oldap-2.8": "OLDAP-2.8", "apache-2": "Apache-2.0",
    "0bsd": "0BSD", "ms-pl": "MS-PL", "mit-cmu": "MIT-CMU", "bsd-4-clause-uc": "BSD-4-Clause-UC",
    "unlicense": "Unlicense", "x11": "X11",
}
_GNU = re.compile(r"(a?gpl|lgpl|gfdl)-(\d)(?:\.(\d))?(\+?)")


def names_in(copyright_text):
    """The licences that a copyright file names, in order, each once; None where it is not written
    for machines."""
    if not _FORMAT.search(copyright_text):
        return None
    found = re.findall(r"^License:[ \t]*(\S.*)$", copyright_text, re.MULTILINE)
    return list(dict.fromkeys(name.strip() for name in found))


def _one(name, references):
    if gnu := _GNU.fullmatch(name.lower()):
        kind, major, minor, later = gnu.groups()
        return (f"{kind.upper()}-{major}.{minor or '0'}" + ("-or-later" if later else "-only"))
    if known := _NAMES.get(name.lower()):
        return known
    written = re.sub(r"\+(?=\s|$)", "-or-later", name)
    reference = "LicenseRef-Debian-" + re.sub(r"[^A-Za-z0-9.-]+", "-", written).strip("-")
    references[reference] = name
    return reference


def expression(names, references):
    """An SPDX expression that all of `names` hold. Names that SPDX does not know become references,
    which are added to `references` (reference → Debian's name)."""
    parts = []
    for name in names:
        if re.search(r"\b(with|except)\b|[,/]", name):  # an exception, or more than a list
            parts.append(_one(name, references))
            continue
        either = [" AND ".join(_one(n, references) for n in re.split(r"\s+and\s+", choice))
                  for choice in re.split(r"\s+or\s+", name)]
        parts.append(either[0] if len(either) == 1 else
                     "(" + " OR ".join(f"({e})" if " " in e else e for e in either) + ")")
    return " AND ".join(dict.fromkeys(parts))
