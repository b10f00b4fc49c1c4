"""The chart's Roles, judged by the API server's audit log: nothing that the program asks is denied,
and nothing is granted that it does not need."""

import json
import re

import pytest
import yaml
from fake_jobmanager import FakeJobManager
from harness import chart
from harness.kube import DISCOVERY_RULES, EVENT_RULES, LEASE_RULES, KubeCluster

from fleet import FleetSidecar, deployment, plan_map, service

# All that the program can be told to do.
FULL = {"events": {"enabled": True}, "replicas": 2, "fullnameOverride": "fss"}
SHARDED = {**FULL, "shards": 2}
# Fits nothing: a job with state beside it is one whose plan is missing.
OTHER_PLAN = json.dumps({"flinkVersion": "2.3", "edges": [], "nodes": [
    {"id": 7, "type": "stream-exec-values_1", "description": "Values(x)"}]})
SECONDS = 40


@pytest.fixture(scope="module")
def kube(tmp_path_factory):
    with KubeCluster(tmp_path_factory.mktemp("kube"), audit=True) as cluster:
        cluster.namespace("default")
        cluster.install_flink_crds()
        yield cluster


@pytest.fixture
def jobmanager():
    with FakeJobManager(jobs=1, vertices=1) as fake:
        yield fake


class ChartSidecar(FleetSidecar):
    """The program as the chart's pod runs it, with the pod's arguments and its account's token."""

    def __init__(self, kube, workdir, workload, hostname=None):
        self.account = workload["spec"]["template"]["spec"]["serviceAccountName"]
        self.namespace = workload["metadata"]["namespace"]
        [container] = workload["spec"]["template"]["spec"]["containers"]
        # What a pod has of itself (its namespace, its number, its volumes) is given.
        flags = [flag for flag in container["args"][1:]
                 if not flag.startswith(("--kubernetes=", "--listen", "--history_file", "--poll_interval",
                                         "--request_timeout"))]
        if hostname is not None:
            flags = [flag.replace("=auto/", f"={hostname}/") for flag in flags]
        super().__init__(kube, workdir, *flags, f"--lease_namespace={self.namespace}")

    @property
    def subject(self):
        return (self.namespace, self.account)

    @property
    def user(self):
        return f"system:serviceaccount:{self.namespace}:{self.account}"

    def make_account(self):
        """It came with the chart."""

    def denied(self):
        return {key for key, codes in self.kube.requests(self.user).items() if codes & {401, 403}}

    def asked(self):
        return {key for key, codes in self.kube.requests(self.user).items() if not codes & {401, 403}}


def rights(rules):
    """{(group, resource, verb)} of RBAC rules."""
    return {(group, resource, verb) for rule in rules for group in rule["apiGroups"]
            for resource in rule["resources"] for verb in rule["verbs"]}


def granted(objects):
    """The same of all roles."""
    return rights(rule for role in chart.chosen(objects, "Role") + chart.chosen(objects, "ClusterRole")
                  for rule in role["rules"])


def finding_comes_ends_and_comes_again(kube, namespace, jobmanager, side):
    """For the third an Event that is there already is changed."""
    def reasons():
        return {event["reason"] for event in kube.list("events", namespace)}
    side.wait("an Event", lambda: "PlanMissing" in reasons())
    names, jobmanager.names = jobmanager.names, []
    side.wait("its end", lambda: "PlanMissingOver" in reasons())
    jobmanager.names = names


def do_everything(kube, namespace, jobmanager, side):
    """Clusters, plans, Events, a Lease that is renewed."""
    kube.create("flinkdeployments", namespace, deployment("orders", jobmanager.url))
    kube.create("services", namespace, service("jm", jobmanager.url))
    kube.create("configmaps", namespace, plan_map("other", {"o.json": OTHER_PLAN}))
    side.wait("the clusters", lambda: set(side.up()) == {f"{namespace}/orders", f"{namespace}/jm"})
    finding_comes_ends_and_comes_again(kube, namespace, jobmanager, side)
    side.wait("a renewed Lease", lambda: ("coordination.k8s.io", "leases", "update") in side.asked())
    side.wait("a series", lambda: ("events.k8s.io", "events", "patch") in side.asked())


@pytest.mark.parametrize("where", ["everywhere", "one namespace"])
def test_nothing_is_denied_and_all_is_needed(kube, namespace, jobmanager, where, tmp_path):
    values = {**FULL, "watch": {"namespaces": [] if where == "everywhere" else [namespace]}}
    release = ("state", chart.CHART, "--namespace", namespace, "--values",
               chart.values_file(tmp_path, values))
    kube.helm("install", *release)
    try:
        [workload] = chart.workloads(chart.render(tmp_path, values, namespace))
        with ChartSidecar(kube, tmp_path, workload) as side:
            side.wait("readiness", side.ready)
            do_everything(kube, namespace, jobmanager, side)
            assert side.denied() == set()
            assert side.asked() == granted(chart.render(tmp_path, values, namespace))
            assert side.healthy() == 1
            assert "403" not in side.log() and "cannot be written" not in side.log()
    finally:
        kube.helm("uninstall", "state", "--namespace", namespace)
        for resource in ("flinkdeployments", "services", "configmaps"):
            for item in kube.list(resource, namespace):
                if item["metadata"]["name"] != "kube-root-ca.crt":
                    kube.delete(resource, namespace, item["metadata"]["name"])


def test_each_shards_leader_may_its_lease_and_no_other(kube, namespace, tmp_path):
    values = {**SHARDED, "watch": {"namespaces": [namespace]}}
    kube.helm("install", "state", chart.CHART, "--namespace", namespace, "--values",
              chart.values_file(tmp_path, values))
    first, second = chart.workloads(chart.render(tmp_path, values, namespace))
    assert first["spec"]["template"]["spec"] == second["spec"]["template"]["spec"]
    for number in (0, 1):
        with ChartSidecar(kube, tmp_path, first, hostname=number) as side:
            side.wait("readiness", side.ready)
            side.wait("the Lease", lambda side=side: side.series("flink_state_sidecar_leader").get("") == 1)
            assert side.denied() == set()
    assert {lease["metadata"]["name"] for lease in kube.list("leases", namespace)} == {"fss-0", "fss-1"}
    kube.create("leases", namespace, {"metadata": {"name": "another"}})
    answer = kube.kubectl("auth", "can-i", "update", "leases/another", "-n", namespace,
                          "--as", f"system:serviceaccount:{namespace}:fss", check=False)[1]
    assert answer.strip() == "no"


RIGHTS = sorted(rights(DISCOVERY_RULES + EVENT_RULES + LEASE_RULES))


def test_these_are_all_rights(tmp_path):
    """Of the chart, of the other tests here, and of the documentation."""
    assert granted(chart.render(tmp_path, FULL)) == set(RIGHTS)
    assert granted(chart.render(tmp_path, {})) == rights(DISCOVERY_RULES)
    text = (chart.ROOT / "docs" / "user" / "kubernetes.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    documented = [rule for block in blocks if "apiGroups" in block for rule in yaml.safe_load(block)]
    assert rights(documented) == set(RIGHTS)


def without(role, right):
    """The role, that right taken away."""
    rules = []
    for rule in role["rules"]:
        for resource in rule["resources"]:
            verbs = [verb for verb in rule["verbs"]
                     if (rule["apiGroups"][0], resource, verb) != right]
            if verbs:
                rules.append({**rule, "resources": [resource], "verbs": verbs})
    return {**role, "rules": rules}


@pytest.mark.parametrize("right", RIGHTS, ids="-".join)
def test_without_any_right_something_is_denied(kube, jobmanager, right, tmp_path):
    namespace = f"no-{right[2]}-{right[1]}"
    kube.namespace(namespace)
    values = {**FULL, "watch": {"namespaces": [namespace]}}
    objects = chart.render(tmp_path, values, namespace)
    for account in chart.chosen(objects, "ServiceAccount"):
        kube.create("serviceaccounts", namespace, account)
    for role in chart.chosen(objects, "Role"):
        kube.create("roles", namespace, without(role, right))
    for binding in chart.chosen(objects, "RoleBinding"):
        kube.create("rolebindings", namespace, binding)
    kube.create("flinkdeployments", namespace, deployment("orders", jobmanager.url))
    kube.create("configmaps", namespace, plan_map("other", {"o.json": OTHER_PLAN}))
    with ChartSidecar(kube, tmp_path, chart.workloads(objects)[0]) as side:
        if right == ("events.k8s.io", "events", "patch"):
            finding_comes_ends_and_comes_again(kube, namespace, jobmanager, side)
        side.wait("the refusal", lambda: right in side.denied(), SECONDS)
        assert side.denied() == {right}, "nothing else is"
        assert side.process.poll() is None, "and it goes on"
