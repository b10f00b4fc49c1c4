"""deploy/chart as it is rendered: no cluster is needed for what is asked here."""

import re
import subprocess
import sys
import tarfile

import yaml
from harness import chart, sidecar
from harness.chart import CHART, MATRIX, ROOT, chosen, render, workloads


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


def test_program_starts_with_the_fragments_arguments_and_rules(tmp_path):
    """The example of docs/user/rules.md, given as values, arrives as the program reads it: dates, too."""
    example = (ROOT / "docs/user/rules.md").read_text(encoding="utf-8")
    example = re.search(r"(?:^    .*\n)+", example, re.MULTILINE)[0]
    values = tmp_path / "values.yaml"
    values.write_text("mode: sidecar\nrules:\n  content:\n" + example.replace("    ", "        ", 1)
                      .replace("\n    ", "\n        "))
    text = chart.helm("template", chart.RELEASE, CHART, "--values", values)[1]
    objects = list(yaml.safe_load_all(text))
    rules = chosen(objects, "ConfigMap", f"{chart.RELEASE}-flink-state-sidecar-rules")["data"]["rules.yaml"]
    file = tmp_path / "rules" / "rules.yaml"
    for folder in ("plans", "history", "rules"):
        (tmp_path / folder).mkdir()
    file.write_text(rules)
    flags = [re.sub(r"=/(history|rules)", rf"={tmp_path}/\1", flag).replace("$(FLINK_CLUSTER)", "orders")
             for flag in chart.flink_pod(objects)["spec"]["containers"][0]["args"][1:]
             if not flag.startswith(("--listen", "--jobmanager_url", "--plan_dir", "--poll_interval"))]
    with sidecar.Sidecar("http://127.0.0.1:1", tmp_path / "plans", tmp_path, flags=flags) as side:
        success = re.findall(r'collector_success{(?:cluster="orders",)?collector="(rules|history)"} (\d)',
                             side.metrics())
        assert dict(success).get("rules") == "1", side.metrics()
    file.write_text(rules.replace("until", "unti1"))
    code, _, err = sidecar.run("serve", "--listen=127.0.0.1:0", *flags)
    assert code == 2 and "unti1" in err, err


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


def test_version_is_the_projects():
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(flink-state-sidecar VERSION ([\d.]+)", cmake)[1]
    about = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    assert (about["appVersion"], about["version"]) == (version, version)


def test_manifests_without_helm_are_rendered_from_the_chart():
    checked = subprocess.run([sys.executable, "-B", ROOT / "deploy/manifests/generate.py", "--check"],
                             capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stderr
