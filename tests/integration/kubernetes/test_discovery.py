"""Clusters and plans in Kubernetes: found, changed, gone; and the API server at its worst."""

import base64
import gzip
import json
import pathlib
import time

import pytest
from fake_jobmanager import FakeJobManager

from fleet import FleetSidecar, deployment, plan_map, service

PLAN = json.dumps({"flinkVersion": "2.3", "edges": [], "nodes": [
    {"id": 1, "type": "stream-exec-values_1", "description": "Values"}]})


@pytest.fixture
def jobmanager():
    with FakeJobManager(jobs=2) as fake:
        yield fake


@pytest.fixture
def side(kube, namespace, tmp_path):
    with FleetSidecar(kube, tmp_path, f"--kubernetes_namespaces={namespace}") as fleet:
        fleet.wait("readiness", fleet.ready)
        yield fleet


def test_clusters_come_change_and_go(kube, namespace, side, jobmanager):
    assert side.up() == {}
    assert side.api("jobs") == {"jobs": [], "up": True, "stale": False}
    kube.create("services", namespace, service("jm", jobmanager.url))
    name = f"{namespace}/jm"
    side.wait("the Service's cluster", lambda: side.up() == {name: 1})
    jobs = side.api("jobs")["jobs"]
    assert [job["cluster"] for job in jobs] == [name, name]

    with FakeJobManager(jobs=3) as other:
        kube.create("flinkdeployments", namespace, deployment("orders", other.url))
        side.wait("the deployment's", lambda: side.up() == {name: 1, f"{namespace}/orders": 1})
        assert len(side.api("jobs")["jobs"]) == 5
        assert len(side.api(f"jobs?cluster={namespace}/orders")["jobs"]) == 3
        clusters = {row["cluster"]: row for row in side.api("clusters")["clusters"]}
        assert clusters[f"{namespace}/orders"]["jobs"] == 3

        # Another address: the annotation is changed.
        kube.patch("services", namespace, "jm", {"metadata": {"annotations": {
            "flink-state-sidecar/rest-url": other.url}}})
        side.wait("the other address",
                  lambda: len(side.api(f"jobs?cluster={name}")["jobs"]) == 3)

        # Suspended on purpose: nobody is to be woken.
        kube.patch("flinkdeployments", namespace, "orders", {"spec": {"job": {
            "state": "suspended"}}})
        side.wait("the suspension", lambda: side.up() == {name: 1})
        kube.delete("services", namespace, "jm")
        side.wait("no cluster", lambda: side.up() == {})


def test_one_cluster_that_is_dead_is_said_to_be(kube, namespace, side, jobmanager):
    kube.create("services", namespace, service("good", jobmanager.url))
    kube.create("services", namespace, service("dead", "http://127.0.0.1:1"))
    kube.create("services", namespace, service("odd", "no url at all"))
    side.wait("all three", lambda: side.up() == {f"{namespace}/good": 1, f"{namespace}/dead": 0,
                                                 f"{namespace}/odd": 0})
    document = side.api("jobs")
    assert document["up"] is False and document["error"]


def test_a_session_jobs_cluster_is_its_deployment(kube, namespace, side, jobmanager):
    kube.create("flinkdeployments", namespace, deployment("session", jobmanager.url))
    kube.create("flinksessionjobs", namespace, {
        "apiVersion": "flink.apache.org/v1beta1", "kind": "FlinkSessionJob",
        "metadata": {"name": "job"}, "spec": {"deploymentName": "session"}})
    side.wait("one cluster", lambda: side.up() == {f"{namespace}/session": 1})
    time.sleep(1)
    assert side.up() == {f"{namespace}/session": 1}


def plans(side):
    found = side.series("flink_state_sidecar_plans")
    return found.get('state="loaded"'), found.get('state="unreadable"')


def test_plans_come_change_and_go(kube, namespace, side):
    packed = base64.b64encode(gzip.compress(PLAN.replace("Values", "Other").encode())).decode()
    kube.create("configmaps", namespace, plan_map("free", {"a.json": PLAN}))
    kube.create("configmaps", namespace, plan_map("packed", packed={"b.json.gz": packed}))
    side.wait("two plans", lambda: plans(side) == (2, 0))
    kube.patch("configmaps", namespace, "free", {"data": {"c.json": "no plan"}})
    side.wait("a broken one", lambda: plans(side) == (2, 1))
    kube.delete("configmaps", namespace, "free")
    side.wait("one plan", lambda: plans(side) == (1, 0))
    kube.create("configmaps", namespace, {"metadata": {"name": "other"}, "data": {"a.json": PLAN}})
    time.sleep(1)
    assert plans(side) == (1, 0), "a ConfigMap without the label is nobody's plan"


def test_rights_taken_away_and_given_back(kube, namespace, side, jobmanager):
    kube.create("services", namespace, service("jm", jobmanager.url))
    name = f"{namespace}/jm"
    side.wait("the cluster", lambda: side.up() == {name: 1})
    assert side.healthy() == 1
    kube.unbind(side.binding("discovery"))
    # A watch that goes on is not cut; the server's restart ends all of them.
    kube.kill_apiserver()
    kube.start_apiserver()
    side.wait("the refusal", lambda: side.healthy() == 0)
    side.wait("the reason", lambda: "403" in side.log())
    polls = side.series("flink_state_sidecar_poll_duration_seconds_count")
    time.sleep(3)
    assert side.up() == {name: 1}, "what is known is polled on"
    assert side.series("flink_state_sidecar_poll_duration_seconds_count") != polls
    kube.create("services", namespace, service("later", jobmanager.url))
    kube.bind(side.binding("discovery"), side.subject)
    side.wait("the right again", lambda: side.healthy() == 1)
    side.wait("what came meanwhile", lambda: side.up() == {name: 1, f"{namespace}/later": 1})
    refusals = [line for line in side.log().splitlines() if "403" in line]
    assert len(refusals) == 5, "once for each thing that is watched"


def test_an_api_server_that_is_killed(kube, namespace, side, jobmanager):
    kube.create("services", namespace, service("jm", jobmanager.url))
    name = f"{namespace}/jm"
    side.wait("the cluster", lambda: side.up() == {name: 1})
    kube.kill_apiserver()
    side.wait("the trouble", lambda: side.healthy() == 0)
    time.sleep(2)
    assert side.up() == {name: 1}
    kube.start_apiserver()
    side.wait("its return", lambda: side.healthy() == 1)
    kube.delete("services", namespace, "jm")
    side.wait("a change after it", lambda: side.up() == {})


def test_a_resource_version_that_is_gone(kube, namespace, side):
    """The API server forgets what the watch would resume from: 410, and a list anew."""
    kube.create("configmaps", namespace, plan_map("one", {"a.json": PLAN}))
    side.wait("the plan", lambda: plans(side) == (1, 0))
    kube.kill_apiserver()
    side.wait("the trouble", lambda: side.healthy() == 0)
    # While the sidecar's watch is away: changes, and etcd forgets them.
    side.process.pause()
    kube.start_apiserver()
    kube.delete("configmaps", namespace, "one")
    for number in range(5):
        kube.create("configmaps", namespace, plan_map(f"new-{number}", {
            "a.json": PLAN.replace("Values", f"Values{number}")}))
    kube.compact()
    side.process.resume()
    side.wait("the list anew", lambda: plans(side) == (5, 0))
    side.wait("everything else", lambda: side.healthy() == 1)


def test_a_token_that_is_rotated(kube, namespace, side, jobmanager):
    kube.create("services", namespace, service("jm", jobmanager.url))
    side.wait("the cluster", lambda: side.up() == {f"{namespace}/jm": 1})
    # The old token's account is gone, and with it the token; watches end with the server.
    kube.delete("serviceaccounts", *side.subject)
    kube.service_account(*side.subject)
    kube.kill_apiserver()
    kube.start_apiserver()
    side.wait("401", lambda: side.healthy() == 0)
    side.rotate_token()
    side.wait("the new token", lambda: side.healthy() == 1)
    kube.delete("services", namespace, "jm")
    side.wait("a change with the new token", lambda: side.up() == {})


def test_without_crds(tmp_path, jobmanager):
    """A server without Flink's CRDs, which are installed later."""
    from harness.kube import KubeCluster  # a server of its own: CRDs are for all
    with KubeCluster(tmp_path) as bare:
        bare.namespace("default")
        bare.namespace("x")
        bare.create("services", "x", service("jm", jobmanager.url))
        with FleetSidecar(bare, tmp_path) as side:
            side.wait("readiness", side.ready)
            side.wait("the Service", lambda: side.up() == {"x/jm": 1})
            assert side.healthy() == 1, "no CRD is no trouble"
            bare.install_flink_crds()
            bare.create("flinkdeployments", "x", deployment("orders", jobmanager.url))
            side.wait("the deployment", lambda: side.up() == {"x/jm": 1, "x/orders": 1}, 90)


def test_flags_that_do_not_go_together(kube, tmp_path):
    from harness.sidecar import run
    for flags, said in (
            (["--kubernetes", "--jobmanager_url=http://x"], "--jobmanager_url"),
            (["--kubernetes", "--record_dir=/tmp/x"], "--record_dir"),
            (["--shard=0/2"], "--shard"),
            (["--kubernetes"], "--kubernetes"),
            (["--kubernetes", f"--kubernetes_api_server={kube.url}", "--shard=3/2"], "--shard"),
            (["--kubernetes", f"--kubernetes_api_server={kube.url}",
              "--kubernetes_ca_file=/nowhere"], "--kubernetes_ca_file"),
            (["--kubernetes", "--kubernetes_api_server=ftp://x"], "--kubernetes_api_server"),
            (["--kubernetes", f"--kubernetes_api_server={kube.url}",
              "--kubernetes_namespaces=A_b"], "--kubernetes_namespaces")):
        code, out, err = run("serve", "--listen=127.0.0.1:0", *flags)
        assert code == 2, (flags, err)
        assert out == "" and len(err.strip().splitlines()) == 1 and said in err, (flags, err)


def test_nothing_but_get_reaches_a_jobmanager(kube, namespace, side, jobmanager):
    kube.create("services", namespace, service("jm", jobmanager.url))
    side.wait("the cluster", lambda: side.up() == {f"{namespace}/jm": 1})
    time.sleep(2)
    assert jobmanager.requests and all(line.startswith("GET ") for line in jobmanager.requests)
    assert not any("authorization" in head.lower() for head in map(str, jobmanager.heads)), \
        "the token is for the API server alone"


def test_memory_and_file_descriptors_stay(kube, namespace, side, jobmanager):
    """Clusters that come and go leave nothing behind."""
    def descriptors():
        return len(list(pathlib.Path(f"/proc/{side.process.pid}/fd").iterdir()))

    for _ in range(3):
        for number in range(20):
            kube.create("services", namespace, service(f"jm-{number}", jobmanager.url))
        side.wait("twenty", lambda: len(side.up()) == 20)
        for number in range(20):
            kube.delete("services", namespace, f"jm-{number}")
        side.wait("none", lambda: side.up() == {})
    assert descriptors() < 120
