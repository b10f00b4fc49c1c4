"""--record_dir on a real Flink: what is recorded is judged by replay as the sidecar judged it, with
names and without, and over a kill."""

import html
import json
import re
import shutil
import time

import pytest

from harness import demo_jobs, sidecar
from harness.processes import wait_until

# What replay and the API both say of an operator.
SAID = ("node_id", "size_bytes", "verdict", "growth_bytes_per_second", "plateau_bytes")
OF_ENTRY = ("name", "ttl_ms", "live_bytes", "keys", "verdict", "growth_bytes_per_second")
STATEFUL = set(demo_jobs.JOBS) - {"large-orders"}
# Found by what lies outside of a recording: other jobs, the plan folder, the TaskManagers.
NOT_RECORDED = {"plan-missing", "plan-ambiguous", "heap-pressure", "capacity", "checkpoint-stale",
                "state-skew"}


def replay(folder):
    code, out, err = sidecar.run("replay", folder, "--format=json", "--fail_on=never")
    assert code == 0, err
    return json.loads(out)


def table(operators):
    """Vertex → what is said of it, of the operators that show sizes."""
    return {op["vertex_id"]: ([op.get(key) for key in SAID],
                              [[entry.get(key) for key in OF_ENTRY]
                               for entry in op.get("state", [])])
            for op in operators if "size_bytes" in op}


def codes(findings):
    return sorted((f["code"], f["severity"], f.get("operator", ""), f.get("state", ""))
                  for f in findings if f["code"] not in NOT_RECORDED)


def lines_of(folder):
    return [json.loads(line) for line in (folder / "series.jsonl").read_text().splitlines()]


def assert_no_checkpoint_twice(folder):
    ids = [(line["id"], line["t"]) for line in lines_of(folder)]
    assert ids and len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", sorted(STATEFUL))
def test_replay_says_what_the_sidecar_says(lab, tmp_path, name):
    """Of the lab's own sidecar, which has recorded since its start: with RocksDB's figures."""
    def same():
        job = lab.sidecar.jobs()[name]
        copy = tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(lab.recorded / job["job_id"], copy)
        # The copy may have one poll more than the answer, or one less.
        if lines_of(copy)[-1]["id"] != job["checkpoint_id"]:
            return None
        # Another test gave it a plan for a while: the recording keeps that, the sidecar does not.
        if "plan" not in job:
            (copy / "plan.json").unlink(missing_ok=True)
        report = replay(copy)
        if table(report["verdicts"]) != table(job["operators"]):
            return None
        # A verdict takes a dozen checkpoints.
        judged = any(op["verdict"] != "unknown" for op in report["verdicts"]
                     if op.get("state"))
        return (job, report) if judged else None
    job, report = wait_until(f"a replay of {name} that says the same", same, 60,
                             lab.sidecar.process)
    assert_no_checkpoint_twice(lab.recorded / job["job_id"])
    live = [f for f in lab.sidecar.findings() if f.get("job_id") == job["job_id"]]
    assert codes(report["findings"]) == codes(live)
    if demo_jobs.JOBS[name] is not None:
        assert (lab.recorded / job["job_id"] / "plan.json").exists()


def test_answers_are_flinks_own(lab):
    job = lab.sidecar.jobs()["cascade"]
    folder = lab.recorded / job["job_id"]
    assert json.loads((folder / "job-plan.json").read_text()) == \
        lab.cluster.get(f"/jobs/{job['job_id']}/plan")
    assert json.loads((folder / "checkpoints-config.json").read_text()) == \
        lab.cluster.get(f"/jobs/{job['job_id']}/checkpoints/config")
    assert (folder / "plan.json").read_bytes() == (lab.cluster.plan_dir / "cascade.json").read_bytes()


def test_rocksdbs_figures_are_recorded(lab):
    """The first come within two minutes of the sidecar's start."""
    folder = lab.recorded / lab.sidecar.jobs()["cascade"]["job_id"]
    lines = wait_until("RocksDB's figures", lambda: [line for line in lines_of(folder)
                                                     if "rocks" in line], 150)
    metrics = {metric.split("].")[1] for vertex in lines[-1]["rocks"].values() for metric in vertex}
    assert {"left-records.rocksdb_estimate-num-keys",
            "right-records.rocksdb_estimate-num-keys"} <= metrics


def words(text):
    return set(re.findall(r"[A-Za-z_][A-Za-z0-9_$-]*", text))


def names_of(lab, job):
    """What the job's owner has called something: every name in its SQL, its plan and its graph."""
    sql = demo_jobs.tables() + demo_jobs.statements(lab.cluster.plan_dir, {job["name"]})
    # SQL's own words are written in capitals; comments are prose.
    names = {word for word in words(re.sub(r"--.*", "", sql)) if word != word.upper()}
    plan = lab.cluster.plan_dir / f"{job['name']}.json"
    if plan.exists():
        for node in json.loads(plan.read_text())["nodes"]:
            names |= words(str(node.get("outputType", "")).replace("ROW<", " "))
            names |= words(json.dumps(node.get("scanTableSource", node.get("dynamicTableSink", {}))))
    return {name for name in names if name != name.upper()} | {job["name"]}


def test_without_names_everything_else_is_the_same(lab, tmp_path):
    code, document = sidecar.scan(lab.cluster.url, lab.cluster.plan_dir, "--polls=8",
                                  "--poll_interval=1s", "--fail_on=never", "--anonymize",
                                  f"--record_dir={tmp_path}")
    assert code == 0
    jobs = {job["name"]: job for job in document["jobs"]}
    ours = set()
    for name in demo_jobs.JOBS:
        job = jobs[name]
        folder = tmp_path / f"{job['job_id']}-anonymous"
        report = replay(folder)
        assert table(report["verdicts"]) == table(job["operators"]), name
        live = [f for f in document["findings"] if f.get("job_id") == job["job_id"]]
        hidden = re.compile(r"^[a-z_0-9]+(?=\[)")
        same = [[(f[0], f[1], hidden.sub("", f[2]), f[3]) for f in codes(findings)]
                for findings in (report["findings"], live)]
        assert same[0] == same[1], name
        assert {"order_id", "orders"} <= names_of(lab, job)
        text = "\n".join(path.read_text() for path in folder.iterdir())
        ours |= words(text) & names_of(lab, job)
        if demo_jobs.JOBS[name] is not None:
            check_plan(folder, lab.cluster.plan_dir / f"{name}.json")
    # Words of the demo's SQL and plans that Flink writes as well: units, its JSON, its own columns.
    assert ours <= {"d", "h", "min", "s", "fields", "fieldType", "kind", "name", "state", "table",
                    "ttl", "type", "slice_end", "sum$0"}, ours
    assert not any(path.name in demo_jobs.JOBS for path in tmp_path.iterdir())


def without_names(op):
    """lint's operator with as many tables and columns as it names, not their names."""
    op = {key: value for key, value in op.items() if key != "operator"}
    op["state"] = [{key: len(value) if key in ("tables", "keys") else value
                    for key, value in entry.items()} for entry in op["state"]]
    return op


def check_plan(folder, original):
    """lint says the same of both, but for tables; the job's descriptions are the plan's."""
    before, after = (json.loads(sidecar.run("lint", path, "--format=json")[1])["plans"][0]
                     for path in (original, folder / "plan.json"))
    operators = [[without_names(op) for op in plan["operators"]] for plan in (after, before)]
    assert operators[0] == operators[1] and operators[0]
    assert [(f["code"], f.get("node_id"), f.get("state")) for f in after["findings"]] == \
        [(f["code"], f.get("node_id"), f.get("state")) for f in before["findings"]]
    texts = {node["description"]
             for node in json.loads((folder / "plan.json").read_text())["nodes"]}
    graph = json.loads((folder / "job-plan.json").read_text())["plan"]["nodes"]
    described = re.findall(r"\[\d+\]:([A-Z]\w+\(.*?\))<br/>",
                           "".join(html.unescape(vertex["description"]) for vertex in graph))
    assert described and set(described) <= texts


def test_a_kill_at_any_moment_leaves_a_recording(lab, tmp_path):
    recorded = tmp_path / "recorded"
    job_id = lab.sidecar.jobs()["cascade"]["job_id"]
    folder = recorded / job_id
    for turn in range(3):
        log = tmp_path / str(turn)
        log.mkdir()
        with sidecar.Sidecar(lab.cluster.url, lab.cluster.plan_dir, log, poll_interval="200ms",
                             flags=[f"--record_dir={recorded}"]) as side:
            before = len(lines_of(folder))
            wait_until("another line", lambda: len(lines_of(folder)) > before, 20, side.process)
            time.sleep(0.1 * turn)
            side.process.kill()
        replay(folder)
    assert_no_checkpoint_twice(folder)
    times = [line["t"] for line in lines_of(folder)]
    assert times == sorted(times)
    assert [path.name for path in recorded.iterdir() if path.name.startswith(job_id)] == [job_id]


def ended_job(lab):
    """A recorded job that is over: one of the tests before, else one of our own."""
    for job in lab.cluster.jobs().values():
        if job["state"] == "CANCELED" and (lab.recorded / job["jid"] / "series.jsonl").exists():
            return job["jid"]
    name = "recorded-and-gone"
    lab.cluster.sql("\n".join([
        f"SET 'pipeline.name' = '{name}';",
        "CREATE TABLE g (v BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '5');",
        "CREATE TABLE b (v BIGINT) WITH ('connector' = 'blackhole');",
        "INSERT INTO b SELECT v FROM g;"]))
    job_id = lab.cluster.wait_checkpoints([name])[name]
    folder = lab.recorded / job_id
    wait_until("its first line", lambda: (folder / "series.jsonl").exists() and lines_of(folder),
               20, lab.sidecar.process)
    lab.cluster.cancel(job_id)
    return job_id


def test_a_job_that_ends_ends_its_folder(lab):
    folder = lab.recorded / ended_job(lab)

    def ended():
        job = json.loads((folder / "job.json").read_text())
        return job if "ended_ms" in job else None
    assert wait_until("the end of its folder", ended, 20, lab.sidecar.process)["state"] == "CANCELED"


def test_a_folder_that_cannot_be_written_stops_no_poll(lab, tmp_path):
    """/dev/full is no folder; one that vanishes is told, and begins anew."""
    recorded = tmp_path / "recorded"
    side = sidecar.Sidecar(lab.cluster.url, lab.cluster.plan_dir, tmp_path, poll_interval="300ms",
                           flags=[f"--record_dir={recorded}"])
    with side:
        shutil.rmtree(recorded)
        recorded.write_text("a file is in its place")
        wait_until("the log says so", lambda: "writing --record_dir" in side.log(), 20, side.process)
        wait_until("the metric says so", lambda: re.search(
            r'collector_success\{[^}]*collector="record"[^}]*\} 0', side.metrics()), 20, side.process)
        polls = side.jobs()["cascade"]["checkpoint_id"]
        wait_until("polls go on", lambda: side.jobs()["cascade"]["checkpoint_id"] > polls, 20,
                   side.process)
        recorded.unlink()
        recorded.mkdir()
        job_id = side.jobs()["cascade"]["job_id"]
        wait_until("it records again", lambda: (recorded / job_id / "job-plan.json").exists(), 20,
                   side.process)
    assert sum("writing --record_dir" in line for line in side.log().splitlines()) <= 4
