"""More than one replica: leader election by Lease, and shards."""

import time

import pytest
from fake_jobmanager import FakeJobManager

from fleet import FleetSidecar, service

CLUSTERS = 24


@pytest.fixture
def jobmanager():
    with FakeJobManager(jobs=1) as fake:
        yield fake


@pytest.fixture
def clusters(kube, namespace, jobmanager):
    for number in range(CLUSTERS):
        kube.create("services", namespace, service(f"jm-{number}", jobmanager.url))
    return {f"{namespace}/jm-{number}" for number in range(CLUSTERS)}


def test_two_shards_cover_all_and_none_twice(kube, namespace, clusters, tmp_path):
    flags = [f"--kubernetes_namespaces={namespace}"]
    with FleetSidecar(kube, tmp_path, *flags, "--shard=0/2") as first, \
            FleetSidecar(kube, tmp_path, *flags, "--shard=1/2") as second:
        first.wait("all clusters",
                   lambda: set(first.up()) | set(second.up()) == clusters)
        time.sleep(2)
        assert set(first.up()) | set(second.up()) == clusters
        assert not set(first.up()) & set(second.up())
        assert len(first.up()) > 3 and len(second.up()) > 3
        kube.create("services", namespace, service("late", "http://127.0.0.1:1"))
        first.wait("the late one", lambda: f"{namespace}/late" in {**first.up(), **second.up()})


def leads(side):
    return side.series("flink_state_sidecar_leader").get("")


def electing(kube, namespace, tmp_path):
    return FleetSidecar(kube, tmp_path, f"--kubernetes_namespaces={namespace}",
                        "--leader_election", f"--lease_namespace={namespace}",
                        rights=("discovery", "leases"))


def test_one_polls_and_the_other_takes_over(kube, namespace, clusters, tmp_path):
    with electing(kube, namespace, tmp_path) as first:
        first.wait("the first to lead", lambda: leads(first) == 1)
        first.wait("its clusters", lambda: set(first.up()) == clusters)
        with electing(kube, namespace, tmp_path) as second:
            second.wait("readiness without leading", second.ready)
            time.sleep(4)
            assert leads(second) == 0 and second.up() == {}
            assert second.api("jobs")["jobs"] == []
            lease = kube.get("leases", namespace, "flink-state-sidecar")["spec"]
            assert lease["leaseDurationSeconds"] == 15

            first.process.kill()  # without a word
            begin = time.monotonic()
            second.wait("the second to lead", lambda: leads(second) == 1, 25)
            took = time.monotonic() - begin
            assert took < 15 + 5, f"within the lease time, and a try: {took:.1f} s"
            second.wait("its clusters", lambda: set(second.up()) == clusters)


def test_who_leaves_hands_over_at_once(kube, namespace, clusters, tmp_path):
    with electing(kube, namespace, tmp_path) as first:
        first.wait("the first to lead", lambda: leads(first) == 1)
        with electing(kube, namespace, tmp_path) as second:
            second.wait("readiness", second.ready)
            assert first.stop() == 0
            second.wait("the second to lead", lambda: leads(second) == 1, 6)


def test_who_loses_the_lease_stops_at_once(kube, namespace, clusters, tmp_path):
    with electing(kube, namespace, tmp_path) as side:
        side.wait("it to lead", lambda: set(side.up()) == clusters)
        lease = kube.get("leases", namespace, "flink-state-sidecar")
        kube.patch("leases", namespace, "flink-state-sidecar", {"spec": {
            "holderIdentity": "somebody-else"}})
        side.wait("the loss", lambda: leads(side) == 0 and side.up() == {}, 6)
        assert lease["spec"]["holderIdentity"] != "somebody-else"
        side.wait("it to lead again, when the other does not renew", lambda: leads(side) == 1, 30)


def test_without_the_right_nobody_leads(kube, namespace, clusters, tmp_path):
    with FleetSidecar(kube, tmp_path, f"--kubernetes_namespaces={namespace}", "--leader_election",
                      f"--lease_namespace={namespace}") as side:
        side.wait("the refusal", lambda: "leader election" in side.log() and "403" in side.log())
        time.sleep(3)
        assert side.up() == {} and not side.ready()
        kube.allow(side.binding("leases"), side.subject, [
            {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"],
             "verbs": ["get", "create", "update"]}])
        side.wait("its clusters", lambda: set(side.up()) == clusters)
