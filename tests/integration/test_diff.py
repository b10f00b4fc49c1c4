"""What `diff` says of a restore, and what a real Flink does: each old job is started from its plan,
ended with a savepoint, and the new plan is started from that.

A GROUP BY is always tried. FSS_DIFF_QUERIES=join,deduplicate tries these instead (a minute each and
version); their outcome is written down in docs/user/diff.md.
"""

import json
import os
import pathlib
import string
from types import SimpleNamespace

import pytest

from harness import sidecar
from harness.processes import HarnessError, wait_until

SQL = pathlib.Path(__file__).parent / "sql" / "diff.sql"
QUERIES = tuple(os.environ.get("FSS_DIFF_QUERIES", "group-by").split(","))
BACKENDS = ("hashmap", "rocksdb")
TTLS = (("0 ms", "1 h"), ("1 h", "0 ms"), ("1 h", "2 h"))
# The same query but for its key, or its aggregates, under the same numbers.
OTHERS = ("other-key", "other-aggregates")
RUNS_SECONDS = 90
MIGRATION = "StateMigrationException"
NOT_FOUND = "allowNonRestoredState"


def renumbered(plan, first):
    """The plan with `first` as its least id."""
    plan = json.loads(json.dumps(plan))
    shift = first - min(node["id"] for node in plan["nodes"])
    for node in plan["nodes"]:
        node["id"] += shift
    for edge in plan["edges"]:
        edge["source"] += shift
        edge["target"] += shift
    return plan


def with_ttl(plan, ttl):
    plan = json.loads(json.dumps(plan))
    for node in plan["nodes"]:
        for entry in node.get("state", []):
            entry["ttl"] = ttl
    return plan


def cases():
    """(query, backend, what is old, what is new)."""
    made = [(query, backend, old, new) for query in QUERIES for backend in BACKENDS
            for old, new in TTLS]
    if "group-by" in QUERIES:
        made += [("group-by", "rocksdb", "0 ms", other) for other in OTHERS]
    return made


class Restores:
    """Old jobs, their savepoints, and what became of the new jobs."""

    def __init__(self, cluster, folder):
        self.cluster, self.folder = cluster, folder
        self.savepoints = {}
        statements = string.Template(SQL.read_text(encoding="utf-8"))
        cluster.sql(statements.substitute(PLAN_DIR=folder))

    def plan(self, name):
        return json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))

    def write(self, name, plan):
        path = self.folder / f"{name.replace(' ', '')}.json"
        path.write_text(json.dumps(plan), encoding="utf-8")
        return path

    def old_path(self, case):
        query, _, old, _ = case
        return self.write(f"{query}-{old}", with_ttl(self.plan(query), old))

    def new_path(self, case):
        query, _, _, new = case
        if new not in OTHERS:
            return self.write(f"{query}-{new}", with_ttl(self.plan(query), new))
        first = min(node["id"] for node in self.plan(query)["nodes"])
        return self.write(f"{new}-same-ids", renumbered(self.plan(new), first))

    @staticmethod
    def name(case, suffix):
        return "-".join(("diff", *case, suffix)).replace(" ", "")

    @staticmethod
    def execute(name, case, path, savepoint=None, more=()):
        settings = {"pipeline.name": name, "state.backend.type": case[1], **dict(more)}
        if savepoint:
            settings["execution.state-recovery.path"] = savepoint
        lines = [f"SET '{key}' = '{value}';" for key, value in settings.items()]
        return "\n".join([*lines, f"EXECUTE PLAN 'file://{path}';\n"])

    def run(self, batch):
        """From the old plans to the outcomes: {case: "runs" or the exception's name}."""
        old = {case: self.name(case, "old") for case in batch}
        self.cluster.sql("".join(self.execute(old[case], case, self.old_path(case))
                                 for case in batch))
        ids = self.cluster.wait_checkpoints(old.values(), count=2)
        for case in batch:
            self.savepoints[case] = self.cluster.savepoint(ids[old[case]], cancel=True)
        new = {case: self.name(case, "new") for case in batch}
        self.cluster.sql("".join(
            self.execute(new[case], case, self.new_path(case), self.savepoints[case])
            for case in batch))
        try:
            return {case: self.outcome(new[case]) for case in batch}
        finally:
            self.cancel(new.values())

    def outcome(self, name):
        """Whether a restored job runs: it has completed a checkpoint since."""
        def known():
            jobs = self.cluster.jobs()
            if name not in jobs:
                return None
            job = self.cluster.get(f"/jobs/{jobs[name]['jid']}/checkpoints")
            if job["counts"]["completed"] > 0 and job["latest"]["restored"]:
                return "runs"
            text = json.dumps(self.cluster.get(f"/jobs/{jobs[name]['jid']}/exceptions"))
            return MIGRATION if MIGRATION in text else None
        return wait_until(f"what becomes of {name}", known, RUNS_SECONDS, self.cluster.jobmanager)

    def cancel(self, names):
        jobs = self.cluster.jobs()
        self.cluster.cancel(*(jobs[name]["jid"] for name in names if name in jobs
                              and jobs[name]["state"] not in ("CANCELED", "FAILED")))

    def claims(self, old, new, backend):
        """What diff says: its changes."""
        code, out, err = sidecar.run(
            "diff", "--format=json", f"--state_backend={backend}",
            f"--flink_version={self.cluster.version}", old, new)
        assert code == 0, err
        return json.loads(out)["changes"]


@pytest.fixture(scope="module")
def restores(lab, tmp_path_factory):
    made = Restores(lab.cluster, tmp_path_factory.mktemp(f"diff-{lab.cluster.version}"))
    outcomes = {}
    for query in QUERIES:
        outcomes.update(made.run([case for case in cases() if case[0] == query]))
    return SimpleNamespace(made=made, outcomes=outcomes)


@pytest.mark.parametrize("case", [case for case in cases() if case[3] not in OTHERS],
                         ids=lambda case: "-".join(case).replace(" ", ""))
def test_a_ttl_does_what_diff_says(restores, case):
    changes = restores.made.claims(restores.made.old_path(case), restores.made.new_path(case),
                                   case[1])
    assert changes and all(change["change"] == "ttl" for change in changes)
    (claim,) = {change["restore"] for change in changes}
    if "0 ms" not in case:
        assert claim == "compatible"
    print(restores.made.cluster.version, case, claim, restores.outcomes[case])
    assert restores.outcomes[case] == (MIGRATION if claim == "refused" else "runs")


@pytest.mark.skipif("group-by" not in QUERIES, reason="other queries were asked for")
@pytest.mark.parametrize("other, outcome", [("other-key", "runs"), ("other-aggregates", MIGRATION)])
def test_another_query_under_the_same_numbers(restores, other, outcome):
    """Types that differ are refused; equal ones are not, and that is no better: the old totals of
    users are the new ones of products. diff says refused to both, and why."""
    case = ("group-by", "rocksdb", "0 ms", other)
    changes = restores.made.claims(restores.made.old_path(case), restores.made.new_path(case),
                                   "rocksdb")
    (change,) = [change for change in changes if change["operator"].startswith("GroupAggregate")]
    assert (change["change"], change["restore"]) == ("description", "refused")
    assert MIGRATION in change["message"]
    assert restores.outcomes[case] == outcome


@pytest.mark.skipif("group-by" not in QUERIES, reason="other queries were asked for")
def test_other_numbers_lose_the_state(restores):
    made = restores.made
    case = ("group-by", "rocksdb", "1 h", "2 h")
    old = made.old_path(case)
    new = made.write("group-by-renumbered", renumbered(with_ttl(made.plan("group-by"), "1 h"), 501))
    changes = made.claims(old, new, "rocksdb")
    (change,) = [change for change in changes if change.get("state") == "groupAggregateState"]
    assert change["restore"] == "lost" and NOT_FOUND in change["message"]
    assert change["node_id_new"] - change["node_id_old"] == \
        501 - min(node["id"] for node in made.plan("group-by")["nodes"])

    savepoint = made.savepoints[case]
    try:
        made.cluster.sql(made.execute("diff-lost", case, new, savepoint))
        job = made.cluster.jobs()["diff-lost"]["jid"]
        told = json.dumps(made.cluster.get(f"/jobs/{job}/exceptions"))
    except HarnessError as error:  # the client waits until the job is initialized
        told = str(error)
    assert NOT_FOUND in told
    leave_out = {"execution.state-recovery.ignore-unclaimed-state": "true"}
    made.cluster.sql(made.execute("diff-left-out", case, new, savepoint, leave_out))
    try:
        assert made.outcome("diff-left-out") == "runs"
    finally:
        made.cancel(["diff-left-out"])
