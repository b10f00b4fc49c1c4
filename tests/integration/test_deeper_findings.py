"""What findings say of tables, keys and paths, on plans that a real Flink compiled.

One SQL session per version compiles all cases; nothing of it runs. Each finding has a case that has
it and the nearest one that has not.
"""

import json
import pathlib
import string

import pytest

from harness import demo_jobs, sidecar

SQL = pathlib.Path(__file__).parent / "sql" / "deeper-findings.sql"


@pytest.fixture(scope="module")
def judged(lab, tmp_path_factory):
    """Case → what lint says of its plan."""
    folder = tmp_path_factory.mktemp(f"deeper-{lab.cluster.version}")
    text = SQL.read_text(encoding="utf-8")
    lab.cluster.sql(string.Template(text).substitute(PLAN_DIR=folder), init=demo_jobs.tables())
    code, out, err = sidecar.run("lint", "--format=json", "--fail_on=never", folder)
    assert code == 0, err
    plans = {pathlib.Path(plan["file"]).stem: plan for plan in json.loads(out)["plans"]}
    assert len(plans) == text.count("COMPILE PLAN '")
    return plans


def entries(plan, kind):
    """The state entries of the plan's operators of this kind: (name, tables, keys)."""
    return [(entry["name"], entry.get("tables"), entry.get("keys"))
            for op in plan["operators"] if op["kind"] == kind for entry in op["state"]]


def findings(plan, code, operator=""):
    return [finding for finding in plan["findings"]
            if finding["code"] == code and finding["operator"].startswith(operator)]


def test_every_entry_has_its_tables_and_keys(judged):
    plan = judged["sources"]
    assert entries(plan, "join") == [
        ("leftState", ["orders"], ["order_id"]),
        ("rightState", ["payments"], ["order_id"]),
        ("leftState", ["orders", "payments"], ["user_id"]),
        ("rightState", ["users"], ["user_id"]),
    ]
    ((_, tables, keys),) = entries(plan, "group-aggregate")
    assert sorted(tables) == ["orders", "payments", "users"] and keys == ["region", "user_id"]
    assert entries(judged["sink-other-key"], "sink") == [
        ("sinkMaterializeState", ["orders", "users"], ["region"])]
    assert entries(judged["first-by-arrival"], "deduplicate") == [
        ("deduplicateState", ["orders"], ["order_id"])]
    assert entries(judged["top-per-user"], "rank") == [("rankState", ["orders"], ["user_id"])]


def test_what_is_not_known_is_absent(judged):
    ((_, tables, keys),) = entries(judged["no-sources"], "group-aggregate")
    assert tables is None and keys == ["EXPR$0"]  # a name that Flink made up
    assert entries(judged["top-of-all"], "rank") == [("rankState", ["orders"], None)]


def test_findings_say_which_input_and_which_table(judged):
    upper = [finding for finding in findings(judged["sources"], "forever-state", "Join")
             if " over orders and payments, its left input, by user_id" in finding["message"]]
    assert len(upper) == 1
    messages = [finding["message"] for finding in findings(judged["sources"], "forever-state")]
    assert any("every row of payments, its right input, by order_id" in text for text in messages)
    assert any("by region, user_id, from " in text for text in messages)


@pytest.mark.parametrize("case", ["path", "path-union"])
def test_a_path_whose_lower_join_forgets(judged, case):
    (finding,) = findings(judged[case], "ttl-mismatch")
    assert finding["operator"].startswith("Join[")
    message = finding["message"]
    assert "keeps leftState for 1 h, and GroupAggregate[" in message
    assert "for 7 d: for rows of orders and payments the shorter one decides" in message


def test_a_path_with_an_operator_with_state_between(judged):
    (finding,) = findings(judged["path-three"], "ttl-mismatch")
    assert finding["operator"].startswith("Join[")
    assert "which takes its result through GroupAggregate[" in finding["message"]
    assert "for 14 d" in finding["message"]


def test_a_path_that_fits(judged):
    assert findings(judged["path-fits"], "ttl-mismatch") == []


@pytest.mark.parametrize("case, says, key", [
    ("sink-other-key", "its input is unique by region and user_id, not by the primary key region",
     "region, user_id"),
    ("sink-lost-key", "its input has no unique key any more: that of GroupAggregate[", "user_id"),
    ("sink-no-key", "its input has no unique key that Flink knows of", None),
])
def test_a_key_lost_before_a_sink(judged, case, says, key):
    (finding,) = [finding for finding in judged[case]["findings"]
                  if finding.get("state") == "sinkMaterializeState"]
    assert finding["code"] == "forever-state"
    assert says in finding["message"]
    assert (f"PRIMARY KEY ({key}) NOT ENFORCED" in finding["advice"]) == (key is not None)
    assert ("ON CONFLICT" in finding["advice"]) == ("Flink 2.3" in finding["advice"])


def test_a_materializer_that_was_forced(judged):
    (finding,) = [finding for finding in judged["sink-forced"]["findings"]
                  if finding.get("state") == "sinkMaterializeState"]
    assert "upsert-materialize must be FORCE" in finding["message"]


@pytest.mark.parametrize("case", ["sink-fits", "sink-contains-key"])
def test_a_sink_by_the_key_of_its_input_keeps_nothing(judged, case):
    assert entries(judged[case], "sink") == []


@pytest.mark.parametrize("case, bounded", [
    ("first-by-arrival", True),
    ("untimed-by-arrival", False),  # no watermark, no window
])
def test_deduplication_by_processing_time(judged, case, bounded):
    (finding,) = findings(judged[case], "forever-state", "Deduplicate")
    assert "it orders rows by processing time" in finding["message"]
    assert "STATE_TTL(" not in finding["advice"]
    possible = findings(judged[case], "time-bound-possible", "Deduplicate")
    assert len(possible) == (1 if bounded else 0)
    assert ("declare one in the table first" in finding["advice"]) == (not bounded)


def test_deduplication_by_event_time(judged):
    (finding,) = findings(judged["first-by-time"], "forever-state", "Deduplicate")
    assert "processing time" not in finding["message"] + finding["advice"]
    assert findings(judged["first-by-time"], "time-bound-possible") == []


@pytest.mark.parametrize("case, holds", [
    ("top-of-all", "the first 10 rows, from orders"),
    ("top-of-changing", "every row of its input, from orders"),
    ("ordered-limit", "the first 3 rows, from orders"),
])
def test_a_top_n_over_everything(judged, case, holds):
    (finding,) = [finding for finding in judged[case]["findings"]
                  if finding.get("state") == "rankState" and finding["code"] == "forever-state"]
    assert holds in finding["message"]
    assert "no PARTITION BY, so one subtask ranks all rows" in finding["message"]


def test_a_top_n_for_each_key(judged):
    (finding,) = findings(judged["top-per-user"], "forever-state", "Rank")
    assert "PARTITION BY, so" not in finding["message"]
    assert "by user_id, from orders." in finding["message"]
