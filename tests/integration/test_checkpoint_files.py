"""Checkpoints on a mounted folder, by the addresses that a real Flink gives them."""

import pathlib
import time
import urllib.parse

import pytest

from harness import demo_jobs
from store_driver import Driver, hash_of


def path_of(address):
    return pathlib.Path(urllib.parse.urlsplit(address).path)


def newest(cluster, name):
    """The address of the `_metadata` of a job's newest checkpoint, as REST knows it."""
    job_id = cluster.jobs()[name]["jid"]
    answer = cluster.get(f"/jobs/{job_id}/checkpoints")["latest"]["completed"]
    return answer["external_path"] + "/_metadata"


@pytest.mark.parametrize("name", sorted(demo_jobs.JOBS))
def test_what_rest_gives_is_opened(lab, name):
    """REST is up to 3 s late (web.refresh-interval), and Flink keeps the newest checkpoint
    alone, a new one every 2 s: often it is gone. Right after a refresh it is not."""
    root = lab.cluster.workdir / "checkpoints"
    with Driver(root.as_uri()) as driver:
        deadline = time.monotonic() + 20
        while True:
            address = newest(lab.cluster, name)
            opened = driver.open(address, 10**9)
            if opened.ok or time.monotonic() > deadline:
                break
            assert opened.code == "not-found", opened
            time.sleep(0.05)
        assert opened.ok and opened.bytes == opened.size > 100, opened
        head = driver.open(address, 4)
        # Flink's magic number, 0x4960672d.
        assert head.code == "not-found" if not head.ok else head.hash == hash_of(b"\x49\x60\x67\x2d")


def test_a_savepoint_stays_and_a_mapping_finds_it(lab, tmp_path):
    job_id = lab.cluster.jobs()["user-totals"]["jid"]
    address = lab.cluster.savepoint(job_id) + "/_metadata"
    content = path_of(address).read_bytes()
    savepoints = lab.cluster.workdir / "savepoints"
    (tmp_path / "mounted here").symlink_to(savepoints)
    mapping = f"{savepoints.as_uri()}={tmp_path}/mounted here"
    for roots in (savepoints.as_uri(), str(savepoints), mapping, str(lab.cluster.workdir)):
        with Driver(roots) as driver:
            for spelling in (address, str(path_of(address))):
                opened = driver.open(spelling, 10**9)
                assert opened.ok and opened.size == len(content), (roots, opened)
                assert opened.hash == hash_of(content)
    with Driver(f"{lab.cluster.workdir}/checkpoints") as driver:
        assert driver.open(address).code == "invalid-argument"
