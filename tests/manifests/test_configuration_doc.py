"""docs/configuration.md says of flags exactly what the program says of them."""

import re
import subprocess

import pytest

from kustomize import REPOSITORY

DOC = (REPOSITORY / "docs" / "configuration.md").read_text(encoding="utf-8")


def help_of(binary, *verb):
    shown = subprocess.run([binary, *verb, "--help"], capture_output=True, text=True, timeout=30)
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


def flags_of(binary, verb):
    """Name → default as --help shows it: "--name=default", or "--name" for a switch."""
    text = help_of(binary, verb).split("Flags", 1)[1]
    found = re.findall(r"^  --(\w+)(?:=(.*))?$", text, re.MULTILINE)
    return {name: default for name, default in found if name not in ("flagfile", "fromenv")}


@pytest.fixture(scope="module")
def verbs(binary):
    """Name → flags, of every verb of the program."""
    shown = re.findall(r"^  ([a-z]+)\b.*\n      ", help_of(binary), re.MULTILINE)
    return {verb: flags_of(binary, verb) for verb in shown}


def documented():
    """Flag → (verbs, default): the rows "| `--flag` | verbs | default | meaning |"."""
    rows = re.findall(r"^\| `--(\w+)` \| ([a-z, ]+) \| (`[^`]*`|none) \|", DOC, re.MULTILINE)
    return {flag: (set(names.split(", ")), default.strip("`")) for flag, names, default in rows}


def test_every_verb_is_in_the_table(verbs):
    assert set(re.findall(r"^\| `([a-z]+)[^`]*` \|", DOC, re.MULTILINE)) == set(verbs)


def test_every_flag_is_documented_with_its_verbs(verbs):
    taken = {}
    for verb, flags in verbs.items():
        for flag in flags:
            taken.setdefault(flag, set()).add(verb)
    assert taken == {flag: names for flag, (names, _) in documented().items()}


def test_defaults_are_the_programs(verbs):
    for flags in verbs.values():
        for flag, default in flags.items():
            # A switch is shown without a value; its default is false. Nothing is "none".
            shown = documented()[flag][1].replace("none", "").replace("false", "")
            assert shown == default, f"--{flag}"
