"""lint --format=sarif and --format=junit, as code hosts and CI systems read them."""

import copy
import json
import os
import pathlib
import subprocess
import xml.etree.ElementTree as ET

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("FSS_BINARY") or str(ROOT / "build/release/flink-state-sidecar")
GOLDEN = ROOT / "tests/golden"
CASCADE = GOLDEN / "plans/cascade.json"  # by Flink 2.3.0
SCHEMA = json.loads((GOLDEN / "sarif/sarif-schema-2.1.0.json").read_text())
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())


def lint(*arguments, stdin=None, cwd=None):
    return subprocess.run([BINARY, "lint", *map(str, arguments)], capture_output=True, input=stdin,
                          timeout=60, cwd=cwd)


def sarif(*arguments, **options):
    """The one run of the log, after the schema has seen it."""
    outcome = lint("--format=sarif", *arguments, **options)
    log = json.loads(outcome.stdout.decode("utf-8"))
    assert [error.message for error in VALIDATOR.iter_errors(log)] == []
    (run,) = log["runs"]
    return run


def junit(*arguments, **options):
    outcome = lint("--format=junit", *arguments, **options)
    return outcome, ET.fromstring(outcome.stdout)


def shifted(plan, by):
    """The same plan as another session numbers it, laid out on other lines."""
    plan = copy.deepcopy(plan)
    for node in plan["nodes"]:
        node["id"] += by
    for edge in plan["edges"]:
        edge["source"] += by
        edge["target"] += by
    return plan


def prints(run):
    return sorted((result["ruleId"], result["partialFingerprints"]["flinkStateOperator/v1"])
                  for result in run["results"])


def findings(path):
    (plan,) = json.loads(lint("--format=json", path).stdout)["plans"]
    return plan["findings"]


def test_the_schema_refuses_what_is_wrong():
    assert list(VALIDATOR.iter_errors({"version": "2.1.0", "runs": [{"results": []}]}))


def test_sarif_has_every_finding_at_the_line_of_its_node():
    run = sarif(CASCADE)
    wanted = findings(CASCADE)
    assert wanted
    assert (sorted((f["code"], f["node_id"], f.get("state", "")) for f in wanted)
            == sorted((r["ruleId"], r["properties"]["node_id"], r["properties"].get("state", ""))
                      for r in run["results"]))
    lines = CASCADE.read_text().splitlines()
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        start = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        assert "{" in lines[start - 1]
        # The node's id is the first that follows.
        following = next(line for line in lines[start - 1:] if '"id"' in line)
        assert f'"id" : {result["properties"]["node_id"]},' in following
    assert run["invocations"][0]["executionSuccessful"] is True


def test_sarif_levels_follow_severities():
    levels = {"info": "note", "warning": "warning", "critical": "error"}
    run = sarif(CASCADE)
    assert all(levels[r["properties"]["severity"]] == r["level"] for r in run["results"])


def test_sarif_fingerprints_outlive_another_numbering(tmp_path):
    plan = json.loads(CASCADE.read_text())
    (tmp_path / "flat.json").write_text(json.dumps(shifted(plan, 1000)))
    before, after = sarif(CASCADE), sarif(tmp_path / "flat.json")
    assert prints(before) and prints(before) == prints(after)
    assert len(set(prints(before))) == len(before["results"])


def test_sarif_names_relative_files_below_the_source_root(tmp_path):
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "c.json").write_text(CASCADE.read_text())
    for argument in ("a b", "./a b"):
        run = sarif(argument, cwd=tmp_path)
        places = {json.dumps(r["locations"][0]["physicalLocation"]["artifactLocation"])
                  for r in run["results"]}
        assert places == {json.dumps({"uri": "a%20b/c.json", "uriBaseId": "%SRCROOT%"})}


def test_sarif_tells_of_unreadable_files(tmp_path):
    (tmp_path / "cut.json").write_text(CASCADE.read_text()[:500])
    outcome = lint("--format=sarif", tmp_path / "cut.json", CASCADE)
    assert outcome.returncode == 2
    run = sarif(tmp_path / "cut.json", CASCADE)
    assert run["results"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error" and "cut.json" in notification["message"]["text"]


def test_junit_has_a_suite_per_plan_and_fails_by_fail_on(tmp_path):
    outcome, suites = junit(CASCADE)
    wanted = {f["node_id"] for f in findings(CASCADE) if f["severity"] != "info"}
    assert outcome.returncode == 1 and wanted
    (suite,) = suites
    failed = [case for case in suite if case.find("failure") is not None]
    assert len(failed) == len(wanted) == int(suite.get("failures")) == int(suites.get("failures"))
    assert len(suite.findall("testcase")) == int(suite.get("tests"))
    names = [case.get("name") for case in suite]
    assert len(set(names)) == len(names) and "can be read as a plan" in names
    outcome, suites = junit("--fail_on=never", CASCADE)
    assert outcome.returncode == 0 and suites.get("failures") == "0"
    assert "ttl-from-job-default" in "".join(suites.itertext())


def test_junit_tells_of_unreadable_files(tmp_path):
    (tmp_path / "cut.json").write_text(CASCADE.read_text()[:500])
    outcome, suites = junit(tmp_path, CASCADE)
    assert outcome.returncode == 2 and suites.get("errors") == "1"
    broken, whole = suites
    assert broken.find("testcase/error").get("message")
    assert whole.get("errors") == "0" and int(whole.get("tests")) > 1


@pytest.mark.parametrize("name", ["a\x1b[31m", "x\x00y", "]]><b>&\"'", "\ufffe\uffff", "{0}[a](b)",
                                  "\ud800"])
def test_hostile_names_break_neither(name):
    plan = {"flinkVersion": "2.3", "edges": [], "nodes": [
        {"id": 1, "type": "stream-exec-group-aggregate_1",
         "description": f"GroupAggregate(groupBy=[{name}])",
         "state": [{"index": 0, "ttl": "0 ms", "name": name}]}]}
    text = json.dumps(plan).encode()
    run = sarif("-", stdin=text)
    outcome, suites = junit("-", stdin=text)
    if name == "\ud800":  # half a character: no text, no plan
        assert run["invocations"][0]["executionSuccessful"] is False
        assert suites.get("errors") == "1" and outcome.returncode == 2
    else:
        assert run["results"] and suites.get("failures") == "1" and outcome.returncode == 1


def test_other_verbs_refuse_the_two_formats():
    for verb in (["scan"], ["checkpoint", "x"], ["replay", "x"]):
        for name in ("sarif", "junit"):
            outcome = subprocess.run([BINARY, *verb, f"--format={name}"], capture_output=True,
                                     text=True, timeout=60)
            assert outcome.returncode == 2 and outcome.stdout == ""
            assert len(outcome.stderr.splitlines()) == 1 and "lint alone" in outcome.stderr
