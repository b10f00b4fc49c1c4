"""Growth, capacity, history and rules on a real Flink, one job for each shape of state.

The tests run in the order of this file: each goes on where the one before it left the jobs.
"""

import contextlib
import math
import pathlib
import sqlite3
import statistics
import string
import subprocess
import threading
import time
from types import SimpleNamespace

import pytest

from harness import sidecar
from harness.processes import wait_until
from readings import same_moment, series

SQL = pathlib.Path(__file__).parent / "sql" / "growth.sql"
JOBS = ("grows", "bounded", "half-bounded", "settles")
DISK_LIMIT = 64_000_000_000  # so far away that nothing is about to be full
TTL_SECONDS = 30
CLEANUP_SECONDS = 60         # what the heap is given to drop what has expired
LEAST_CHECKPOINTS = 12       # fewer make no verdict
NO_RULES = "acknowledge: []\n"


class Watch(threading.Thread):
    """Writes down what Flink's REST and the sidecar say, all the time."""

    def __init__(self, cluster):
        super().__init__(daemon=True)
        self.side = None           # asked while there is one
        self.sizes = {}            # job id → {trigger time ms: bytes of the job's checkpoint}
        self.verdicts = set()      # (job name, verdict)
        self.findings = set()      # (code, severity, job name)
        self._cluster = cluster
        self._ended = threading.Event()

    def run(self):
        while not self._ended.wait(0.5):
            self._look_at_flink()
            if self.side:
                with contextlib.suppress(OSError, ValueError):
                    self._look_at(self.side)

    def end(self):
        self._ended.set()
        self.join()

    def points(self, job):
        """[(seconds, bytes), …] until the report's checkpoint."""
        return [(at / 1000, size) for at, size in sorted(self.sizes.get(job["job_id"], {}).items())
                if at <= job["checkpoint_trigger_ms"]]

    def growth(self, job):
        """Bytes per second, by least squares over the sizes until the report's checkpoint."""
        points = self.points(job)
        assert len(points) >= LEAST_CHECKPOINTS
        return statistics.linear_regression(*zip(*points)).slope

    def _look_at_flink(self):
        running = []
        with contextlib.suppress(OSError, KeyError, ValueError):
            running = [job["jid"] for name, job in self._cluster.jobs().items()
                       if name in JOBS and job["state"] == "RUNNING"]
        for job_id in running:
            with contextlib.suppress(OSError, KeyError, ValueError):  # of this job alone
                for row in self._cluster.get(f"/jobs/{job_id}/checkpoints")["history"]:
                    if row["status"] == "COMPLETED" and not row["is_savepoint"]:
                        sizes = self.sizes.setdefault(job_id, {})
                        sizes[row["trigger_timestamp"]] = row["state_size"]

    def _look_at(self, side):
        for name, job in side.jobs().items():
            if name in JOBS:
                self.verdicts.update((name, op["verdict"]) for op in job["operators"]
                                     if op["state"])
        self.findings.update((finding["code"], finding["severity"], finding["job"])
                             for finding in side.findings() if finding.get("job") in JOBS)


@pytest.fixture(scope="module")
def lab4(lab, tmp_path_factory):
    """The lab's cluster with this file's jobs, and a sidecar that remembers."""
    folder = tmp_path_factory.mktemp(f"growth-{lab.cluster.version}")
    made = SimpleNamespace(
        cluster=lab.cluster, folder=folder, plan_dir=folder / "plans", watch=Watch(lab.cluster),
        history=folder / "history.db", rules=folder / "rules.yaml", side=None)
    made.plan_dir.mkdir()
    made.rules.write_text(NO_RULES, encoding="utf-8")
    statements = string.Template(SQL.read_text(encoding="utf-8"))
    client = lab.cluster.start_sql(statements.substitute(PLAN_DIR=made.plan_dir))
    made.watch.start()
    try:
        start_sidecar(made, "first")
        lab.cluster.finish_sql(client)
        lab.cluster.wait_checkpoints(JOBS)
        yield made
    finally:
        made.watch.end()
        if made.side:
            made.side.stop()
        left = [job["jid"] for name, job in lab.cluster.jobs().items()
                if name in JOBS and job["state"] == "RUNNING"]
        lab.cluster.cancel(*left)


def new_sidecar(lab4, name, *flags):
    """A sidecar with a log of its own."""
    folder = lab4.folder / name
    folder.mkdir()
    return sidecar.Sidecar(lab4.cluster.url, lab4.plan_dir, folder, poll_interval="1s",
                           flags=[f"--disk_limit_bytes={DISK_LIMIT}", *flags])


def start_sidecar(lab4, name):
    lab4.side = new_sidecar(lab4, name, f"--history_file={lab4.history}",
                            f"--rules_file={lab4.rules}")
    lab4.side.start()
    lab4.watch.side = lab4.side


def running(side, name):
    """The job of that name that has not ended, once its operators are known (see Sidecar.described),
    or None."""
    answer = sidecar.rest.get_json(side.url + "/api/v1/operators")
    return next((job for job in answer["jobs"]
                 if job["name"] == name and not job["terminal"] and job["operators"]), None)


def stateful(job):
    """The one operator with state entries."""
    (operator,) = [operator for operator in job["operators"] if operator["state"]]
    return operator


def wait_verdict(lab4, name, verdict, timeout=90):
    """Waits for it and returns the job."""
    def judged():
        job = running(lab4.side, name)
        return job if job and stateful(job)["verdict"] == verdict else None
    return wait_until(f"{name} is {verdict}", judged, timeout, lab4.side.process)


def wait_watched(lab4, name):
    """Waits until REST, as the watch saw it, has enough checkpoints of the growing job too: on a
    busy machine it sees fewer of the first ones than the sidecar. Returns the job."""
    def watched():
        job = running(lab4.side, name)
        seen = job and stateful(job)["verdict"] == "growing" and lab4.watch.points(job)
        return job if seen and len(seen) >= LEAST_CHECKPOINTS else None
    return wait_until(f"{name} is watched", watched, 90, lab4.side.process)


def findings_of(lab4, name, code):
    return [finding for finding in lab4.side.findings()
            if finding.get("job") == name and finding["code"] == code]


def new_run(lab4, name, old_id):
    """The first report in which a new run of the job has a checkpoint and its operators."""
    def begun():
        job = running(lab4.side, name)
        return job if job and job["job_id"] != old_id and "checkpoint_id" in job else None
    return wait_until(f"a new run of {name}", begun, 60, lab4.side.process)


def execute_plan(lab4, name, *settings):
    """Runs a compiled plan again."""
    settings = (f"SET 'pipeline.name' = '{name}';", *settings)
    lab4.cluster.sql("\n".join(settings) +
                     f"\nEXECUTE PLAN 'file://{lab4.plan_dir / (name + '.json')}';")


def runs_in_history(lab4, name):
    """[(line, job id, began with state), …] of all lines that the history file has of a job."""
    with contextlib.closing(sqlite3.connect(f"file:{lab4.history}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT line.id, run.job_id, run.with_state FROM line JOIN run"
                          " ON run.line = line.id WHERE line.job_name = ? ORDER BY run.seq",
                          (name.encode(),)).fetchall()
    return [(line, job_id.decode(), bool(with_state)) for line, job_id, with_state in rows]


def seconds_until(left, rises):
    """When rises (rate, most that is still to come) together have taken `left`; None: never."""
    if sum(most for _, most in rises) < left:
        return None
    low, high = 0.0, left / min(rate for rate, _ in rises) + 1
    for _ in range(200):
        middle = (low + high) / 2
        taken = sum(min(rate * middle, most) for rate, most in rises)
        low, high = (low, middle) if taken >= left else (middle, high)
    return high


# --- verdicts and numbers -------------------------------------------------------------------------

def test_a_ttl_that_has_not_passed_fills_up_to_a_plateau(lab4):
    operator = stateful(wait_verdict(lab4, "settles", "filling", TTL_SECONDS))
    assert operator["growth_bytes_per_second"] > 0
    lab4.plateau = operator["plateau_bytes"]  # judged when it has settled, see below
    assert lab4.plateau >= operator["level_bytes"]


def test_bounded_keys_are_flat(lab4):
    operator = stateful(wait_verdict(lab4, "bounded", "flat"))
    assert operator["growth_bytes_per_second"] == 0
    assert "seconds_until_full" not in operator


def test_growth_is_that_of_rest(lab4):
    job = wait_watched(lab4, "grows")
    expected = lab4.watch.growth(job)
    assert expected > 1000
    assert stateful(job)["growth_bytes_per_second"] == pytest.approx(expected, rel=0.25)


def test_the_disk_is_full_when_all_that_grow_have_filled_it(lab4):
    wait_watched(lab4, "grows")
    _, jobs, _ = same_moment(lab4.side)
    held, rises = 0, []
    on_disk = [job for job in jobs if not job["terminal"] and "RocksDB" in job["state_backend"]]
    for operator in (operator for job in on_disk for operator in job["operators"]):
        level = operator.get("level_bytes", operator.get("size_bytes", 0))
        held += level
        rate = operator.get("growth_bytes_per_second", 0)
        if operator["verdict"] == "growing":
            rises.append((rate, math.inf))
        elif operator["verdict"] == "filling" and "plateau_bytes" in operator and rate > 0:
            rises.append((rate, max(0, operator["plateau_bytes"] - level)))
    (job,) = [job for job in jobs if job["name"] == "grows" and not job["terminal"]]
    full = stateful(job)["seconds_until_full"]
    assert full == pytest.approx(seconds_until(DISK_LIMIT - held, rises), rel=0.01)
    # Of these, who settles before with next to nothing is no cause: `bounded` and the demo's windows.
    for operator in (operator for job in on_disk for operator in job["operators"]):
        rest = operator.get("plateau_bytes", math.inf) - operator.get("level_bytes", 0)
        if operator["verdict"] == "filling" and rest < 1_000_000:
            assert "seconds_until_full" not in operator, operator
    # And the other way: what one job alone would take is the most that is left.
    assert full <= DISK_LIMIT / lab4.watch.growth(job) * 1.25


def test_findings_follow_the_verdicts(lab4):
    wait_verdict(lab4, "half-bounded", "growing")
    (flat,) = findings_of(lab4, "bounded", "forever-state")
    assert flat["severity"] == "info"
    (growing,) = findings_of(lab4, "grows", "forever-state")
    assert growing["severity"] == "warning"
    assert "grows by" in growing["message"]
    assert [finding["state"] for finding in findings_of(lab4, "grows", "state-growing")] == [
        "groupAggregateState"]
    # Its left input is kept for ever and grows: the TTL of the right one does not excuse it.
    assert [finding["state"] for finding in findings_of(lab4, "half-bounded", "state-growing")] == [
        "leftState"]


def test_metrics_are_those_of_the_api_and_promtool_is_silent(lab4):
    metrics, jobs, _ = same_moment(lab4.side)
    for metric, field in (("growth_bytes_per_second",) * 2, ("seconds_until_full",) * 2,
                          ("entry_live_bytes", "live_bytes"), ("entry_keys", "keys")):
        exported = {(labels["job_id"], labels["vertex_id"], labels["operator"],
                     labels.get("state")): value
                    for labels, value in series(metrics, "flink_state_" + metric)}
        expected = {}
        for job, operator in ((job, operator) for job in jobs for operator in job["operators"]
                              if not job["terminal"]):
            key = (job["job_id"], operator["vertex_id"], operator["operator"])
            expected.update({(*key, part.get("name")): part[field]
                             for part in (operator, *operator["state"]) if field in part})
        assert exported.keys() == expected.keys()
        assert all(exported[key] == pytest.approx(expected[key], rel=1e-3) for key in exported)
        assert expected or metric.startswith("entry_")  # these come once a minute, see below
    done = subprocess.run(["promtool", "check", "metrics"], input=metrics, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert (done.returncode, done.stdout) == (0, "")


# --- restarts -------------------------------------------------------------------------------------

def test_a_killed_sidecar_knows_what_it_knew(lab4):
    before = {(finding["job"], finding["code"], finding.get("state")): finding["first_seen_ms"]
              for finding in lab4.side.findings() if finding.get("job") in JOBS}
    job_id = running(lab4.side, "grows")["job_id"]
    lab4.watch.side = None
    lab4.side.process.kill()
    time.sleep(1.5)  # so that first-seen times of now would be others

    history = lab4.cluster.get(f"/jobs/{job_id}/checkpoints")["history"]
    start_sidecar(lab4, "second")
    job = running(lab4.side, "grows")
    assert job["checkpoint_id"] - min(row["id"] for row in history) + 1 < LEAST_CHECKPOINTS
    assert stateful(job)["verdict"] == "growing"
    after = {(finding["job"], finding["code"], finding.get("state")): finding["first_seen_ms"]
             for finding in lab4.side.findings() if finding.get("job") in JOBS}
    assert {key for key in after if key[1] in ("forever-state", "state-growing")} == {
        key for key in before if key[1] in ("forever-state", "state-growing")}
    assert {key: after[key] for key in before if key in after} == {
        key: before[key] for key in before if key in after}
    # The history file did it: who has none knows nothing yet.
    _, document = sidecar.scan(lab4.cluster.url, lab4.plan_dir, "--fail_on=never")
    (forgetful,) = [job for job in document["jobs"] if job["job_id"] == job_id]
    assert stateful(forgetful)["verdict"] == "unknown"


def test_a_restored_job_goes_on_where_it_was(lab4):
    before = running(lab4.side, "grows")
    savepoint = lab4.cluster.savepoint(before["job_id"], cancel=True)
    execute_plan(lab4, "grows", f"SET 'execution.state-recovery.path' = '{savepoint}';")
    job = new_run(lab4, "grows", before["job_id"])
    assert job["checkpoints_completed"] < LEAST_CHECKPOINTS
    assert stateful(job)["verdict"] == "growing"
    assert stateful(job)["size_bytes"] > stateful(before)["size_bytes"] / 2
    (first, second) = runs_in_history(lab4, "grows")
    assert first[0] == second[0]
    assert first[1:] == (before["job_id"], False)
    assert second[1:] == (job["job_id"], True)


def test_a_job_that_is_deployed_without_its_state_begins_anew(lab4):
    before = running(lab4.side, "grows")
    lab4.cluster.cancel(before["job_id"])
    execute_plan(lab4, "grows")
    job = new_run(lab4, "grows", before["job_id"])
    assert stateful(job)["verdict"] == "unknown"
    assert findings_of(lab4, "grows", "state-growing") == []
    runs = runs_in_history(lab4, "grows")
    assert [with_state for _, _, with_state in runs] == [False, True, False]
    line = runs[-1][0]
    with contextlib.closing(sqlite3.connect(f"file:{lab4.history}?mode=ro", uri=True)) as db:
        ((oldest,),) = db.execute("SELECT min(t_ms) FROM point WHERE line = ?", (line,))
    assert oldest >= job["start_ms"]


# --- rules, and a history file that is none ------------------------------------------------------

def success(side, collector):
    (value,) = [value for labels, value in
                series(side.metrics(), "flink_state_sidecar_collector_success")
                if labels["collector"] == collector]
    return value


def replace(path, text):
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def test_rules_are_read_while_it_runs(lab4):
    until = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 3 * 86400))
    rules = ('acknowledge:\n  - code: forever-state\n    job: "bound*"\n'
             f'    operator: "GroupAggregate*"\n    reason: "2,000 keys"\n    until: {until}\n'
             'jobs:\n  - job: grows\n    state_limit: 100 MiB\n')
    assert success(lab4.side, "rules") == 1
    replace(lab4.rules, rules)

    def acknowledged():
        (finding,) = findings_of(lab4, "bounded", "forever-state")
        return finding if finding.get("acknowledged") else None
    finding = wait_until("the acknowledgement", acknowledged, 20, lab4.side.process)
    assert finding["acknowledged_reason"] == "2,000 keys"
    exported = [labels for labels, _ in series(lab4.side.metrics(), "flink_state_finding")
                if labels["code"] == "forever-state"]
    assert {labels["flink_job"] for labels in exported
            if labels.get("acknowledged") == "true"} == {"bounded"}

    job = wait_verdict(lab4, "grows", "growing")
    operator = stateful(job)
    assert job["state_limit_bytes"] == 100 << 20
    assert operator["seconds_until_full"] == pytest.approx(
        ((100 << 20) - operator["level_bytes"]) / operator["growth_bytes_per_second"], rel=0.05)
    (capacity,) = findings_of(lab4, "grows", "capacity")
    assert capacity["severity"] == "critical" and "limit of 100 MiB" in capacity["message"]
    (forever,) = findings_of(lab4, "grows", "forever-state")
    assert forever["severity"] == "critical"


def test_a_broken_edit_changes_nothing_but_is_told(lab4):
    replace(lab4.rules, "acknowledge: [\n")
    wait_until("rules 0", lambda: success(lab4.side, "rules") == 0, 20, lab4.side.process)
    (finding,) = findings_of(lab4, "bounded", "forever-state")
    assert finding["acknowledged"]
    assert findings_of(lab4, "grows", "capacity")
    told = [line for line in lab4.side.log().splitlines() if "rules.yaml" in line]
    assert len(told) == 1 and "level=warn" in told[0]
    replace(lab4.rules, NO_RULES)
    wait_until("rules 1", lambda: success(lab4.side, "rules") == 1, 20, lab4.side.process)
    (finding,) = findings_of(lab4, "bounded", "forever-state")
    assert "acknowledged" not in finding


def test_a_history_file_that_is_none_is_told_and_left_alone(lab4):
    garbage = b"this is no database\n" * 1000
    history = lab4.folder / "garbage.db"
    history.write_bytes(garbage)
    with new_sidecar(lab4, "third", f"--history_file={history}") as side:
        assert success(side, "history") == 0
        wait_until("a verdict", lambda: stateful(running(side, "bounded"))["verdict"] == "flat",
                   40, side.process)
        assert success(side, "history") == 0
        told = [line for line in side.log().splitlines() if "garbage.db" in line]
        assert len(told) == 1 and "level=warn" in told[0]
    assert history.read_bytes() == garbage


# --- what takes minutes ---------------------------------------------------------------------------

def test_the_inputs_of_a_join_are_told_apart(lab4):
    def told():
        job = running(lab4.side, "half-bounded")
        entries = {entry["name"]: entry for entry in stateful(job)["state"]}
        return entries if all(entry.get("keys") for entry in entries.values()) else None
    entries = wait_until("RocksDB's figures", told, 200, lab4.side.process)
    assert {name: entry["ttl_ms"] for name, entry in entries.items()} == {
        "leftState": 0, "rightState": TTL_SECONDS * 1000}
    # The same rows come on both sides, 500 a second; the right one has those of 30 s and what waits
    # for a compaction.
    job = running(lab4.side, "half-bounded")
    age = (time.time() * 1000 - job["start_ms"]) / 1000
    assert TTL_SECONDS * 500 / 3 < entries["rightState"]["keys"]
    assert 60 * 500 / 3 < entries["leftState"]["keys"] < age * 500 * 1.25
    metrics = lab4.side.metrics()
    for metric in ("flink_state_entry_live_bytes", "flink_state_entry_keys"):
        exported = {labels["state"]: value for labels, value in series(metrics, metric)
                    if labels["flink_job"] == "half-bounded"}
        assert exported.keys() == entries.keys() and all(exported.values())


def test_a_ttl_that_has_passed_leaves_the_state_flat(lab4):
    start = running(lab4.side, "settles")["start_ms"] / 1000
    passed = start + TTL_SECONDS + CLEANUP_SECONDS + LEAST_CHECKPOINTS
    wait_until("TTL and clean-up", lambda: time.time() > passed, 120)
    operator = stateful(wait_verdict(lab4, "settles", "flat", 60))
    assert operator["growth_bytes_per_second"] == 0
    assert lab4.plateau == pytest.approx(operator["level_bytes"], rel=0.25)


def test_nothing_was_said_to_grow_that_does_not(lab4):
    lab4.watch.end()
    for name in ("bounded", "settles"):
        assert (name, "growing") not in lab4.watch.verdicts
    assert {name for code, _, name in lab4.watch.findings if code == "state-growing"} == {
        "grows", "half-bounded"}
    assert {code for code, _, _ in lab4.watch.findings} & {
        "growing-past-ttl", "plan-missing", "plan-ambiguous", "plan-drift"} == set()
