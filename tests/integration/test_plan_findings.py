"""heavy-aggregate, joinable-chain and time-bound-possible on plans that a real Flink compiled.

One SQL session per version compiles all cases; nothing of it runs. For the chains Flink itself is
the judge: the same SQL is compiled with the multi-join on.
"""

import json
import pathlib
import string

import pytest

from harness import demo_jobs, sidecar

SQL_DIR = pathlib.Path(__file__).parent / "sql"
MULTI_JOIN = "table.optimizer.multi-join.enabled"


class Plans:
    """The compiled cases, and what lint says of them."""

    def __init__(self, folder, has_multi_join):
        self._folder = folder
        self.has_multi_join = has_multi_join
        code, out, err = sidecar.run("lint", "--format=json", "--fail_on=never", folder)
        assert code == 0, err
        self._judged = {pathlib.Path(plan["file"]).stem: plan for plan in json.loads(out)["plans"]}

    def nodes(self, case):
        return json.loads((self._folder / f"{case}.json").read_text(encoding="utf-8"))["nodes"]

    def findings(self, case, code):
        return [finding for finding in self._judged[case]["findings"] if finding["code"] == code]

    def places(self, case, code):
        return sorted(f"{finding['operator'].split('[')[0]} {finding.get('state', '')}".strip()
                      for finding in self.findings(case, code))


@pytest.fixture(scope="module")
def plans(lab, tmp_path_factory):
    folder = tmp_path_factory.mktemp(f"plans-{lab.cluster.version}")
    has_multi_join = not lab.cluster.version.startswith("1.")
    chains = (SQL_DIR / "join-chains.sql").read_text(encoding="utf-8")
    text = (SQL_DIR / "plan-findings.sql").read_text(encoding="utf-8")
    parts = [string.Template(text).substitute(PLAN_DIR=folder),
             string.Template(chains).substitute(PLAN_DIR=folder, PREFIX="")]
    if has_multi_join:
        parts += [f"SET '{MULTI_JOIN}' = 'true';",
                  string.Template(chains).substitute(PLAN_DIR=folder, PREFIX="merged-")]
    lab.cluster.sql("\n".join(parts), init=demo_jobs.tables())
    assert len(list(folder.glob("*.json"))) == sum(part.count("COMPILE PLAN") for part in parts)
    return Plans(folder, has_multi_join)


def sql(text):
    """SQL on one line, to compare texts that are broken in other places."""
    return " ".join(text.split())


@pytest.mark.parametrize("case, places", [
    ("max-of-totals", ["GroupAggregate groupAggregateState"]),
    ("many-of-totals", ["GroupAggregate groupAggregateState"]),
    ("two-phase", ["GlobalGroupAggregate globalGroupAggregateState"]),
    ("split", ["GlobalGroupAggregate globalGroupAggregateState",
               "IncrementalGroupAggregate incrementalGroupAggregateState"]),
    ("sums-of-totals", []),
    ("max-of-counts", []),      # counts only grow: Flink keeps the largest alone
    ("distinct-of-rows", []),   # its input only adds rows
    ("max-hinted", []),
    ("max-of-windows", []),     # the first cure that the advice names
])
def test_heavy_aggregates(plans, case, places):
    assert plans.places(case, "heavy-aggregate") == places


@pytest.mark.parametrize("case, calls", [
    ("max-of-totals", {"MAX(total)"}),
    ("many-of-totals", {"COUNT(DISTINCT order_id)", "LISTAGG(", "MIN(total)",
                        "FIRST_VALUE(parts)"}),
    ("two-phase", {"COUNT(DISTINCT order_id)", "MAX(total)"}),
    ("split", {"COUNT(DISTINCT order_id)", "MAX(total)"}),
])
def test_heavy_aggregates_name_functions_and_input(plans, case, calls):
    message = " ".join(finding["message"] for finding in plans.findings(case, "heavy-aggregate"))
    for call in calls:
        assert call in message
    assert "SUM(" not in message
    assert "GroupAggregate[" in message.split("TTL 0")[1]  # order_totals


CHAINS = {"three": 3, "four-mixed": 4, "three-then-other": 3}
NO_CHAINS = ("two-keys", "right", "full", "semi", "renamed", "filtered", "bushy", "equal-times",
             "grouped")


@pytest.mark.parametrize("case", [*CHAINS, *NO_CHAINS])
def test_joinable_chains_are_what_flink_merges(plans, case):
    found = plans.findings(case, "joinable-chain")
    if not plans.has_multi_join:
        assert found == []
        return
    # With the option every join is a MultiJoin; one of more than two inputs was a chain.
    merged = [len(node["state"]) for node in plans.nodes("merged-" + case)
              if node["type"].startswith("stream-exec-multi-join") and len(node["state"]) > 2]
    assert merged == ([CHAINS[case]] if case in CHAINS else [])
    assert len(found) == len(merged)
    for finding, inputs in zip(found, merged):
        assert finding["severity"] == "info"
        assert f"one MultiJoin with {inputs} inputs" in finding["advice"]
        assert "on one key, order_id:" in finding["message"]
    assert plans.findings("merged-" + case, "joinable-chain") == []


def test_a_chain_ends_at_its_topmost_join(plans):
    """The join on user_id stands above it and is none of it."""
    joins = [node["id"] for node in plans.nodes("three-then-other")
             if node["type"].startswith("stream-exec-join")]
    expected = [joins[1]] if plans.has_multi_join else []
    assert [finding["node_id"] for finding in
            plans.findings("three-then-other", "joinable-chain")] == expected


@pytest.mark.parametrize("case, places", [
    ("join", ["Join"]),
    ("join-ltz", ["Join"]),
    ("group", ["GroupAggregate"]),
    ("three", ["Join"]),           # the first one; the second reads a join's result
    ("two-phase", ["GlobalGroupAggregate"]),  # the one below, of the view
    ("join-bound", []),
    ("join-untimed", []),
    ("join-updates", ["GroupAggregate"]),     # the view's; the join's left input has updates
    ("group-bound", []),
    ("group-untimed", []),
    ("group-keyless", []),
    ("group-of-join", []),
    ("limit", []),
    ("max-of-windows", []),
])
def test_time_bounds(plans, case, places):
    assert plans.places(case, "time-bound-possible") == places


def test_the_sql_that_time_bounds_advise_compiles_to_bounded_operators(plans):
    (join,) = plans.findings("join", "time-bound-possible")
    (group,) = plans.findings("group", "time-bound-possible")
    compiled = sql((SQL_DIR / "plan-findings.sql").read_text(encoding="utf-8"))
    for finding, begin, case, kind in (
            (join, "FROM orders l JOIN", "join-bound", "stream-exec-interval-join"),
            (group, "FROM TABLE(TUMBLE(", "group-bound", "stream-exec-global-window-aggregate")):
        assert finding["severity"] == "info"
        lines = [line for line in finding["advice"].splitlines() if line.startswith("    ")]
        statement = sql("\n".join(lines)).split(";")[0]
        advised = statement[statement.index(begin):] + ";"
        assert advised in compiled, advised
        types = [node["type"] for node in plans.nodes(case)]
        assert any(name.startswith(kind) for name in types), types


def test_times_of_two_types_are_said_to_be_refused(plans):
    (finding,) = plans.findings("join-ltz", "time-bound-possible")
    assert "TIMESTAMP and TIMESTAMP_LTZ" in finding["advice"]
    (finding,) = plans.findings("join", "time-bound-possible")
    assert "TIMESTAMP_LTZ" not in finding["advice"]
