"""deploy/chart and deploy/manifests before helm lint, kube-score and kubernetes-validate."""

import pytest
import yaml
from harness import chart
from harness.chart import CHART, MATRIX, ROOT, render
from harness.kube import run_tool

# What kube-score is not obeyed in, and why.
NOT_OBEYED = {
    "container-image-pull-policy": "the tag is a version and never moved: a pod starts again while the "
                                   "registry is away. image.pullPolicy=Always is there",
    "deployment-replicas": "one pod is enough: it restarts in seconds and keeps what it knew; two want "
                           "leader election, a choice (replicas)",
}
# The same for single renderings.
NOT_OBEYED_IN = {
    "bare": {"pod-networkpolicy": "switched off by this rendering's values"},
    "sidecar": {"pod-networkpolicy": "the pod is Flink's"},
    "sidecar-plans": {"pod-networkpolicy": "the pod is Flink's, or lints for a second"},
}

# Of the manifests with Flink in them. The sidecar's own container: image-pull-policy as above, and its
# emptyDir has a limit of its own.
OF_FLINK = {
    "container-ephemeral-storage-request-and-limit": "Flink's temporary files are as large as its jobs ask",
    "container-resources": "a JobManager that is throttled misses heartbeats: no limit of CPU",
    "container-security-context-readonlyrootfilesystem": "Flink's start-up writes below its own home",
    "container-security-context-user-group-id": "9999 is the user of Flink's image",
    "deployment-strategy": "two JobManagers without high availability would each believe to be it",
    "pod-networkpolicy": "who reaches Flink is the owner's to say",
}


def test_lint(name, tmp_path):
    code, out, err = chart.helm("lint", "--strict", CHART, "--values",
                                chart.values_file(tmp_path, MATRIX[name]), check=False)
    assert code == 0 and "WARNING" not in out + err, out + err


def test_kube_score(name, objects, tmp_path):
    if MATRIX[name].get("mode") == "sidecar":
        objects = objects + [chart.flink_pod(objects)]
    found = chart.kube_score(tmp_path, objects, NOT_OBEYED | NOT_OBEYED_IN.get(name, {}))
    assert found == []


def test_kube_score_exceptions_are_needed(tmp_path):
    seen = set()
    for number, values in enumerate(MATRIX.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        seen |= {check for _, check, _ in chart.kube_score(folder, render(folder, values), ())}
    assert seen == set(NOT_OBEYED) | {"pod-networkpolicy"}


@pytest.mark.parametrize("version", ["1.25", "1.31", "1.37"])
def test_schemas_of_old_and_new_kubernetes(version, tmp_path):
    objects = []
    for number, values in enumerate(MATRIX.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        objects += [o for o in render(folder, values) if "monitoring.coreos.com" not in o["apiVersion"]]
    assert chart.kubernetes_validate(tmp_path, objects, version) == ""
    objects[0]["spec"]["podSelectr"] = {}
    assert "podSelectr" in chart.kubernetes_validate(tmp_path, objects[:1], version)


def kustomized(folder):
    text = run_tool("kubectl", "kustomize", ROOT / "deploy" / "manifests" / folder)[1]
    return list(yaml.safe_load_all(text))


@pytest.mark.parametrize("folder", ["standalone", "operator", "plans", "fleet"])
def test_manifests_are_judged_too(folder, tmp_path):
    objects = kustomized(folder)
    of_flink = OF_FLINK if folder == "standalone" else {}
    assert chart.kube_score(tmp_path, objects, NOT_OBEYED | of_flink) == []
    seen = {check for _, check, _ in chart.kube_score(tmp_path, objects, ())}
    assert not of_flink or seen == set(NOT_OBEYED | of_flink), "each exception is needed"
    known = [o for o in objects if o["kind"] != "FlinkDeployment"]
    for version in ("1.25", "1.37"):
        assert chart.kubernetes_validate(tmp_path, known, version) == ""
