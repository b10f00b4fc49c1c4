"""/metrics agrees with /api, satisfies promtool, and a real Prometheus takes it."""

import math
import subprocess

from harness import demo_jobs, rest
from harness.processes import wait_until
from readings import same_moment, series, sizes_by_vertex


def test_sizes_and_ttls_are_those_of_the_api(lab):
    metrics, jobs, _ = same_moment(lab.sidecar)
    for name, index in (("flink_state_size_bytes", 0), ("flink_state_checkpointed_bytes", 1)):
        exported = {(labels["job_id"], labels["vertex_id"]): value
                    for labels, value in series(metrics, name)}
        expected = {(job["job_id"], vertex): sizes[0][index]
                    for job in jobs for vertex, sizes in sizes_by_vertex(job).items() if sizes}
        assert exported == expected and expected
    exported = {(labels["job_id"], labels["vertex_id"], labels["operator"], labels["state"]): value
                for labels, value in series(metrics, "flink_state_ttl_seconds")}
    expected = {(job["job_id"], operator["vertex_id"], operator["operator"], entry["name"]):
                entry["ttl_ms"] / 1000 if entry["ttl_ms"] else math.inf
                for job in jobs for operator in job["operators"] for entry in operator["state"]
                if "ttl_ms" in entry}
    assert exported == expected and math.inf in expected.values()


def test_findings_and_jobs_are_those_of_the_api(lab):
    metrics, jobs, findings = same_moment(lab.sidecar)
    exported = sorted((labels["job_id"], labels["code"], labels["severity"])
                      for labels, value in series(metrics, "flink_state_finding"))
    assert exported == sorted((finding.get("job_id", ""), finding["code"], finding["severity"])
                              for finding in findings)
    # By id: a name that is a whole statement is cut in the label.
    shown = {labels["job_id"]: labels["flink_job"]
             for labels, _ in series(metrics, "flink_state_job_info")}
    assert shown.keys() == {job["job_id"] for job in jobs}
    assert set(shown.values()) >= set(demo_jobs.JOBS)
    for job in jobs:
        if len(job["name"].encode()) <= 128:
            assert shown[job["job_id"]] == job["name"]
    assert [value for _, value in series(metrics, "flink_state_up")] == [1]


def test_labels_leave_job_and_instance_to_prometheus(lab):
    for line in lab.sidecar.metrics().splitlines():
        assert "{job=" not in line and ",job=" not in line
        assert "{instance=" not in line and ",instance=" not in line


def test_promtool_has_nothing_to_say(lab):
    done = subprocess.run(["promtool", "check", "metrics"], input=lab.sidecar.metrics(), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_real_prometheus_scrapes_it(lab):
    lab.prometheus.wait_scraped()

    def sizes():
        answer = lab.prometheus.query("flink_state_size_bytes")
        return answer if {labels["flink_job"] for labels, _ in answer or []} >= set(
            demo_jobs.JOBS) else None
    for labels, _ in wait_until("sizes in Prometheus", sizes, 30):
        assert labels["job"] == "flink-state-sidecar"
        assert "exported_job" not in labels and "exported_instance" not in labels

    def forever():
        answer = lab.prometheus.query("flink_state_ttl_seconds == +Inf")
        return {labels["flink_job"] for labels, _ in answer or []} >= {"user-totals", "order-board"}
    wait_until("+Inf for what is kept for ever", forever, 30)


def test_the_pages_for_probes(lab):
    for path in ("/healthz", "/readyz", "/api/v1/jobs"):
        rest.get(lab.sidecar.url + path)
