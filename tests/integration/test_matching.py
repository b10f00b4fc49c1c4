"""Running operators find their plan nodes, and with them their state's TTL."""

import pytest

from harness import demo_jobs
from harness.processes import wait_until
from readings import DAY_MS, HOUR_MS, MINUTE_MS, declared_state, entries

COMPILED = [name for name, how in demo_jobs.JOBS.items() if how == "uid"]
WITH_PLAN = [name for name, how in demo_jobs.JOBS.items() if how]


def by_node(job):
    return {operator["node_id"]: operator for operator in job["operators"]
            if "node_id" in operator}


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_jobs_are_matched_by_uid(lab, name):
    job = lab.sidecar.jobs()[name]
    assert job["plan"].endswith(f"{name}.json")
    operators = by_node(job)
    for node_id, (_, state) in declared_state(lab.cluster.plan_dir / f"{name}.json").items():
        assert operators[node_id]["matched_by"] == "uid"
        assert entries(operators[node_id]) == state
    # REST knows the hash of each chain's head only, stateful without declaring it or not.
    heads = {}
    for operator in job["operators"]:
        heads.setdefault(operator["vertex_id"], operator)
    assert {head["matched_by"] for head in heads.values()} == {"uid"}


def test_the_plain_job_is_matched_by_description(lab):
    job = lab.sidecar.jobs()["cascade-plain"]
    # Both plans say the same of it but for the node ids.
    assert job["plan"].endswith(("cascade-plain.json", "cascade.json"))
    declared = declared_state(lab.cluster.plan_dir / job["plan"].rsplit("/", 1)[-1])
    operators = by_node(job)
    assert len(declared) == 2
    for node_id, (_, state) in declared.items():
        assert operators[node_id]["matched_by"] == "description"
        assert entries(operators[node_id]) == state


@pytest.mark.parametrize("name", WITH_PLAN)
def test_every_operator_of_a_job_with_a_plan_is_found(lab, name):
    unmatched = [operator["operator"] for operator in lab.sidecar.jobs()[name]["operators"]
                 if operator["matched_by"] not in ("uid", "description", "topology")]
    assert unmatched == []


@pytest.mark.parametrize("name", ["cascade", "cascade-plain"])
def test_the_cascade_shows_each_join_sides_ttl(lab, name):
    joins = [operator for operator in lab.sidecar.jobs()[name]["operators"]
             if operator["kind"] == "join"]
    # In graph order: the first join feeds the second.
    assert [entries(join) for join in joins] == [
        {"leftState": DAY_MS, "rightState": 2 * HOUR_MS},
        {"leftState": 30 * MINUTE_MS, "rightState": 7 * DAY_MS}]


def test_a_job_without_plan_still_shows_its_operators(lab):
    job = lab.sidecar.jobs()["method-counts"]
    assert "plan" not in job
    kinds = {operator["kind"]: operator for operator in job["operators"]}
    assert kinds["group-aggregate"]["matched_by"] == "name"
    assert all(ttl is None for ttl in entries(kinds["group-aggregate"]).values())
    assert "table-source-scan" in kinds


def test_job_facts(lab):
    jobs = lab.sidecar.jobs()
    overview = lab.cluster.jobs()
    for name in demo_jobs.JOBS:
        job = jobs[name]
        assert job["job_id"] == overview[name]["jid"]
        assert job["state"] == "RUNNING"
        assert job["flink_version"] == lab.cluster.version
        assert job["state_backend"] == "EmbeddedRocksDBStateBackend"
        assert job["start_ms"] == overview[name]["start-time"]


def test_plans_of_two_sessions_that_share_ids_are_told_apart(lab):
    """A fresh JVM counts its nodes from 1, as the one did that compiled user-totals before all else."""
    plan = lab.cluster.plan_dir / "orders-seen.json"
    lab.cluster.print_sql(
        "SET 'pipeline.name' = 'orders-seen';\n"
        f"COMPILE AND EXECUTE PLAN 'file://{plan}' FOR\n"
        "INSERT INTO method_counts SELECT pay_method, COUNT(*) FROM payments GROUP BY pay_method;",
        init=demo_jobs.tables())
    lab.cluster.wait_checkpoints(["orders-seen"])
    try:
        ours = set(declared_state(plan))
        theirs = set(declared_state(lab.cluster.plan_dir / "user-totals.json"))
        assert ours & theirs, "the two plans were meant to share a node id"
        job = wait_until("orders-seen", lambda: lab.sidecar.described("orders-seen"), 20)
        assert job["plan"].endswith("orders-seen.json")
        for node_id in ours:
            assert by_node(job)[node_id]["matched_by"] == "uid"
        assert lab.sidecar.jobs()["user-totals"]["plan"].endswith("user-totals.json")
    finally:
        lab.cluster.cancel(lab.cluster.jobs()["orders-seen"]["jid"])
        plan.unlink()


def test_a_plan_that_is_taken_away_and_a_broken_one(lab):
    """The folder is read again when it changes; one broken file spoils nothing."""
    plan = lab.cluster.plan_dir / "user-totals.json"
    text = plan.read_text(encoding="utf-8")
    try:
        plan.write_text(text[:len(text) // 2], encoding="utf-8")
        wait_until("the broken plan is noticed",
                   lambda: "plan" not in lab.sidecar.jobs()["user-totals"], 20)
        assert lab.sidecar.jobs()["cascade"]["plan"].endswith("cascade.json")
    finally:
        swap = lab.cluster.plan_dir / "user-totals.tmp"
        swap.write_text(text, encoding="utf-8")
        swap.rename(plan)
    wait_until("the mended plan is read",
               lambda: lab.sidecar.jobs()["user-totals"].get("plan", "").endswith(
                   "user-totals.json"), 20)
