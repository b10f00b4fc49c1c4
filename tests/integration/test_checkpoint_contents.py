"""`scan --checkpoint_root`: sizes of single operators and TTL on or off, read out of the checkpoints
that a real Flink writes, beside the compiled plan and without one."""

import json
import re
import shutil

import pytest

from harness import sidecar
from harness.processes import wait_until
from test_checkpoint_reader import (  # noqa: F401  (folder: a fixture)
    JOBS, details, folder, local_path)


def root_of(lab):
    """The folder that all of the cluster's checkpoints lie in."""
    job_id = lab.cluster.jobs()[JOBS[0]]["jid"]
    row = lab.cluster.get(f"/jobs/{job_id}/checkpoints")["latest"]["completed"]
    return local_path(row["external_path"]).parents[1]


def scan(lab, plans, root, *flags):
    code, out, err = sidecar.run("scan", f"--jobmanager_url={lab.cluster.url}",
                                 f"--plan_dir={plans}", f"--checkpoint_root={root}",
                                 "--fail_on=never", "--format=json", *flags)
    assert code == 0, err
    answer = json.loads(out)
    return {job["name"]: job for job in answer["jobs"] if job["name"] in JOBS}, answer, err


def whole(lab, plans):
    """The jobs, once a checkpoint of each was read."""
    def read():
        jobs, answer, err = scan(lab, plans, root_of(lab), "--polls=5", "--poll_interval=1s")
        read_of = [name for name, job in jobs.items() if "checkpoint_read_id" in job]
        return len(read_of) == len(JOBS) and (jobs, answer, err)
    return wait_until("all checkpoints read", read, 60, every=0.5)


@pytest.fixture(scope="module")
def scanned(lab, folder):  # noqa: F811
    return whole(lab, folder)


@pytest.fixture(scope="module")
def rest(lab, scanned):
    """By job name, REST's sizes in the checkpoint that was read."""
    return {name: details(lab, job["job_id"], job["checkpoint_read_id"])["tasks"]
            for name, job in scanned[0].items()}


def entries(job):
    return {(operator["kind"], entry["name"]): entry
            for operator in job["operators"] for entry in operator["state"]}


@pytest.mark.parametrize("name", JOBS)
def test_operators_of_a_chain_add_up_to_the_vertex(scanned, rest, name):
    job = scanned[0][name]
    vertices = {operator["vertex_id"] for operator in job["operators"]}
    most = 0
    for vertex in vertices:
        chain = [operator for operator in job["operators"] if operator["vertex_id"] == vertex]
        sizes = [operator["operator_size_bytes"] for operator in chain
                 if "operator_size_bytes" in operator]
        assert sum(sizes) == rest[name][vertex]["state_size"], chain
        most = max(most, sum(size > 0 for size in sizes))
    assert most > 1, "the join and the file writer behind it share a chain"


@pytest.mark.parametrize("name", JOBS)
def test_operators_inside_chains_are_matched_by_uid(scanned, name):
    job = scanned[0][name]
    for operator in job["operators"]:
        if operator["kind"] in ("calc", "join", "group-aggregate", "deduplicate"):
            assert operator["matched_by"] == "uid", operator
            assert re.fullmatch("[0-9a-f]{32}", operator["operator_id"])


@pytest.mark.parametrize("name", JOBS)
def test_ttl_on_or_off_is_the_plans(scanned, name):
    found = entries(scanned[0][name])
    assert len(found) == 4  # two GROUP BY are one key here
    for key, entry in found.items():
        assert entry["ttl_enabled"] == (entry["ttl_ms"] > 0), key
    drift = [finding for finding in scanned[1]["findings"] if finding["code"] == "ttl-drift"]
    assert drift == []


def test_without_a_plan_the_checkpoint_tells(lab, folder, tmp_path):  # noqa: F811
    jobs, answer, _ = whole(lab, tmp_path)
    forever = {}
    for finding in answer["findings"]:
        if finding["code"] == "forever-state":
            forever.setdefault(finding["job"], []).append(finding["message"])
    for name in JOBS:
        enabled = {key: entry["ttl_enabled"] for key, entry in entries(jobs[name]).items()}
        assert enabled.pop(("join", "rightState")) is True
        if name.startswith("on-"):
            assert all(enabled.values()), name
            assert name not in forever
        else:
            assert enabled and not any(enabled.values()), name
            assert all("the checkpoint shows no TTL" in message for message in forever[name])


def test_a_plan_that_the_job_does_not_run_is_told(lab, folder, tmp_path):  # noqa: F811
    for name in ("on-rocks", "mixed-hashmap"):
        shutil.copy(folder / f"{name}.json", tmp_path)
    for name, old, new in (("on-rocks", '"1 h"', '"0 ms"'), ("mixed-hashmap", '"0 ms"', '"1 h"')):
        file = tmp_path / f"{name}.json"
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    def told():
        answer = scan(lab, tmp_path, root_of(lab))[1]
        drift = {(finding["job"], finding["operator"].split("[")[0], finding["state"]):
                 finding["message"]
                 for finding in answer["findings"] if finding["code"] == "ttl-drift"}
        return len(drift) == 7 and drift
    drift = wait_until("both drifts", told, 60, every=0.5)
    assert all("shows a TTL" in text for (job, _, _), text in drift.items() if job == "on-rocks")
    assert all("shows no TTL" in text for (job, _, _), text in drift.items()
               if job == "mixed-hashmap")
    assert ("mixed-hashmap", "Join", "rightState") not in drift


def test_what_no_root_reaches_is_told_once_and_the_rest_goes_on(lab, folder, tmp_path):  # noqa: F811
    jobs, _, err = scan(lab, folder, tmp_path, "--polls=3", "--poll_interval=1s")
    assert err.count("checkpoints cannot be reached") == 1, err
    assert set(jobs) == set(JOBS)
    assert all("checkpoint_read_id" not in job for job in jobs.values())
    assert all("size_bytes" in json.dumps(job) for job in jobs.values())
