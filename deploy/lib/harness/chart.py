"""The Helm chart, rendered and judged without a cluster."""

import json
import os
import pathlib
import subprocess
import sys

import yaml

from .kube import cached, run_tool

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHART = ROOT / "deploy" / "chart"
KUBE_SCORE = "1.20.0"  # both: those of deploy/setup
KUBERNETES_VALIDATE = "1.37.0"
RELEASE, NAMESPACE = "state", "monitoring"

# What a chart must render: each of these is tried by every check. Names are those of the tests.
MATRIX = {
    "defaults": {},
    "namespaces": {"watch": {"namespaces": ["team-a", "team-b"]}, "events": {"enabled": True}},
    "standby": {"replicas": 2, "events": {"enabled": True}},
    "shards": {"shards": 3},
    "shards-standby": {"shards": 2, "replicas": 2, "watch": {"namespaces": ["team-a"]}},
    "persistent": {"history": {"persistence": {"enabled": True, "storageClass": "fast"}}},
    "persistent-standby": {"replicas": 3, "history": {"persistence": {"enabled": True}}},
    "no-history": {"history": {"enabled": False}},
    "pod-monitor": {"replicas": 2, "prometheus": {
        "monitor": {"kind": "PodMonitor", "labels": {"release": "prometheus"}},
        "rules": {"enabled": True, "labels": {"release": "prometheus"},
                  "runbookBaseUrl": "https://wiki.test/runbooks/"}},
        "grafana": {"dashboards": {"enabled": True, "annotations": {"folder": "Flink"}}}},
    "service-monitor": {"prometheus": {"monitor": {"kind": "ServiceMonitor"}}},
    "bare": {"serviceAccount": {"create": False, "name": "theirs"}, "rbac": {"create": False},
             "networkPolicy": {"enabled": False}, "podDisruptionBudget": {"enabled": False},
             "tests": {"enabled": False}, "prometheus": {"scrapeAnnotations": False}},
    "everything": {
        "fullnameOverride": "fss", "commonLabels": {"team": "platform"}, "replicas": 2, "port": 9999,
        "image": {"repository": "registry.test:5000/fss", "digest": "sha256:" + "0" * 64,
                  "pullPolicy": "Always"},
        "imagePullSecrets": [{"name": "pull"}], "log": {"format": "json", "level": "debug"},
        "plans": {"files": {"a.json": '{"nodes": []}'}, "existingConfigMap": "more-plans",
                  "existingSecret": "secret-plans"},
        "rules": {"content": {"jobs": [{"job": "*", "large_state": "2 GiB"}]}},
        "tls": {"caSecret": {"name": "rest-ca", "key": "tls.crt"}},
        "extraArgs": ["--checkpoint_root=s3://bucket/a,b=s3://other"],
        "extraEnv": [{"name": "AWS_REGION", "value": "eu-central-1"}],
        "extraEnvFrom": [{"secretRef": {"name": "s3"}}],
        "extraVolumes": [{"name": "checkpoints", "emptyDir": {}}],
        "extraVolumeMounts": [{"name": "checkpoints", "mountPath": "/checkpoints"}],
        "serviceAccount": {"annotations": {"role": "reader"}},
        "service": {"port": 80, "annotations": {"a": "b"}},
        "networkPolicy": {"ingress": {"from": [{"namespaceSelector": {"matchLabels": {
            "kubernetes.io/metadata.name": "monitoring"}}}]},
            "egress": {"apiServer": {"ports": [6443], "to": [{"ipBlock": {"cidr": "10.0.0.1/32"}}]},
                       "jobManagers": {"ports": [8081, 8443]},
                       "extra": [{"ports": [{"port": 9093}]}]}},
        "podLabels": {"sidecar.istio.io/inject": "false"}, "podAnnotations": {"note": "x"},
        "priorityClassName": "system-cluster-critical", "nodeSelector": {"disk": "ssd"},
        "tolerations": [{"key": "flink", "operator": "Exists"}],
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{
            "topologyKey": "kubernetes.io/hostname",
            "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "flink-state-sidecar"}}}]}},
        "topologySpreadConstraints": [{
            "maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "flink-state-sidecar"}}}],
        "extraObjects": [{"apiVersion": "v1", "kind": "ConfigMap",
                          "metadata": {"name": "{{ .Release.Name }}-mine"}, "data": {"a": "b"}}]},
    "sidecar": {"mode": "sidecar"},
    "sidecar-plans": {"mode": "sidecar", "plans": {"files": {"a.json": '{"nodes": []}'}},
                      "rules": {"existingConfigMap": "rules"},
                      "sidecar": {"cluster": "orders"}, "port": 9250,
                      "prometheus": {"monitor": {"kind": "PodMonitor"}, "rules": {"enabled": True}},
                      "grafana": {"dashboards": {"enabled": True}}},
}


def helm(*arguments, check=True):
    return run_tool("helm", *arguments, check=check)


def values_file(folder, values):
    path = pathlib.Path(folder) / "values.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def render(folder, values, namespace=NAMESPACE):
    """The objects of the chart with these values."""
    text = helm("template", RELEASE, CHART, "--namespace", namespace,
                "--values", values_file(folder, values))[1]
    return [document for document in yaml.safe_load_all(text) if document]


def chosen(objects, kind, name=None):
    """The objects of a kind, or the one of that name."""
    found = [o for o in objects if o["kind"] == kind and name in (None, o["metadata"]["name"])]
    if name is None:
        return found
    assert len(found) == 1, f"{len(found)} objects {kind}/{name}"
    return found[0]


def workloads(objects):
    return chosen(objects, "Deployment") + chosen(objects, "StatefulSet")


def fragments(objects):
    """The ConfigMap of mode sidecar: {key: text}."""
    return chosen(objects, "ConfigMap", f"{RELEASE}-flink-state-sidecar")["data"]


def flink_pod(objects, *containers):
    """A JobManager's pod as Flink makes it from the fragment, with these containers of its own."""
    pod = yaml.safe_load(fragments(objects)["pod-template.yaml"])
    pod.setdefault("metadata", {}).update(
        {"name": "jobmanager", "namespace": NAMESPACE, "labels": {"app": "orders"}})
    ours = [c for c in pod["spec"]["containers"] if c["name"] == "state-sidecar"]
    pod["spec"]["containers"] = [*containers, *ours]
    return pod


def kube_score(folder, objects, ignored):
    """What kube-score finds: [(object, check, text)]."""
    path = pathlib.Path(folder) / "objects.yaml"
    path.write_text(yaml.safe_dump_all(objects), encoding="utf-8")
    ignore = [argument for check in ignored for argument in ("--ignore-test", check)]
    done = subprocess.run([cached(f"kube-score-{KUBE_SCORE}") / "kube-score", "score",
                           "--output-format", "json", "--kubernetes-version", "v1.37", *ignore, path],
                          check=False, capture_output=True, text=True, timeout=60)
    found = []
    for scored in json.loads(done.stdout) or []:
        for check in scored["checks"] or []:
            if check["grade"] < 10 and not check["skipped"]:
                for comment in check["comments"] or [{"summary": ""}]:
                    found.append((scored["object_name"], check["check"]["id"], comment["summary"]))
    return found


def kubernetes_validate(folder, objects, version):
    """What the schemas of a Kubernetes version say, strictly; empty: nothing."""
    path = pathlib.Path(folder) / "objects.yaml"
    path.write_text(yaml.safe_dump_all(objects), encoding="utf-8")
    python = "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else sys.executable
    environment = {**os.environ,
                   "PYTHONPATH": str(cached(f"kubernetes-validate-{KUBERNETES_VALIDATE}"))}
    done = subprocess.run([python, "-m", "kubernetes_validate", "--strict", "--quiet",
                           "-k", version, path],
                          check=False, capture_output=True, text=True, timeout=120, env=environment)
    return done.stdout + done.stderr + ("" if done.returncode == 0 else f"exit {done.returncode}")
