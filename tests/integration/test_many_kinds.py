"""Operators of many kinds on a real Flink: each finds its plan node, whatever its text holds."""

import pathlib
import re
import string
import subprocess

import pytest

from harness import demo_jobs
from harness.processes import wait_until
from readings import DAY_MS, HOUR_MS, declared_state, entries, series, sizes_by_vertex

SQL_DIR = pathlib.Path(__file__).parent / "sql"


class Kinds:
    """The jobs of sql/*.sql by the stem of their plan file, as the sidecar reports them."""

    def __init__(self, lab, names):
        self._lab = lab
        self.names = names  # plan file stem → pipeline.name

    def job(self, stem):
        job = self._lab.sidecar.jobs()[self.names[stem]]
        assert job["plan"].endswith(f"{stem}.json")
        return job

    def declared(self, stem):
        return declared_state(self._lab.cluster.plan_dir / f"{stem}.json")


@pytest.fixture(scope="module")
def kinds(lab):
    files = ["many-kinds.sql"]
    on_conflict = ""
    if not lab.cluster.version.startswith("1."):
        files.append("multi-join.sql")
        on_conflict = "ON CONFLICT DO DEDUPLICATE"  # 2.3 asks for it, 1.20 does not know it
    text = "\n".join((SQL_DIR / file).read_text(encoding="utf-8") for file in files)
    names = dict(zip(re.findall(r"PLAN_DIR\}/([a-z-]+)\.json", text),
                     re.findall(r"'pipeline.name' = '(.*)'", text)))
    plan_dir = lab.cluster.plan_dir
    lab.cluster.sql(string.Template(text).substitute(PLAN_DIR=plan_dir, ON_CONFLICT=on_conflict),
                    init=demo_jobs.tables())
    jobs = lab.cluster.wait_checkpoints(names.values())
    wait_until("the sidecar's numbers", lambda: all(map(lab.sidecar.described, jobs)), 40)
    yield Kinds(lab, names)
    lab.cluster.cancel(*jobs.values())
    for stem in names:
        (plan_dir / f"{stem}.json").unlink()


def test_every_declared_entry_is_reported_with_its_ttl(kinds):
    for stem in kinds.names:
        # An operator whose node declares state in several operators is listed for each of them.
        reported = {}
        for operator in kinds.job(stem)["operators"]:
            if operator["state"]:
                assert operator["matched_by"] == "uid", (stem, operator)
                reported[operator["node_id"]] = entries(operator)
        assert reported == {node: state for node, (_, state) in kinds.declared(stem).items()}, stem


def test_every_chain_is_matched_by_uid_and_its_operators_found(kinds):
    for stem in kinds.names:
        heads = {}
        for operator in kinds.job(stem)["operators"]:
            heads.setdefault(operator["vertex_id"], operator)
            assert operator["matched_by"] in ("uid", "description", "topology"), (stem, operator)
            assert operator["kind"] != "unknown", (stem, operator)
        assert {head["matched_by"] for head in heads.values()} == {"uid"}, stem


@pytest.mark.parametrize("stem, kind, cleanup", [
    ("outer-join", "join", "ttl"),
    ("over", "over-aggregate", "watermark"),
    ("session-window", "window-aggregate", "watermark"),
    ("window-join", "window-join", "watermark"),
    ("temporal-join", "temporal-join", None),  # the catalogue says how; never stateless
    ("temporal-join", "deduplicate", "ttl"),
    ("upsert-materialize", "group-aggregate", "ttl"),
    ("two-phase", "incremental-group-aggregate", "ttl"),
    ("two-phase", "global-group-aggregate", "ttl"),
    ("sort-limit", "sort-limit", None),
    ("long-names", "group-aggregate", "ttl"),
])
def test_kinds_and_how_their_state_is_cleaned(kinds, stem, kind, cleanup):
    found = [operator for operator in kinds.job(stem)["operators"] if operator["kind"] == kind]
    assert len(found) == 1
    assert found[0]["cleanup"] != "stateless"
    assert cleanup in (None, found[0]["cleanup"])


def test_a_job_wide_ttl_reaches_both_sides_of_a_join(kinds):
    (state,) = [state for _, state in kinds.declared("outer-join").values()]
    assert state == {"leftState": 3 * HOUR_MS, "rightState": 3 * HOUR_MS}


def test_a_multi_join_has_an_entry_per_input(kinds, lab):
    if "multi-join" not in kinds.names:
        pytest.skip(f"Flink {lab.cluster.version} has no multi-join")
    (operator,) = [operator for operator in kinds.job("multi-join")["operators"]
                   if operator["state"]]
    assert entries(operator) == {"input-state-0": DAY_MS, "input-state-1": 2 * HOUR_MS,
                                 "input-state-2": 3 * DAY_MS}


def test_the_backend_is_each_jobs_own(kinds):
    assert kinds.job("hashmap")["state_backend"] == "HashMapStateBackend"
    assert kinds.job("parallel")["state_backend"] == "EmbeddedRocksDBStateBackend"


def test_sizes_are_those_of_rest(kinds, lab):
    for stem in kinds.names:
        job = kinds.job(stem)
        details = lab.cluster.get(
            f"/jobs/{job['job_id']}/checkpoints/details/{job['checkpoint_id']}")
        assert job["job_id"] in details["external_path"]
        assert sizes_by_vertex(job) == {
            vertex: [(task["state_size"], task["checkpointed_size"])]
            for vertex, task in details["tasks"].items()}, stem


def test_no_plan_is_called_drifted_or_ambiguous(kinds, lab):
    wrong = [finding for finding in lab.sidecar.findings()
             if finding["code"] in ("plan-drift", "plan-ambiguous", "unknown-operator")]
    assert wrong == []


def test_a_hostile_name_breaks_nothing(kinds, lab):
    """It comes back whole, and promtool reads the page it stands on."""
    name = kinds.names["outer-join"]
    assert name in lab.cluster.jobs()
    assert kinds.job("outer-join")["name"] == name
    page = lab.sidecar.metrics()
    assert name in {labels["flink_job"] for labels, _ in series(page, "flink_state_job_info")}
    done = subprocess.run(["promtool", "check", "metrics"], input=page, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert (done.returncode, done.stdout) == (0, "")
