"""The page in front of many clusters, in a real Chromium: one of them dead, two with the same job id."""

import pytest
from fake_jobmanager import FakeJobManager

from fleet import FleetSidecar, service


@pytest.fixture
def side(kube, namespace, tmp_path):
    with FleetSidecar(kube, tmp_path, f"--kubernetes_namespaces={namespace}") as fleet:
        fleet.wait("readiness", fleet.ready)
        yield fleet


def test_no_cluster_is_said(browser, side):
    seen = browser.run("look", url=side.url + "/")
    assert seen["heading"] == "No job is here"


def test_each_cluster_has_its_jobs_and_the_dead_one_is_named(browser, kube, namespace, side):
    """Both JobManagers have a job with the id 1, as jobs of an application cluster have zeros."""
    names = {which: f"{namespace}/{which}" for which in ("left", "right", "dead")}
    with FakeJobManager(jobs=1) as left, FakeJobManager(jobs=2) as right:
        kube.create("services", namespace, service("left", left.url))
        kube.create("services", namespace, service("right", right.url))
        kube.create("services", namespace, service("dead", "http://127.0.0.1:1"))
        side.wait("all clusters", lambda: side.up() == {
            names["left"]: 1, names["right"]: 1, names["dead"]: 0})
        browser.run("open", visit="fleet", url=side.url + "/")
        browser.run("wait", visit="fleet", selector="#health", pattern="2 of 3 clusters answer")
        trouble = browser.run("wait", visit="fleet", selector="#trouble", pattern=names["dead"])
        assert trouble.count("does not answer") == 1 and "Nothing is known of its jobs" in trouble
        rows = browser.run("wait", visit="fleet", selector="ol.jobs", pattern=names["right"])
        assert rows.count(names["right"]) == 2 and rows.count(names["left"]) == 1
        clusters = browser.run("wait", visit="fleet", selector=".clusters", pattern=names["dead"])
        assert clusters.index(names["dead"]) < clusters.index(names["left"]), "the dead one first"
        browser.run("close", visit="fleet")

        for which in ("left", "right"):
            [job, *_] = side.api(f"jobs?cluster={names[which]}")["jobs"]
            seen = browser.run("look", url=side.url + "/",
                               hash=f"#/job/{namespace}%2F{which}/{job['job_id']}")
            assert seen["heading"] == job["name"]
            assert names[which] in seen["text"]
