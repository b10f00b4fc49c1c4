"""deploy/chart and deploy/manifests against a real API server: accepted, installed, changed, gone."""

import json
import shutil
import subprocess
import threading

import pytest
import yaml
from fake_jobmanager import FakeJobManager
from harness import chart, sidecar
from harness.chart import CHART, MATRIX, NAMESPACE, ROOT, chosen, workloads
from harness.kube import ApiError, KubeCluster
from harness.processes import wait_until

from fleet import FleetSidecar

RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted"}
RESTRICTED_CONTAINER = {"allowPrivilegeEscalation": False, "runAsNonRoot": True, "runAsUser": 9999,
                        "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}
FLINK = {"name": "flink-main-container", "image": "flink:2.3.0-java17",
         "securityContext": RESTRICTED_CONTAINER}
STRICT = ("--dry-run=server", "--validate=strict")
NAME = f"{chart.RELEASE}-flink-state-sidecar"
# What a release of this chart may consist of.
KINDS = ("deployments,statefulsets,services,configmaps,serviceaccounts,roles,rolebindings,clusterroles,"
         "clusterrolebindings,networkpolicies,poddisruptionbudgets,podmonitors,servicemonitors,prometheusrules")


@pytest.fixture(scope="module")
def kube(tmp_path_factory):
    with KubeCluster(tmp_path_factory.mktemp("kube")) as cluster:
        cluster.namespace("default")
        cluster.install_flink_crds()
        cluster.install_prometheus_crds()
        cluster.namespace(NAMESPACE, RESTRICTED)
        for name in ("flink-state-sidecar", "team-a", "team-b"):
            cluster.namespace(name)
        # What a controller would make, and what values of the matrix say is there.
        for name in ("default", "theirs", NAME, "fss"):
            cluster.service_account(NAMESPACE, name)
        yield cluster


def accepted(kube, *what, stdin=None):
    """How many objects the API server accepts, without a warning. (What the fixtures made by other means
    than `kubectl apply` is no fault of these objects.)"""
    code, out, err = kube.kubectl("apply", *STRICT, *what, stdin=stdin)
    warnings = [line for line in err.splitlines() if "last-applied-configuration" not in line]
    assert warnings == [], err
    return out.count("(server dry run)")


def test_api_server_accepts_all_objects(kube, objects):
    assert accepted(kube, "-f", "-", stdin=yaml.safe_dump_all(objects)) == len(objects)


def test_api_server_would_refuse_what_is_misspelt(kube, objects):
    """The test above can fail: for each kind of object."""
    for kind in {o["kind"] for o in objects} - {"ConfigMap", "ServiceAccount"}:
        broken = json.loads(json.dumps(chosen(objects, kind)[0]))
        broken.setdefault("spec", broken)["replicaz"] = 1
        if kind.startswith(("Role", "ClusterRole")):
            broken.pop("spec", None)
            broken["replicaz"] = 1
        code, out, err = kube.kubectl("apply", *STRICT, "-f", "-", check=False,
                                      stdin=yaml.safe_dump(broken))
        assert code != 0 and "replicaz" in err, (kind, out, err)


def dry_run_pod(kube, pod):
    return kube.request("POST", kube.path("pods", NAMESPACE) + "?dryRun=All", pod)


def test_pods_are_accepted_at_the_level_restricted(kube, objects, name):
    pods = chosen(objects, "Pod")
    for workload in workloads(objects):
        template = workload["spec"]["template"]
        claimed = [{"name": claim["metadata"]["name"], "persistentVolumeClaim": {"claimName": "x"}}
                   for claim in workload["spec"].get("volumeClaimTemplates", [])]
        spec = {**template["spec"], "volumes": template["spec"].get("volumes", []) + claimed}
        pods.append({"metadata": {**template["metadata"], "name": "pod"}, "spec": spec})
    if MATRIX[name].get("mode") == "sidecar":
        pods.append(chart.flink_pod(objects, FLINK))
    assert pods
    for pod in pods:
        dry_run_pod(kube, pod)
        del pod["spec"]["containers"][-1]["securityContext"]["capabilities"]
        with pytest.raises(ApiError, match="violates PodSecurity"):
            dry_run_pod(kube, pod)


@pytest.mark.parametrize("folder", ["standalone", "operator", "plans", "fleet"])
def test_manifests_are_accepted(kube, folder):
    assert accepted(kube, "-k", ROOT / "deploy/manifests" / folder) > 0


@pytest.mark.parametrize("file", ["manifests/podmonitor.yaml", "prometheus/prometheusrule.yaml"])
def test_objects_of_the_prometheus_operator_are_accepted(kube, file):
    assert accepted(kube, "-f", ROOT / "deploy" / file) == 1


def of_release(kube, release):
    """{kind/name: object} of what a release has in the API server."""
    out = kube.kubectl("get", KINDS, "--all-namespaces", "--output=json",
                       f"--selector=app.kubernetes.io/instance={release}")[1]
    return {f"{o['kind']}/{o['metadata']['name']}": o for o in json.loads(out)["items"]}


def test_install_upgrade_roll_back_uninstall(kube, tmp_path):
    kube.namespace("life", RESTRICTED)
    where = ("--namespace", "life")

    def values(**changes):
        return ("--values", chart.values_file(tmp_path, changes))

    kube.helm("install", "s", CHART, *where, *values())
    first = of_release(kube, "s")
    name = "s-flink-state-sidecar"
    assert f"Deployment/{name}" in first and f"ClusterRole/life-{name}" in first
    assert not [key for key in first if key.startswith(("Role/", "PodDisruptionBudget/"))]

    # More of everything; the Deployment becomes StatefulSets.
    kube.helm("upgrade", "s", CHART, *where, *values(
        replicas=2, shards=2, watch={"namespaces": ["team-a", "life"]}, events={"enabled": True},
        history={"persistence": {"enabled": True}},
        prometheus={"monitor": {"kind": "PodMonitor"}, "rules": {"enabled": True}},
        grafana={"dashboards": {"enabled": True}}))
    second = of_release(kube, "s")
    assert {f"StatefulSet/{name}", f"StatefulSet/{name}-b", f"PodMonitor/{name}", f"PrometheusRule/{name}",
            f"PodDisruptionBudget/{name}", f"ConfigMap/{name}-overview-dashboard"} <= set(second)
    assert not {f"Deployment/{name}", f"ClusterRole/life-{name}"} & set(second)
    for namespace in ("team-a", "life"):
        kube.get("roles", namespace, f"life-{name}")

    # A change that a StatefulSet takes without being made anew.
    uid = second[f"StatefulSet/{name}"]["metadata"]["uid"]
    kube.helm("upgrade", "s", CHART, *where, "--reuse-values", "--set", "pollInterval=30s,image.tag=9.9")
    third = of_release(kube, "s")[f"StatefulSet/{name}"]
    assert third["metadata"]["uid"] == uid
    [container] = third["spec"]["template"]["spec"]["containers"]
    assert container["image"].endswith(":9.9") and "--poll_interval=30s" in container["args"]

    kube.helm("rollback", "s", "1", *where)
    assert set(of_release(kube, "s")) == set(first)
    kube.helm("uninstall", "s", *where)
    assert of_release(kube, "s") == {}


def test_two_releases_of_one_name_do_not_meet(kube):
    for namespace in ("one", "two"):
        kube.namespace(namespace)
        kube.helm("install", "same", CHART, "--namespace", namespace)
    assert len([key for key in of_release(kube, "same") if key.startswith("ClusterRole/")]) == 2
    for namespace in ("one", "two"):
        kube.helm("uninstall", "same", "--namespace", namespace)


@pytest.mark.parametrize("values, said", [
    ({}, ["port-forward service/", "every Flink cluster", "helm --namespace notes test", "ports 8081",
          "prometheus.io"]),
    ({"watch": {"namespaces": ["team-a"]}, "shards": 3, "replicas": 2, "networkPolicy": {"enabled": False}},
     ["clusters in team-a", "6 pod(s)", "3 shards"]),
    ({"mode": "sidecar"}, ["patch flinkdeployment", "patch deployment", "There are no plans yet"]),
    ({"rbac": {"create": False}, "prometheus": {"monitor": {"kind": "PodMonitor"}}},
     ["rbac.create is false"]),
], ids=str)
def test_notes(kube, tmp_path, values, said):
    out = kube.helm("install", "n", CHART, "--namespace", "notes", "--create-namespace", "--dry-run=client",
                    "--values", chart.values_file(tmp_path, values))[1]
    notes = out.split("NOTES:")[1]
    assert all(words in notes for words in said), notes
    assert "  \n" not in notes and "<no value>" not in notes and "%!" not in notes, notes


def test_fragments_are_applied_as_the_notes_say(kube, tmp_path):
    kube.namespace("flink")
    kube.helm("install", chart.RELEASE, CHART, "--namespace", "flink", "--set", "mode=sidecar",
              "--set-file", f"plans.files.spend\\.json={ROOT}/deploy/manifests/plans/spend-per-user.json")
    kube.create("flinkdeployments", "flink", {
        "apiVersion": "flink.apache.org/v1beta1", "kind": "FlinkDeployment",
        "metadata": {"name": "orders"}, "spec": {"jobManager": {"replicas": 1}}})
    [jobmanager] = [o for o in yaml.safe_load_all(
        (ROOT / "deploy/manifests/standalone/jobmanager.yaml").read_text()) if o["kind"] == "Deployment"]
    pod = jobmanager["spec"]["template"]["spec"]  # as it is without the sidecar
    pod["containers"], pod["volumes"] = pod["containers"][:1], pod["volumes"][:1]
    kube.create("deployments", "flink", jobmanager)

    for kind, name, key, manner in (
            ("flinkdeployment", "orders", "flinkdeployment-patch.yaml", "merge"),
            ("deployment", "flink-jobmanager", "deployment-patch.yaml", "strategic")):
        escaped = key.replace(".", "\\.")
        patch = kube.kubectl("-n", "flink", "get", "configmap", NAME, "-o",
                             f"jsonpath={{.data.{escaped}}}")[1]
        (tmp_path / key).write_text(patch)
        kube.kubectl("-n", "flink", "patch", kind, name, "--type", manner, "--patch-file", tmp_path / key)

    spec = kube.get("flinkdeployments", "flink", "orders")["spec"]["jobManager"]
    assert spec["replicas"] == 1
    pod = spec["podTemplate"]["spec"]
    assert [c["name"] for c in pod["containers"]] == ["flink-main-container", "state-sidecar"]
    pod = kube.get("deployments", "flink", "flink-jobmanager")["spec"]["template"]["spec"]
    assert {c["name"] for c in pod["containers"]} == {"jobmanager", "state-sidecar"}
    assert {"flink-config", "plans", "history", "no-token"} == {v["name"] for v in pod["volumes"]}


def play_kubelet(kube, namespace, name, command):
    """Runs a pod's container as `command(args)`, and says in its status how it ended."""
    def pod():
        try:
            return kube.get("pods", namespace, name)
        except ApiError:
            return None
    args = wait_until("the pod", pod, 30)["spec"]["containers"][0]["args"]
    code = command(args)
    kube.request("PATCH", kube.path("pods", namespace, name) + "/status", {"status": {
        "phase": "Succeeded" if code == 0 else "Failed"}}, "application/merge-patch+json")


def helm_test(kube, namespace, command):
    """`helm test`, with the test as kubelet: (exit code, what the pod was run with)."""
    ran = []

    def record(args):
        ran.append(args)
        return command(args)
    kubelet = threading.Thread(target=play_kubelet, args=(kube, namespace, f"{NAME}-test", record))
    kubelet.start()
    code = kube.helm("test", chart.RELEASE, "--namespace", namespace, "--timeout", "60s", check=False)[0]
    kubelet.join()
    return code, ran[0]


def test_helm_test_asks_for_readiness(kube, tmp_path):
    kube.namespace("tested", RESTRICTED)
    kube.service_account("tested", "default")
    kube.helm("install", chart.RELEASE, CHART, "--namespace", "tested")
    with FleetSidecar(kube, tmp_path) as side:
        side.wait("readiness", side.ready)
        address = f"http://{NAME}.tested.svc:9249"

        def at(url):
            return lambda args: subprocess.run(
                [sidecar.binary(), *(a.replace(address, url) for a in args)], check=False, timeout=30,
                capture_output=True).returncode
        code, args = helm_test(kube, "tested", at(side.url))
        assert args == ["health", f"--url={address}/readyz"]
        assert code == 0
        assert helm_test(kube, "tested", at("http://127.0.0.1:1"))[0] != 0
    [port] = kube.get("services", "tested", NAME)["spec"]["ports"]
    assert port["port"] == 9249 and port["targetPort"] == "metrics"


def test_helm_test_of_mode_sidecar_reads_the_plans(kube, tmp_path):
    kube.namespace("linted", RESTRICTED)
    kube.service_account("linted", "default")
    plans = tmp_path / "plans"
    plans.mkdir()

    def lint(args):
        for name, text in kube.get("configmaps", "linted", f"{NAME}-plans")["data"].items():
            (plans / name).write_text(text)
        return sidecar.run(*(str(plans) if a == "/plans" else a for a in args))[0]
    good = ROOT / "deploy/manifests/plans/spend-per-user.json"
    broken = tmp_path / "broken.json"
    broken.write_text("no plan")
    for file, code in ((good, 0), (broken, 1)):
        kube.helm("upgrade", "--install", chart.RELEASE, CHART, "--namespace", "linted",
                  "--set", "mode=sidecar", "--set-file", f"plans.files.a\\.json={file}")
        assert helm_test(kube, "linted", lint)[0] == code
    shutil.rmtree(plans)


def test_plans_of_mode_operator_are_found(kube, tmp_path):
    kube.helm("install", chart.RELEASE, CHART, "--namespace", "team-a",
              "--set-file", f"plans.files.spend\\.json={ROOT}/deploy/manifests/plans/spend-per-user.json")
    with FakeJobManager(jobs=1), FleetSidecar(kube, tmp_path, "--kubernetes_namespaces=team-a") as side:
        side.wait("the plan", lambda: side.series("flink_state_sidecar_plans").get('state="loaded"') == 1)
