"""Sizes are REST's, for the same checkpoint."""

import pytest

from harness import demo_jobs, sidecar
from harness.processes import wait_until
from readings import sizes_by_vertex


def rest_sizes(cluster, job):
    """What Flink says of the checkpoint that the report names: vertex id → (full, written)."""
    details = cluster.get(f"/jobs/{job['job_id']}/checkpoints/details/{job['checkpoint_id']}")
    # Flink may answer with another job's checkpoint of that number.
    assert job["job_id"] in details["external_path"]
    assert not details["is_savepoint"]
    return {vertex: (task["state_size"], task["checkpointed_size"])
            for vertex, task in details["tasks"].items()}


@pytest.mark.parametrize("name", demo_jobs.JOBS)
def test_every_vertex_has_the_sizes_of_rest(lab, name):
    job = lab.sidecar.jobs()[name]
    expected = rest_sizes(lab.cluster, job)
    assert sizes_by_vertex(job) == {vertex: [sizes] for vertex, sizes in expected.items()}


def test_scan_says_the_same(lab):
    code, document = sidecar.scan(lab.cluster.url, lab.cluster.plan_dir, "--fail_on=never")
    assert code == 0
    jobs = {job["name"]: job for job in document["jobs"]}
    for name in demo_jobs.JOBS:
        expected = rest_sizes(lab.cluster, jobs[name])
        assert sizes_by_vertex(jobs[name]) == {v: [sizes] for v, sizes in expected.items()}


def test_stateful_operators_have_bytes_and_filters_none(lab):
    jobs = lab.sidecar.jobs()
    for name in set(demo_jobs.JOBS) - {"large-orders"}:
        assert sum(sizes[0][0] for sizes in sizes_by_vertex(jobs[name]).values()) > 0, name
    assert all(sizes == [(0, 0)] for sizes in sizes_by_vertex(jobs["large-orders"]).values())


def test_a_savepoint_is_not_taken_for_a_checkpoint(lab):
    job_id = lab.sidecar.jobs()["cascade"]["job_id"]
    lab.cluster.savepoint(job_id)
    savepoint = wait_until("the savepoint in REST", lambda: lab.cluster.get(
        f"/jobs/{job_id}/checkpoints")["latest"]["savepoint"], 20)

    def reported():
        job = lab.sidecar.jobs()["cascade"]
        return job if job["checkpoint_id"] >= savepoint["id"] else None
    job = wait_until("a checkpoint after the savepoint", reported, 30)
    assert job["checkpoint_id"] != savepoint["id"]
    expected = rest_sizes(lab.cluster, job)
    assert sizes_by_vertex(job) == {vertex: [sizes] for vertex, sizes in expected.items()}
