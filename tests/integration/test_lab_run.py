"""docs/lab on a real Flink: what its SQL saves passes `grade`; what people do wrong does not."""

import json
import shutil
import subprocess

import pytest

from harness import lab as lab_run
from harness import sidecar
from harness.processes import HarnessError

STEPS = ["filter", "group-by", "group-by-ttl", "join-hints", "cascade", "window", "rocks", "report"]

# Each step's SQL as somebody wrote it who did not know, and what grade says of it.
MISTAKES = {
    "calc": [("amount * 2 FROM orders WHERE amount > 1000",
              "SUM(amount) FROM orders WHERE amount > 1000 GROUP BY order_id")],  # no mere filter
    "agg": [("COMPILE PLAN", "SET 'table.exec.state.ttl' = '30 min';\nCOMPILE PLAN")],
    "agg-ttl": [("SET 'table.exec.state.ttl' = '30 min';\n", ""),
                ("GROUP BY user_id;", "GROUP BY user_id;\nSET 'table.exec.state.ttl' = '30 min';")],
    "join-hint": [(", 'p' = '2h'", "")],
    "cascade": [(", 'u' = '7d'", "")],
    "window": [("INTERVAL '10' MINUTE", "INTERVAL '5' MINUTE")],
    "rocks": [("SET 'state.backend.type' = 'rocksdb';\n", "")],
}
REASONS = {
    1: "calc-plan.json",
    2: "groupAggregateState is 30 min, expected 0 ms",
    3: "groupAggregateState is 0 ms, expected 30 min",
    4: "rightState is 30 min, expected 2 h",
    5: "rightState of the second join is 30 min, expected 7 d",
    6: "window.out",
    7: "state_backend is HashMapStateBackend, expected EmbeddedRocksDBStateBackend",
}


def grade(folder, csv):
    code, out, error = sidecar.run("grade", folder, f"--data={csv}", "--format=json")
    assert error == ""
    graded = json.loads(out)
    assert [step["name"] for step in graded["steps"]] == STEPS
    return code, {step["step"]: step["reason"] for step in graded["steps"] if not step["passed"]}


@pytest.fixture(scope="module")
def csv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "csv"
    lab_run.make_csv(folder)
    return folder


@pytest.fixture(scope="module")
def saved(lab, csv, tmp_path_factory):
    """What the lab's SQL saves on this version."""
    folder = tmp_path_factory.mktemp(f"lab-{lab.cluster.version}") / "state"
    lab_run.save(lab.cluster, csv, folder)
    lab_run.write_report(folder)
    return folder


def test_a_real_run_passes(saved, csv):
    assert grade(saved, csv) == (0, {})
    report = json.loads((saved / "report.json").read_text())
    assert report == {"default_ttl": "0 ms", "join_left_ttl": "1 d", "join_right_ttl": "2 h",
                      "cascade_second_left_ttl": "30 min", "window_state_entries": 0,
                      "state_backend": "EmbeddedRocksDBStateBackend", "rocks_groups": 40}


def test_mistakes_are_named(lab, saved, csv, tmp_path):
    def edit(name, text):
        for old, new in MISTAKES[name]:
            assert old in text
            text = text.replace(old, new)
        if name == "rocks":  # the tests' cluster has rocksdb by default, a user's has not
            text = "SET 'state.backend.type' = 'hashmap';\n" + text
        return text
    folder = tmp_path / "state"
    lab_run.save(lab.cluster, csv, folder, edit=edit)
    (folder / "report.json").write_text((saved / "report.json").read_text())  # stale
    code, failed = grade(folder, csv)
    assert code == 1
    assert set(failed) == {*REASONS, 8}
    for step, reason in REASONS.items():
        assert reason in failed[step]
    assert "the artefacts say" in failed[8]


def test_a_hint_by_table_name_where_there_is_an_alias(lab, saved, csv, tmp_path):
    """Flink refuses it, so that there is no plan, or the one from before."""
    folder = tmp_path / "state"
    shutil.copytree(saved, folder)
    (folder / "join-hint-plan.json").unlink()
    text = lab_run.sql("join-hint", csv, folder).replace("'o'", "'orders'").replace("'p'", "'payments'")
    with pytest.raises(HarnessError, match="cannot match the name of input tables"):
        lab.cluster.sql(text, init=lab_run.sql("ddl", csv, folder))
    code, failed = grade(folder, csv)
    assert (code, set(failed)) == (1, {4, 8})
    assert "join-hint-plan.json" in failed[4]


def test_a_batch_run_is_told(lab, saved, csv, tmp_path):
    """Everything else is as it should be."""
    folder = tmp_path / "state"
    shutil.copytree(saved, folder)
    lab_run.save(lab.cluster, csv, folder, steps=["rocks"], edit=lambda name, text: text.replace(
        "'execution.runtime-mode' = 'streaming'", "'execution.runtime-mode' = 'batch'"))
    code, failed = grade(folder, csv)
    assert code == 1
    assert set(failed) == {7, 8}
    assert "batch" in failed[7]


def test_the_csv_of_a_seed_is_always_the_same(csv, tmp_path):
    lab_run.make_csv(tmp_path / "again")
    for file in csv.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()
    subprocess.run([lab_run.LAB / "make_csv", tmp_path / "other", "--seed=2"], check=True)
    other = (tmp_path / "other" / "state_orders.csv").read_text()
    assert other != (csv / "state_orders.csv").read_text()
