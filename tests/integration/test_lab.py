"""report and grade over the artefacts of a real run of the lab (Flink 2.3.0), as they are and with
the mistakes that people make. No Flink is needed."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("FSS_BINARY") or str(ROOT / "build/release/flink-state-sidecar")
LAB = ROOT / "tests" / "golden" / "lab"
STEPS = ["filter", "group-by", "group-by-ttl", "join-hints", "cascade", "window", "rocks", "report"]


def run(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True,
                          timeout=60)


def grade(folder, *flags):
    return run("grade", folder, f"--data={LAB / 'csv'}", *flags)


def failures(folder):
    """Reasons of the steps that fail, by number."""
    outcome = grade(folder, "--format=json")
    assert outcome.stderr == ""
    graded = json.loads(outcome.stdout)
    assert [step["name"] for step in graded["steps"]] == STEPS
    failed = {s["step"]: s["reason"] for s in graded["steps"] if not s["passed"]}
    assert graded["passed"] == (not failed)
    assert outcome.returncode == (1 if failed else 0)
    return failed


@pytest.fixture
def lab(tmp_path):
    """A copy of the folder, to spoil."""
    return pathlib.Path(shutil.copytree(LAB, tmp_path / "lab"))


def edit(path, pattern, replacement, count=1):
    """Replaces at least one, at most `count` (0: all)."""
    text, done = re.subn(pattern, replacement, path.read_text(), count=count)
    assert done, f"{pattern} is not in {path.name}"
    path.write_text(text)


def set_ttl(path, join, entry, ttl):
    """The TTL of an entry of the plan's join number `join` (0 is the first)."""
    plan = json.loads(path.read_text())
    joins = [n for n in plan["nodes"] if n["type"].startswith("stream-exec-join")]
    for state in joins[join]["state"]:
        if state["name"] == entry:
            state["ttl"] = ttl
    path.write_text(json.dumps(plan, indent=2))


def drop_line(path, number):
    lines = path.read_text().splitlines(keepends=True)
    del lines[number - 1]
    path.write_text("".join(lines))


def rows_of(path, op):
    """(line number, line) of the rows with this op."""
    lines = path.read_text().splitlines()
    return [(n, line) for n, line in enumerate(lines, 1) if line.startswith(f"| {op} |")]


def announce(path, rows):
    edit(path, r"total of \d+ rows", f"total of {rows} rows")


def test_report_is_what_the_real_run_wrote():
    outcome = run("report", LAB)
    assert outcome.returncode == 0 and outcome.stderr == ""
    assert json.loads(outcome.stdout) == json.loads((LAB / "report.json").read_text())
    assert len(outcome.stdout.splitlines()) == 1


def test_report_needs_no_more_than_its_own_files(lab):
    for name in ("calc-plan.json", "agg-ttl-plan.json", "window.out", "rocks-job.json",
                 "report.json"):
        (lab / name).unlink()
    assert run("report", lab).returncode == 0


@pytest.mark.parametrize("name", ["agg-plan.json", "join-hint-plan.json", "cascade-plan.json",
                                  "window-plan.json", "rocks-ckpt.json", "rocks.out"])
@pytest.mark.parametrize("spoil", ["missing", "empty", "cut", "folder"])
def test_report_names_a_missing_or_broken_file(lab, name, spoil):
    path = lab / name
    text = path.read_text()
    path.unlink()
    if spoil == "empty":
        path.write_text("")
    elif spoil == "cut":
        path.write_text(text[:len(text) // 2])
    elif spoil == "folder":
        path.mkdir()
    outcome = run("report", lab)
    assert outcome.returncode == 2 and outcome.stdout == ""
    assert len(outcome.stderr.splitlines()) == 1 and f"{lab}/{name}: " in outcome.stderr


def test_grade_passes_a_real_run():
    assert failures(LAB) == {}
    outcome = grade(LAB)
    lines = outcome.stdout.splitlines()
    assert outcome.returncode == 0 and outcome.stderr == ""
    assert [line.split()[:3] for line in lines[:8]] == [
        ["pass", str(n), name] for n, name in enumerate(STEPS, 1)]
    assert lines[8:] == ["", "8 of 8 steps pass"]
    assert "11 rows, all +I, equal the windows of the CSV" in lines[5]
    assert "the last rows of 40 users equal the CSV" in lines[6]


def test_hint_by_table_name_where_an_alias_exists(lab):
    for entry in ("leftState", "rightState"):
        set_ttl(lab / "join-hint-plan.json", 0, entry, "30 min")
    failed = failures(lab)
    assert set(failed) == {4, 8}  # the report still says 1 d
    assert "leftState is 30 min, expected 1 d" in failed[4] and "the alias" in failed[4]
    assert "join_left_ttl is '1 d', but the artefacts say '30 min'" in failed[8]
    outcome = grade(lab)
    assert outcome.returncode == 1
    assert [line for line in outcome.stdout.splitlines() if line.startswith("fail  4  join-hints")]


def test_ttl_set_after_the_statement(lab):
    shutil.copy(lab / "agg-plan.json", lab / "agg-ttl-plan.json")
    failed = failures(lab)
    assert set(failed) == {3}
    assert "groupAggregateState is 0 ms, expected 30 min" in failed[3]
    assert "works on the statements after it" in failed[3]


def test_a_ttl_where_none_should_be(lab):
    shutil.copy(lab / "agg-ttl-plan.json", lab / "agg-plan.json")
    failed = failures(lab)
    assert set(failed) == {2, 8}
    assert "groupAggregateState is 30 min, expected 0 ms" in failed[2]


def test_a_hashmap_run(lab):
    edit(lab / "rocks-ckpt.json", "EmbeddedRocksDBStateBackend", "HashMapStateBackend")
    failed = failures(lab)
    assert set(failed) == {7, 8}
    assert "state_backend is HashMapStateBackend, expected EmbeddedRocksDBStateBackend" in failed[7]


def test_the_third_hint_missing(lab):
    set_ttl(lab / "cascade-plan.json", 1, "rightState", "30 min")
    failed = failures(lab)
    assert set(failed) == {5}
    assert "rightState of the second join is 30 min, expected 7 d" in failed[5]


def test_no_job_default_for_the_slot_that_hints_miss(lab):
    set_ttl(lab / "cascade-plan.json", 1, "leftState", "0 ms")
    failed = failures(lab)
    assert set(failed) == {5, 8}
    assert "leftState of the second join is 0 ms, expected 30 min" in failed[5]


@pytest.mark.parametrize("name, step", [("window.out", {6}), ("rocks.out", {7, 8})])
def test_a_batch_run_has_no_op_column(lab, name, step):
    lines = (lab / name).read_text().splitlines()
    for n, line in enumerate(lines):
        if line.startswith(("|", "+-")):
            lines[n] = line[0] + line[6:]
        elif line.endswith("-+"):
            lines[n] = line.replace("+----+", "+", 1)
    (lab / name).write_text("\n".join(lines) + "\n")
    failed = failures(lab)
    assert set(failed) == step
    assert f"{lab}/{name}: its result has no op column: a batch run" in failed[min(step)]


def test_a_batch_run_has_only_inserts(lab):
    """The end result alone, as +I rows."""
    path = lab / "rocks.out"
    last = {}
    for _, line in sorted(rows_of(path, "+I") + rows_of(path, "+U")):
        last[line.split("|")[2]] = line.replace("+U", "+I")
    lines = path.read_text().splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("| +I |"))
    kept = [line for line in lines[first:] if not re.match(r"\| (.I|.U) \|", line)]
    path.write_text("\n".join(lines[:first] + list(last.values()) + kept) + "\n")
    announce(path, len(last))
    failed = failures(lab)
    assert set(failed) == {7} and len(last) == 40
    assert "only +I rows" in failed[7] and "batch run" in failed[7]


def test_a_batch_job(lab):
    edit(lab / "rocks-job.json", '"job-type":"STREAMING"', '"job-type":"BATCH"')
    assert "a batch job" in failures(lab)[7]


def test_a_stale_report(lab):
    edit(lab / "report.json", '"rocks_groups": 40', '"rocks_groups": 37')
    failed = failures(lab)
    assert set(failed) == {8}
    assert "rocks_groups is 37, but the artefacts say 40: it is of another run" in failed[8]


def test_one_group_too_few(lab):
    """All rows of one user are gone, and the count is right: the query left the user out."""
    path = lab / "rocks.out"
    lines = path.read_text().splitlines()
    kept = [line for line in lines if not re.match(r"\| .. \| +7 \|", line)]
    path.write_text("\n".join(kept) + "\n")
    announce(path, 360 - (len(lines) - len(kept)))
    edit(lab / "report.json", '"rocks_groups": 40', '"rocks_groups": 39')
    failed = failures(lab)
    assert set(failed) == {7}
    assert "39 users at its end, but 40 in the CSV: user 7 is missing" in failed[7]


def test_a_window_that_differs_by_one(lab):
    edit(lab / "window.out", r"\b57967 \|", "57968 |")
    failed = failures(lab)
    assert set(failed) == {6}
    assert ("the window at 2026-01-01 00:10:00 has 22 orders and 57968, but the CSV gives 22 and "
            "57967") in failed[6]


def test_the_last_window_missing(lab):
    drop_line(lab / "window.out", rows_of(lab / "window.out", "+I")[-1][0])
    assert "the window at 2026-01-01 01:40:00 is missing" in failures(lab)[6]


@pytest.mark.parametrize("op", ["+I", "-U", "+U"])
@pytest.mark.parametrize("adjusted", [False, True])
def test_a_row_lost_in_the_changelog(lab, op, adjusted):
    """Every row of the changelog matters, also where the client's count is adjusted to hide it."""
    path = lab / "rocks.out"
    whole = path.read_text()
    for number, _ in rows_of(path, op)[::9]:
        path.write_text(whole)
        drop_line(path, number)
        if adjusted:
            announce(path, 359)
        failed = failures(lab)
        assert 7 in failed and failed[7].startswith("rocks.out: "), (number, failed)


def test_the_reason_of_a_lost_row(lab):
    path = lab / "rocks.out"
    number, line = rows_of(path, "+U")[0]
    drop_line(path, number)
    failed = failures(lab)
    assert "takes away a row that is not there (14, 2, 4573): the changelog lacks" in failed[7]
    outcome = run("report", lab)
    assert outcome.returncode == 2 and "rocks.out: line" in outcome.stderr


def test_a_wrong_job_name(lab):
    edit(lab / "rocks-job.json", "flk-state-rocks", "insert-into_default", count=0)
    failed = failures(lab)
    assert set(failed) == {7}
    assert "the job is called 'insert-into_default', expected flk-state-rocks" in failed[7]


def test_another_csv(lab):
    csv = lab / "csv" / "state_orders.csv"
    drop_line(csv, 200)
    outcome = run("grade", lab, f"--data={lab / 'csv'}", "--format=json")
    failed = {s["step"] for s in json.loads(outcome.stdout)["steps"] if not s["passed"]}
    assert failed == {6, 7}


@pytest.mark.parametrize("name, steps", [
    ("calc-plan.json", {1}), ("agg-plan.json", {2, 8}), ("agg-ttl-plan.json", {3}),
    ("join-hint-plan.json", {4, 8}), ("cascade-plan.json", {5, 8}), ("window-plan.json", {6, 8}),
    ("window.out", {6}), ("rocks.out", {7, 8}), ("rocks-job.json", {7}),
    ("rocks-ckpt.json", {7, 8}), ("report.json", {8})])
@pytest.mark.parametrize("spoil", ["missing", "cut", "garbage"])
def test_a_missing_or_broken_file_fails_its_steps(lab, name, steps, spoil):
    path = lab / name
    text = path.read_text()
    path.unlink()
    if spoil == "cut":
        path.write_text(text[:len(text) // 2])
    elif spoil == "garbage":
        path.write_bytes(b"\x00\xff\x1b[2J{]" * 50)
    failed = failures(lab)
    assert set(failed) == steps
    assert all(name in reason for reason in failed.values())
    assert "\x1b" not in grade(lab).stdout


def test_an_error_that_curl_saved(lab):
    (lab / "rocks-job.json").write_text('{"errors":["Job bdb2 not found"]}')
    assert "an error of Flink's: Job bdb2 not found" in failures(lab)[7]


@pytest.mark.parametrize("arguments, needle", [
    (["report"], "report takes one folder"),
    (["report", LAB, LAB], "report takes one folder"),
    (["report", LAB, "--format=yaml"], "--format"),
    (["report", LAB, "--data=x"], "--data"),
    (["report", "/nowhere"], "/nowhere/agg-plan.json"),
    (["grade", LAB], "--data"),
    (["grade", LAB, "--data=/nowhere"], "/nowhere/state_orders.csv"),
    (["grade", "/nowhere", f"--data={LAB / 'csv'}"], "/nowhere: not a folder"),
    (["grade", f"--data={LAB / 'csv'}"], "grade takes one folder"),
    (["grade", LAB, f"--data={LAB / 'csv'}", "--format=yaml"], "--format"),
])
def test_usage(arguments, needle):
    outcome = run(*arguments)
    assert outcome.returncode == 2 and outcome.stdout == ""
    assert len(outcome.stderr.splitlines()) == 1 and needle in outcome.stderr


def test_a_broken_csv_is_unusable(lab):
    (lab / "csv" / "state_orders.csv").write_text("1,2,x,2026-01-01 00:00:00\n")
    outcome = run("grade", lab, f"--data={lab / 'csv'}")
    assert outcome.returncode == 2 and outcome.stdout == ""
    assert "state_orders.csv: line 1: amount is not a number" in outcome.stderr
