"""replay over recorded series: five real jobs (Flink 2.3.0, a checkpoint every 5 s for 25 minutes),
and recordings that are broken. No Flink is needed."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("FSS_BINARY") or str(ROOT / "build/release/flink-state-sidecar")
SERIES = ROOT / "tests" / "golden" / "series"
A = SERIES / "A-agg-forever-rocksdb"
B = SERIES / "B-agg-forever-bounded-keys"
C = SERIES / "C-agg-ttl60s-hashmap"
F = SERIES / "F-window"
I = SERIES / "I-join-hint-left-1d-right-30s"  # noqa: E741: the series' own letter
ALL = [A, B, C, F, I]
# Growth shows in the 19th checkpoint, after 90 s: RocksDB tells no live bytes before it has flushed
# a first file. Two minutes are the most that is taken.
A_GROWS_WITHIN_MS = 120_000


def run(*arguments):
    return subprocess.run([BINARY, "replay", *map(str, arguments)], capture_output=True, text=True,
                          timeout=60)


def replay(folder, *flags):
    outcome = run(folder, "--format=json", "--fail_on=never", *flags)
    assert outcome.returncode == 0 and outcome.stderr == "", outcome
    return json.loads(outcome.stdout)


def steps(folder):
    outcome = run(folder, "--format=json", "--fail_on=never", "--every")
    assert outcome.returncode == 0, outcome.stderr
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def stateful(report):
    """The one vertex of these jobs that keeps keyed state."""
    vertices = [v for v in report["verdicts"] if v["size_bytes"] > 0]
    assert len(vertices) == 1, vertices
    return vertices[0]


def entry(vertex, name):
    return next(e for e in vertex["state"] if e["name"] == name)


def findings(report):
    return {(f["code"], f["severity"], f["operator"], f.get("state")) for f in report["findings"]}


@pytest.fixture
def copy(tmp_path):
    """A recording of our own to break."""
    folder = tmp_path / "recording"
    shutil.copytree(A, folder)
    return folder


def lines_of(folder):
    return (folder / "series.jsonl").read_text().splitlines()


def write_lines(folder, lines):
    (folder / "series.jsonl").write_text("".join(line + "\n" for line in lines))


@pytest.mark.parametrize("folder, verdict", [(A, "growing"), (B, "flat"), (C, "flat"), (F, "flat"),
                                             (I, "filling")], ids=lambda v: getattr(v, "name", v))
def test_verdict_at_the_end(folder, verdict):
    report = replay(folder)
    assert stateful(report)["verdict"] == verdict
    # The sources of these jobs keep nothing.
    others = [v for v in report["verdicts"] if v["size_bytes"] == 0]
    assert others and all(v["verdict"] == "flat" for v in others)


def test_growth_is_that_of_the_data():
    """Between checkpoints 100 and 300, from the sizes alone."""
    lines = [json.loads(line) for line in lines_of(A)]
    first, last = lines[99], lines[-1]
    rate = (last["state_size"] - first["state_size"]) / ((last["t"] - first["t"]) / 1000)
    assert stateful(replay(A))["growth_bytes_per_second"] == pytest.approx(rate, rel=0.1)


def test_the_two_inputs_of_a_join_are_judged_apart():
    join = stateful(replay(I))
    left, right = entry(join, "leftState"), entry(join, "rightState")
    assert (left["ttl_ms"], left["verdict"]) == (86_400_000, "filling")
    assert (right["ttl_ms"], right["verdict"]) == (30_000, "flat")
    # A day's worth at this rate is where the left input settles.
    settles = left["growth_bytes_per_second"] * 86_400
    assert left["plateau_bytes"] == pytest.approx(settles, rel=0.1)


def test_without_the_plan_nothing_is_known_to_stop_it(tmp_path):
    folder = tmp_path / "no-plan"
    shutil.copytree(I, folder)
    (folder / "plan.json").unlink()
    report = replay(folder)
    assert stateful(report)["verdict"] == "growing"
    assert "state-growing" in {f["code"] for f in report["findings"]}


@pytest.mark.parametrize("folder", [B, C, F], ids=lambda f: f.name)
def test_a_job_that_does_not_grow_is_never_called_growing(folder):
    reports = steps(folder)
    assert len(reports) == len(lines_of(folder)) >= 300
    for report in reports:
        for vertex in report["verdicts"]:
            assert vertex["verdict"] != "growing", report["t"]
            assert all(e.get("verdict") != "growing" for e in vertex.get("state", []))
        assert not {"state-growing", "growing-past-ttl"} & {f["code"] for f in report["findings"]}
    assert "first_growing_at_ms" not in stateful(reports[-1])


def test_growth_is_seen_within_two_minutes():
    reports = steps(A)
    begin = reports[0]["t"]
    first = next(r["t"] for r in reports if stateful_verdict(r) == "growing")
    assert first - begin <= A_GROWS_WITHIN_MS
    assert stateful(reports[-1])["first_growing_at_ms"] == first
    # Once seen it stays.
    assert all(stateful_verdict(r) == "growing" for r in reports if r["t"] >= first)


def stateful_verdict(report):
    return next((v["verdict"] for v in report["verdicts"] if v["size_bytes"] > 0), "unknown")


def test_the_shorter_ttl_does_not_judge_the_whole_join():
    """Its right side is full after 30 s; the left one goes on, and nothing is past its TTL."""
    for report in steps(I):
        assert "growing-past-ttl" not in {f["code"] for f in report["findings"]}


@pytest.mark.parametrize("folder, expected", [
    (A, {("forever-state", "warning", "GroupAggregate[6]", "groupAggregateState"),
         ("state-growing", "warning", "GroupAggregate[6]", "groupAggregateState"),
         ("time-bound-possible", "info", "GroupAggregate[6]", None)}),
    (B, {("forever-state", "info", "GroupAggregate[14]", "groupAggregateState"),
         ("time-bound-possible", "info", "GroupAggregate[14]", None)}),
    (C, {("time-bound-possible", "info", "GroupAggregate[22]", None)}),
    (F, set()),
    (I, {("ttl-mismatch", "warning", "Join[83]", "rightState"),
         ("time-bound-possible", "info", "Join[83]", None)}),
], ids=lambda v: getattr(v, "name", None))
def test_findings(folder, expected):
    assert findings(replay(folder)) == expected


def test_time_until_a_limit():
    limit = 100_000_000
    vertex = stateful(replay(A, f"--limit_bytes={limit}"))
    left = (limit - vertex["level_bytes"]) / vertex["growth_bytes_per_second"]
    assert vertex["seconds_until_full"] == pytest.approx(left, rel=0.01)
    assert vertex["level_bytes"] == pytest.approx(vertex["size_bytes"], rel=0.05)


def test_a_limit_that_is_near_is_critical():
    outcome = run(A, "--format=json", "--limit_bytes=5000000", "--fail_on=critical")
    assert outcome.returncode == 1
    codes = {(f["code"], f["severity"]) for f in json.loads(outcome.stdout)["findings"]}
    assert {("capacity", "critical"), ("forever-state", "critical")} <= codes


def test_no_time_until_a_limit_for_what_does_not_grow():
    assert "seconds_until_full" not in stateful(replay(B, "--limit_bytes=200000"))


@pytest.mark.parametrize("folder, code", [(A, 1), (B, 0), (F, 0), (I, 1)], ids=lambda v:
                         getattr(v, "name", v))
def test_exit_code_by_default(folder, code):
    assert run(folder).returncode == code


def test_one_broken_line_costs_that_line(copy):
    whole = stateful(replay(copy))
    lines = lines_of(copy)
    lines[7] = lines[7][:40]
    lines[9] = '{"id":1}'
    write_lines(copy, lines)
    outcome = run(copy, "--format=json", "--fail_on=never")
    assert outcome.returncode == 2
    said = outcome.stderr.splitlines()
    assert len(said) == 2, said
    assert f"{copy}/series.jsonl:8: not a JSON object" in said[0]
    assert f"{copy}/series.jsonl:10: no checkpoint: t, id or state_size is missing" in said[1]
    judged = stateful(json.loads(outcome.stdout))
    assert judged["verdict"] == "growing"
    assert judged["growth_bytes_per_second"] == pytest.approx(whole["growth_bytes_per_second"], rel=0.05)


def test_a_huge_line_costs_that_line(copy):
    lines = lines_of(copy)
    lines[3] = '{"t":' + "1" * (17 << 20) + "}"
    write_lines(copy, lines)
    outcome = run(copy, "--format=json", "--fail_on=never")
    assert outcome.returncode == 2
    assert outcome.stderr.splitlines() == [
        f"flink-state-sidecar: {copy}/series.jsonl:4: an absurdly long line"]
    assert stateful(json.loads(outcome.stdout))["verdict"] == "growing"


@pytest.mark.parametrize("name", ["job-plan.json", "checkpoints-config.json", "series.jsonl"])
def test_a_missing_file_is_named(copy, name):
    (copy / name).unlink()
    outcome = run(copy)
    assert outcome.returncode == 2 and outcome.stdout == ""
    assert outcome.stderr.startswith(f"flink-state-sidecar: {copy}/{name}: ")
    assert len(outcome.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["plan.json", "job-plan.json", "checkpoints-config.json"])
def test_a_broken_file_is_named(copy, name):
    (copy / name).write_text("{")
    outcome = run(copy)
    assert outcome.returncode == 2 and outcome.stdout == ""
    assert outcome.stderr.startswith(f"flink-state-sidecar: {copy}/{name}: ")
    assert len(outcome.stderr.splitlines()) == 1


def test_a_series_of_nothing(copy):
    write_lines(copy, ["", "  "])
    outcome = run(copy)
    assert outcome.returncode == 2 and outcome.stdout == ""
    assert outcome.stderr == f"flink-state-sidecar: {copy}/series.jsonl: no checkpoint in it\n"


def test_a_savepoint_is_no_growth(copy):
    """Savepoints are many times as large (flink-facts): the verdicts do not move."""
    before = stateful(replay(copy))
    lines = lines_of(copy)
    row = json.loads(lines[150])
    row.update(t=row["t"] + 1000, id=9000, state_size=row["state_size"] * 5, is_savepoint=True)
    for task in row["tasks"].values():
        task["state_size"] *= 5
    write_lines(copy, lines[:151] + [json.dumps(row)] + lines[151:])
    after = stateful(replay(copy))
    assert after["verdict"] == "growing"
    assert after["growth_bytes_per_second"] == pytest.approx(before["growth_bytes_per_second"], rel=0.01)


def test_usage():
    for arguments, needle in (([], "one folder"), ([A, B], "one folder"),
                              ([A, "--limit_bytes=-1"], "--limit_bytes"),
                              ([A.parent / "nowhere"], "nowhere/job-plan.json")):
        outcome = run(*arguments)
        assert outcome.returncode == 2 and outcome.stdout == ""
        assert needle in outcome.stderr and len(outcome.stderr.splitlines()) == 1
