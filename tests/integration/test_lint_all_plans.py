"""lint over every plan of Flink's own tests, and as people look at it on a terminal."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import termios
import xml.etree.ElementTree as ET

import pytest

from harness import sidecar
from harness.flink import cache_dir
from test_lint_formats import VALIDATOR

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASCADE = ROOT / "tests/golden/plans/cascade.json"
FOLDERS = sorted(p for p in (cache_dir() / "flink-test-plans").glob("*") if p.is_dir())


def read_plainly(path):
    """[(node id, type, [(name, ttl)])] as a script would read the file; None: it is no plan."""
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
        return [(node["id"], node["type"], [(state["name"], state["ttl"])
                                            for state in node.get("state") or []])
                for node in plan["nodes"]] or None
    except (ValueError, KeyError, TypeError):
        return None


def shown(plan):
    """The same of what lint printed."""
    if "error" in plan:
        return None
    return [(op["node_id"], op["type"], [(state["name"], state.get("ttl")) for state in op["state"]])
            for op in plan["operators"]]


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda folder: folder.name)
def folder(request):
    return request.param


def test_flinks_test_plans_are_there():
    assert len(FOLDERS) == 2, "deploy/setup test-plans"


def test_json_says_what_the_files_say(folder):
    code, out, _ = sidecar.run("lint", "--format=json", "--fail_on=never", folder)
    plans = json.loads(out)["plans"]
    files = sorted(folder.rglob("*.json"), key=str)
    assert [plan["file"] for plan in plans] == [str(file) for file in files]
    assert len(files) > 100
    wrong = [plan["file"] for plan, file in zip(plans, files) if shown(plan) != read_plainly(file)]
    assert wrong == []
    assert code == (2 if any("error" in plan for plan in plans) else 0)


def test_sarif_is_valid_and_has_every_finding(folder):
    _, out, _ = sidecar.run("lint", "--format=json", "--fail_on=never", folder)
    wanted = sum(len(plan.get("findings", ())) for plan in json.loads(out)["plans"])
    _, out, _ = sidecar.run("lint", "--format=sarif", "--fail_on=never", folder)
    log = json.loads(out)
    assert [error.message for error in VALIDATOR.iter_errors(log)] == []
    assert len(log["runs"][0]["results"]) == wanted > 0


def test_junit_counts_are_those_of_its_elements(folder):
    files = len(list(folder.rglob("*.json")))
    _, out, _ = sidecar.run("lint", "--format=junit", "--fail_on=info", folder)
    suites = ET.fromstring(out)
    assert suites.tag == "testsuites" and len(suites) == files
    for element in (suites, *suites):
        assert int(element.get("tests")) == len(element.findall(".//testcase"))
        assert int(element.get("failures")) == len(element.findall(".//failure"))
        assert int(element.get("errors")) == len(element.findall(".//error"))
    for suite in suites:
        names = [case.get("name") for case in suite.findall("testcase")]
        assert len(names) == len(set(names))


def test_text_fits_its_width(folder):
    """But for SQL and paths, which are not broken."""
    _, out, _ = sidecar.run("lint", "--fail_on=never", folder)
    assert "\x1b" not in out
    for block in out.split("\n\n"):
        if block.startswith("OPERATOR"):
            assert max(map(len, block.splitlines())) <= 120


def on_terminal(columns, *arguments, **env):
    """What a terminal of that width is sent."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([sidecar.binary(), "lint", *map(str, arguments)], stdout=slave,
                               stderr=subprocess.DEVNULL, env={**os.environ, **env})
    os.close(slave)
    sent = b""
    try:
        while select.select([master], [], [], 20)[0]:
            block = os.read(master, 65536)
            if not block:
                break
            sent += block
    except OSError:
        pass  # the other end has closed
    os.close(master)
    assert process.wait(20) in (0, 1)
    return sent.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_terminal_has_colours_and_its_width(columns):
    text = on_terminal(columns, CASCADE)
    assert "\x1b[33mwarning" in text and "\x1b[1m" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    # A line that is longer holds one word that is, or is SQL to be copied.
    long = [line for line in plain.splitlines() if len(line) > columns and len(line.split()) > 1
            and not re.search(r"SELECT|SET|VIEW|FROM|ON |BETWEEN", line)]
    assert long == []


def test_no_color_is_heeded():
    assert "\x1b" not in on_terminal(100, CASCADE, NO_COLOR="1")
