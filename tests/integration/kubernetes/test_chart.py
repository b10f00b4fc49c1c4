"""deploy/chart as it is rendered: no cluster is needed for what is asked here."""

import re
import subprocess
import sys
import tarfile

import pytest
import yaml
from harness import chart, sidecar
from harness.chart import CHART, MATRIX, ROOT, chosen, render, workloads
from harness.kube import run_tool
from harness.processes import HarnessError

VALUES = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
SCHEMA = yaml.safe_load((CHART / "values.schema.json").read_text(encoding="utf-8"))
README = (CHART / "README.md").read_text(encoding="utf-8")
# Values that are documented as a whole.
WHOLE = ("resources", "podSecurityContext", "securityContext", "grafana.dashboards.labels")

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


@pytest.fixture(params=MATRIX)
def name(request):
    return request.param


@pytest.fixture
def objects(name, tmp_path):
    return render(tmp_path, MATRIX[name])


def leaves(values, prefix=""):
    """{dotted path: value}, down to what is no object or an empty one."""
    found = {}
    for key, value in values.items():
        path = prefix + key
        if isinstance(value, dict) and value and path not in WHOLE:
            found |= leaves(value, path + ".")
        else:
            found[path] = value
    return found


def shown(path, value):
    if path in WHOLE:
        return "object"
    if value in ("", [], {}):
        return "none"
    if isinstance(value, list):
        return "`[" + ", ".join(map(str, value)) + "]`"
    return "`" + (str(value).lower() if isinstance(value, bool) else str(value)) + "`"


def test_readme_has_every_value_with_its_default():
    rows = re.findall(r"^\| `([\w.]+)` \| (`[^`]+`|none|object) \|", README.split("## Values")[1],
                      re.MULTILINE)
    assert len(rows) == len(dict(rows)), "a value twice"
    assert dict(rows) == {path: shown(path, value) for path, value in leaves(VALUES).items()}


def described(schema, prefix=""):
    """The dotted paths that a schema knows."""
    found = set()
    for key, part in schema["properties"].items():
        path = prefix + key
        free = path in WHOLE or "properties" not in part or path in ("rules.content",)
        found |= {path} if free else described(part, path + ".")
    return found


def test_schema_knows_every_value_and_no_other():
    assert described(SCHEMA) - {"global"} == set(leaves(VALUES))


def test_schema_is_closed_wherever_it_names_properties():
    def walk(part, path):
        if isinstance(part, dict):
            if "properties" in part and path[-1:] != ("properties",):
                closed = part.get("additionalProperties", True) is False
                assert closed or part.get("required"), path
            for key, inner in part.items():
                walk(inner, path + (key,))
    walk(SCHEMA, ())
    assert SCHEMA["additionalProperties"] is False


@pytest.mark.parametrize("values, said", [
    ({"mode": "daemon"}, "/mode"), ({"replicas": 0}, "/replicas"), ({"shards": "2"}, "/shards"),
    ({"replica": 2}, "'replica'"), ({"image": {"tags": "x"}}, "'tags'"), ({"port": 80}, "/port"),
    ({"image": {"digest": "sha256:12"}}, "/image/digest"), ({"pollInterval": "15"}, "/pollInterval"),
    ({"log": {"level": "loud"}}, "/log/level"), ({"extraArgs": ["serve"]}, "/extraArgs/0"),
    ({"plans": {"files": {"a.txt": "{}"}}}, "/plans/files"),
    ({"plans": {"files": {"a.json": {}}}}, "/plans/files/a.json"),
    ({"watch": {"namespaces": ["A_b"]}}, "/watch/namespaces/0"),
    ({"watch": {"namespaces": ["a", "a"]}}, "/watch/namespaces"),
    ({"service": {"type": "ExternalName"}}, "/service/type"),
    ({"networkPolicy": {"egress": {"jobManagers": {"ports": []}}}},
     "/networkPolicy/egress/jobManagers/ports"),
    ({"podDisruptionBudget": {"maxUnavailable": 0}}, "/podDisruptionBudget/maxUnavailable"),
    ({"history": {"persistence": {"accessModes": ["ReadOnlyMany"]}}}, "/history/persistence/accessModes/0"),
    ({"prometheus": {"monitor": {"kind": "Probe"}}}, "/prometheus/monitor/kind"),
    ({"podLabels": {"a": 1}}, "/podLabels/a"), ({"rules": {"content": {"silence": []}}}, "'silence'"),
    ({"sidecar": {"jobmanagerUrl": "localhost:8081"}}, "/sidecar/jobmanagerUrl"),
    # What the templates refuse themselves.
    ({"mode": "sidecar", "prometheus": {"monitor": {"kind": "ServiceMonitor"}}}, "prometheus.monitor.kind"),
    ({"tls": {"caSecret": {"name": "a"}, "caConfigMap": {"name": "b"}}}, "tls: "),
    ({"rules": {"content": {"jobs": [{"job": "*"}]}, "existingConfigMap": "x"}}, "rules: "),
    ({"plans": {"files": {"a.json": "x" * 1000001}}}, "plans.files: 1000001 bytes"),
], ids=str)
def test_a_wrong_value_is_refused_by_name(values, said, tmp_path):
    with pytest.raises(HarnessError) as refused:
        render(tmp_path, values)
    assert said in str(refused.value)


def test_lint(name, tmp_path):
    code, out, err = chart.helm("lint", "--strict", CHART, "--values",
                                chart.values_file(tmp_path, MATRIX[name]), check=False)
    assert code == 0 and "WARNING" not in out + err, out + err


def test_objects_are_named_once_and_labelled(name, objects):
    names = [(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in objects]
    assert objects and len(names) == len(set(names))
    for o in objects:
        if o in chosen(objects, "ConfigMap") and o["metadata"]["name"].endswith("-mine"):
            continue  # the user's own
        labels = o["metadata"]["labels"]
        assert labels["app.kubernetes.io/instance"] == chart.RELEASE
        assert labels["app.kubernetes.io/managed-by"] == "Helm"
        if "commonLabels" in MATRIX[name]:
            assert labels["team"] == "platform"


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


def test_fragments_hold_one_and_the_same_sidecar(tmp_path):
    objects = render(tmp_path, MATRIX["sidecar-plans"])
    fragments = {key: yaml.safe_load(text) for key, text in chart.fragments(objects).items()}
    pod = fragments["pod-template.yaml"]
    assert pod["spec"]["containers"][0] == {"name": "flink-main-container"}
    patch = fragments["flinkdeployment-patch.yaml"]
    assert patch == {"spec": {"jobManager": {"podTemplate": pod}}}, "beside the JobManager alone"
    [container] = fragments["deployment-patch.yaml"]["spec"]["template"]["spec"]["containers"]
    assert container == pod["spec"]["containers"][1]
    mounts = {m["name"]: m["mountPath"] for m in container["volumeMounts"]}
    assert mounts["no-token"] == "/var/run/secrets/kubernetes.io/serviceaccount"
    assert set(mounts) == {volume["name"] for volume in pod["spec"]["volumes"]}
    assert {"--plan_dir=/plans", "--cluster=orders", "--listen=0.0.0.0:9250"} <= set(container["args"])
    [source] = [v for v in pod["spec"]["volumes"] if v["name"] == "plans"][0]["projected"]["sources"]
    chosen(objects, "ConfigMap", source["configMap"]["name"])


def test_plans_that_come_later_change_no_fragment(tmp_path):
    """Else each would ask for a new patch, and a restart of the JobManager."""
    before, after = (chart.fragments(render(tmp_path, {"mode": "sidecar", "plans": {"files": files}}))
                     for files in ({}, {"a.json": "{}"}))
    assert before == after and "optional: true" in before["pod-template.yaml"]


def test_fragment_is_that_of_the_manifests(tmp_path):
    """deploy/manifests/operator, by hand and with comments, runs the container alike."""
    ours = chart.flink_pod(render(tmp_path, MATRIX["sidecar"]))["spec"]["containers"][0]
    theirs = yaml.safe_load((ROOT / "deploy/manifests/operator/flinkdeployment.yaml").read_text())
    theirs = theirs["spec"]["jobManager"]["podTemplate"]["spec"]["containers"][1]
    for key in ("name", "image", "imagePullPolicy", "livenessProbe", "readinessProbe",
                "securityContext"):
        assert ours[key] == theirs[key], key
    without = {"--cluster=flink-sql"}  # here the pod's label `app`
    assert set(theirs["args"]) - without <= set(ours["args"])


def test_arguments_are_known_to_the_program(objects):
    known = set(re.findall(r"^  --(\w+)", sidecar.run("serve", "--help")[1], re.MULTILINE))
    for workload in workloads(objects):
        [container] = workload["spec"]["template"]["spec"]["containers"]
        verb, *flags = container["args"]
        assert verb == "serve"
        assert {re.match(r"--(\w+)", flag)[1] for flag in flags} <= known


def test_replicas_and_shards(tmp_path):
    def sets(values):
        return {w["metadata"]["name"].removeprefix(f"{chart.RELEASE}-flink-state-sidecar"): (
            w["kind"], w["spec"]["replicas"], {a for a in w["spec"]["template"]["spec"]["containers"][0][
                "args"] if a.startswith(("--shard", "--leader"))})
            for w in workloads(render(tmp_path, values))}
    assert sets({}) == {"": ("Deployment", 1, set())}
    assert sets({"replicas": 3}) == {"": ("Deployment", 3, {"--leader_election"})}
    assert sets({"shards": 4}) == {"": ("StatefulSet", 4, {"--shard=auto/4"})}
    both = ("StatefulSet", 4, {"--shard=auto/4", "--leader_election"})
    assert sets({"shards": 4, "replicas": 2}) == {"": both, "-b": both}
    kept = {"history": {"persistence": {"enabled": True}}}
    assert sets(kept) == {"": ("StatefulSet", 1, set())}
    assert sets({"replicas": 2, **kept}) == {"": ("StatefulSet", 2, {"--leader_election"})}


def test_a_selector_chooses_the_pods_and_not_that_of_the_test(objects):
    def fits(selector, labels):
        return selector.items() <= labels.items()
    [test] = chosen(objects, "Pod") or [{"metadata": {"labels": {}}}]
    for workload in workloads(objects):
        labels = workload["spec"]["template"]["metadata"]["labels"]
        assert fits(workload["spec"]["selector"]["matchLabels"], labels)
        selectors = [s["spec"]["selector"] for s in chosen(objects, "Service")]
        selectors += [s["spec"]["selector"]["matchLabels"]
                      for kind in ("PodDisruptionBudget", "PodMonitor") for s in chosen(objects, kind)]
        selectors += [p["spec"]["podSelector"]["matchLabels"] for p in chosen(objects, "NetworkPolicy")
                      if not p["metadata"]["name"].endswith("-test")]
        for selector in selectors:
            assert fits(selector, labels) and not fits(selector, test["metadata"]["labels"])
    for monitor in chosen(objects, "ServiceMonitor"):
        chosen_services = [s for s in chosen(objects, "Service") if fits(
            monitor["spec"]["selector"]["matchLabels"], s["metadata"]["labels"])]
        assert len(chosen_services) == 1, "each pod is scraped once"


def test_rules_and_dashboards_are_the_sources(tmp_path):
    objects = render(tmp_path, MATRIX["pod-monitor"])
    rules = yaml.safe_load((ROOT / "deploy/prometheus/rules.yaml").read_text())["groups"]
    [made] = chosen(objects, "PrometheusRule")
    assert {r["annotations"]["runbook_url"].rpartition("/")[0] for g in made["spec"]["groups"]
            for r in g["rules"] if "alert" in r} == {"https://wiki.test/runbooks"}
    for groups in (rules, made["spec"]["groups"]):
        for group in groups:
            for rule in group["rules"]:
                rule.get("annotations", {}).pop("runbook_url", None)
    assert made["spec"]["groups"] == rules
    dashboards = sorted((ROOT / "deploy/grafana/dashboards").glob("*.json"))
    maps = [m for m in chosen(objects, "ConfigMap") if "grafana_dashboard" in m["metadata"]["labels"]]
    texts = {key: text for m in maps for key, text in m["data"].items()}
    assert len(maps) == len(dashboards) > 0
    for file in dashboards:
        assert yaml.safe_load(texts[file.name]) == yaml.safe_load(file.read_text()), file.name


def test_monitors_name_the_job_as_the_rules_do(objects):
    """FlinkStateSidecarDown: a target that has never answered."""
    rules = (ROOT / "deploy/prometheus/rules.yaml").read_text(encoding="utf-8")
    [asked] = set(re.findall(r'[^_]up\{job=~"([^"]+)"\}', rules))
    for monitor in chosen(objects, "PodMonitor") + chosen(objects, "ServiceMonitor"):
        [endpoint] = monitor["spec"].get("endpoints") or monitor["spec"]["podMetricsEndpoints"]
        [relabeling] = endpoint["relabelings"]
        assert relabeling["targetLabel"] == "job" and re.fullmatch(asked, relabeling["replacement"])


def test_a_package_renders_the_same(tmp_path):
    chart.helm("package", CHART, "--destination", tmp_path)
    [package] = tmp_path.glob("*.tgz")
    with tarfile.open(package) as archive:
        assert all(member.isfile() for member in archive.getmembers())
    values = chart.values_file(tmp_path, MATRIX["pod-monitor"])
    first, second = (chart.helm("template", "x", source, "--values", values)[1]
                     for source in (CHART, package))
    assert first == second


@pytest.mark.parametrize("word", ["y", "123", "on", "1e3"])
def test_names_that_yaml_reads_as_something_else(word, tmp_path):
    """Release, namespace and overrides of such a name stay texts."""
    for values in (MATRIX["shards-standby"], MATRIX["sidecar-plans"],
                   {**MATRIX["everything"], "fullnameOverride": word, "nameOverride": word,
                    "watch": {"namespaces": [word]}}):
        out = chart.helm("template", word, CHART, "--namespace", word, "--values",
                         chart.values_file(tmp_path, values))[1]

        def walk(part, key=""):
            if isinstance(part, dict):
                for inner, value in part.items():
                    walk(value, inner)
            elif isinstance(part, list):
                for value in part:
                    walk(value, key)
            elif key in ("name", "namespace", "app.kubernetes.io/instance", "app.kubernetes.io/name"):
                assert isinstance(part, str), (key, part)
        for document in yaml.safe_load_all(out):
            walk(document)


def test_version_is_the_projects():
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(flink-state-sidecar VERSION ([\d.]+)", cmake)[1]
    about = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    assert (about["appVersion"], about["version"]) == (version, version)


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


def test_manifests_without_helm_are_rendered_from_the_chart():
    checked = subprocess.run([sys.executable, "-B", ROOT / "deploy/manifests/generate.py", "--check"],
                             capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stderr
