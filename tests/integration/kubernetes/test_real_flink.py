"""A real Flink, found through its Service, its jobs matched with plans from ConfigMaps; findings and
Events out."""

import base64
import gzip
import pathlib

import pytest

from fleet import FleetSidecar, plan_map, service
from harness import demo_jobs
from harness.flink import FlinkCluster

VERSION = "2.3.0"
JOBS = ("user-totals", "cascade")
RESTART_SECONDS = 60


@pytest.fixture(scope="module")
def flink(tmp_path_factory):
    with FlinkCluster(VERSION, tmp_path_factory.mktemp("flink") / "flink") as cluster:
        demo_jobs.submit(cluster, JOBS)
        cluster.wait_checkpoints(JOBS, count=1)
        yield cluster


def test_jobs_plans_findings_and_events(kube, namespace, flink, tmp_path):
    plans = {path.name: path.read_text(encoding="utf-8")
             for path in pathlib.Path(flink.plan_dir).glob("*.json")}
    by_job = {job: next(name for name in plans if name.startswith(job)) for job in JOBS}
    made = kube.create("services", namespace, service("jm", flink.url))
    name = f"{namespace}/jm"
    kube.create("configmaps", namespace, plan_map(
        "totals", {by_job["user-totals"]: plans[by_job["user-totals"]]}))
    packed = base64.b64encode(gzip.compress(plans[by_job["cascade"]].encode())).decode()
    kube.create("configmaps", namespace, plan_map(
        "cascade", packed={by_job["cascade"] + ".gz": packed}, cluster="jm"))

    with FleetSidecar(kube, tmp_path, f"--kubernetes_namespaces={namespace}",
                      "--kubernetes_events", rights=("discovery", "events")) as side:
        def matched():
            jobs = {job["name"]: job for job in side.api("operators")["jobs"]}
            return jobs if all(jobs.get(job, {}).get("plan") for job in JOBS) else None

        side.wait("readiness", side.ready)
        jobs = side.wait("both plans", matched, RESTART_SECONDS)
        assert jobs["user-totals"]["cluster"] == name
        assert jobs["user-totals"]["plan"] == f"{namespace}/totals/{by_job['user-totals']}"
        assert jobs["cascade"]["plan"] == f"{namespace}/cascade/{by_job['cascade']}.gz"
        assert any(operator["matched_by"] == "uid" for operator in jobs["cascade"]["operators"])

        findings = side.api("findings")["findings"]
        expected = [finding for finding in findings if finding["severity"] != "info"]
        assert any(finding["code"] == "ttl-from-job-default" and finding["job"] == "cascade"
                   for finding in expected), findings
        assert {finding["cluster"] for finding in findings} == {name}

        def written():
            events = kube.list("events", namespace)
            return {event["reason"] for event in events} >= {"TtlFromJobDefault"} and events
        events = side.wait("the Events", written)
        assert {event["regarding"]["uid"] for event in events} == {made["metadata"]["uid"]}
        assert len(events) == len({(finding["job"], finding["code"]) for finding in expected})
        sizes = side.series("flink_state_size_bytes")
        assert any(f'cluster="{name}"' in labels and 'flink_job="cascade"' in labels
                   for labels in sizes)
