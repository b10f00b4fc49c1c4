"""deploy/manifests: what is written there is safe, complete, and fits the program."""

import re
import subprocess

import pytest
import yaml

from kustomize import MANIFESTS, REPOSITORY, build, load_all, named

SIDECAR = "state-sidecar"
TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
VARIANTS = ("standalone", "operator")


def pod_of(variant):
    """The objects of a variant and the pod (metadata and spec) that holds the sidecar."""
    objects = build(MANIFESTS / variant)
    if variant == "standalone":
        return objects, named(objects, "Deployment", "flink-jobmanager")["spec"]["template"]
    deployment = named(objects, "FlinkDeployment", "flink-sql")
    return objects, deployment["spec"]["jobManager"]["podTemplate"]


def sidecar_of(pod):
    [container] = [c for c in pod["spec"]["containers"] if c["name"] == SIDECAR]
    return container


@pytest.fixture(params=VARIANTS)
def variant(request):
    return request.param


@pytest.fixture
def pod(variant):
    return pod_of(variant)[1]


@pytest.fixture
def sidecar(pod):
    return sidecar_of(pod)


def test_every_file_is_yaml_and_belongs_to_a_kustomization():
    files = sorted(MANIFESTS.rglob("*.yaml"))
    assert files
    used = {"podmonitor.yaml"}  # by hand: it needs the Prometheus operator
    for file in files:
        assert all(d for d in load_all(file)), f"{file}: an empty document"
        if file.name == "kustomization.yaml":
            [kustomization] = load_all(file)
            used |= {str((file.parent / r).resolve().relative_to(MANIFESTS))
                     for r in kustomization.get("resources", [])}
    for file in files:
        if file.name != "kustomization.yaml":
            assert str(file.relative_to(MANIFESTS)) in used, f"{file}: in no kustomization"


def test_objects_are_named_once(variant):
    objects = build(MANIFESTS / variant)
    names = [(o["apiVersion"], o["kind"], o["metadata"]["name"]) for o in objects]
    assert len(names) == len(set(names))


def test_sidecar_runs_with_least_rights(sidecar):
    security = sidecar["securityContext"]
    assert security["runAsNonRoot"] is True
    assert isinstance(security["runAsUser"], int) and security["runAsUser"] > 0
    assert isinstance(security["runAsGroup"], int) and security["runAsGroup"] > 0
    assert security["readOnlyRootFilesystem"] is True
    assert security["allowPrivilegeEscalation"] is False
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert security["seccompProfile"] == {"type": "RuntimeDefault"}
    assert "privileged" not in security


def test_sidecar_user_is_the_images(sidecar):
    dockerfile = (REPOSITORY / "deploy/image/Dockerfile").read_text(encoding="utf-8")
    users = re.findall(r"^USER (.+)$", dockerfile, re.MULTILINE)
    security = sidecar["securityContext"]
    assert users == [f"{security['runAsUser']}:{security['runAsGroup']}"]


def test_pod_shares_nothing_with_the_node_or_between_processes(pod):
    for key in ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"):
        assert key not in pod["spec"]
    for volume in pod["spec"]["volumes"]:
        assert "hostPath" not in volume


def test_standalone_pods_have_no_service_account_token():
    for o in build(MANIFESTS / "standalone"):
        if o["kind"] == "Deployment":
            assert o["spec"]["template"]["spec"]["automountServiceAccountToken"] is False


def test_native_sidecar_is_kept_from_the_token():
    _, pod = pod_of("operator")
    # The JobManager starts TaskManagers: the pod's token must stay.
    assert "automountServiceAccountToken" not in pod["spec"]
    [mount] = [m for m in sidecar_of(pod)["volumeMounts"] if m["mountPath"] == TOKEN_PATH]
    [volume] = [v for v in pod["spec"]["volumes"] if v["name"] == mount["name"]]
    assert volume == {"name": mount["name"], "emptyDir": {}}
    assert mount["readOnly"] is True
    for volume in pod["spec"]["volumes"]:
        assert "projected" not in volume and "secret" not in volume


def test_native_sidecar_stands_beside_the_jobmanager_alone():
    objects, pod = pod_of("operator")
    spec = named(objects, "FlinkDeployment", "flink-sql")["spec"]
    assert "podTemplate" not in spec and "podTemplate" not in spec["taskManager"]
    assert pod["spec"]["containers"][0]["name"] == "flink-main-container"
    # "flink:2.3.0-java17" goes with "v2_3".
    major, minor = re.match(r"flink:(\d+)\.(\d+)\.", spec["image"]).groups()
    assert spec["flinkVersion"] == f"v{major}_{minor}"


def test_resources_are_bounded(sidecar):
    for kind in ("requests", "limits"):
        assert set(sidecar["resources"][kind]) == {"cpu", "memory"}
    # docs/benchmarks.md: 64 MiB is the aim with 500 jobs.
    limit = re.fullmatch(r"(\d+)Mi", sidecar["resources"]["limits"]["memory"])
    assert int(limit[1]) >= 64


def test_plans_are_mounted_read_only_as_a_folder(variant, sidecar):
    objects, pod = pod_of(variant)
    [mount] = [m for m in sidecar["volumeMounts"] if m["name"] == "plans"]
    assert mount["readOnly"] is True
    assert "subPath" not in mount  # such a mount never sees a change
    [volume] = [v for v in pod["spec"]["volumes"] if v["name"] == "plans"]
    named(objects, "ConfigMap", volume["configMap"]["name"])
    assert f"--plan_dir={mount['mountPath']}" in sidecar["args"]


def test_every_mount_has_its_volume(variant):
    for o in build(MANIFESTS / variant):
        pods = []
        if o["kind"] == "Deployment":
            pods = [o["spec"]["template"]["spec"]]
        elif o["kind"] == "FlinkDeployment":
            pods = [o["spec"]["jobManager"]["podTemplate"]["spec"]]
        for spec in pods:
            volumes = {v["name"] for v in spec["volumes"]}
            mounts = {m["name"] for c in spec["containers"] for m in c.get("volumeMounts", [])}
            assert mounts == volumes, o["metadata"]["name"]


def test_port_is_one_everywhere(pod, sidecar):
    [port] = sidecar["ports"]
    assert port["name"] == "metrics"
    number = port["containerPort"]
    [listen] = [a for a in sidecar["args"] if a.startswith("--listen=")]
    assert listen == f"--listen=0.0.0.0:{number}"
    annotations = pod["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(number)
    assert annotations["prometheus.io/scrape"] == "true"
    assert annotations["prometheus.io/path"] == "/metrics"
    used = [p["containerPort"] for c in pod["spec"]["containers"] for p in c.get("ports", [])]
    assert len(used) == len(set(used)), "two containers of a pod on one port"


def test_probes_ask_the_sidecars_own_port(sidecar):
    assert sidecar["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "metrics"}
    assert sidecar["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "metrics"}


def test_standalone_services_select_the_pod_and_name_its_ports():
    objects, pod = pod_of("standalone")
    labels = pod["metadata"]["labels"]
    ports = {p["name"] for c in pod["spec"]["containers"] for p in c["ports"]}
    services = [o for o in objects if o["kind"] == "Service"]
    assert {s["metadata"]["name"] for s in services} == {"flink-jobmanager", "flink-state-sidecar"}
    for service in services:
        assert service["spec"]["selector"].items() <= labels.items()
        assert {p["targetPort"] for p in service["spec"]["ports"]} <= ports
    # A sidecar that is not ready must not hide the JobManager from its TaskManagers.
    jobmanager = named(objects, "Service", "flink-jobmanager")
    assert jobmanager["spec"]["publishNotReadyAddresses"] is True


def test_standalone_deployments_select_their_own_pods():
    for o in build(MANIFESTS / "standalone"):
        if o["kind"] == "Deployment":
            labels = o["spec"]["template"]["metadata"]["labels"]
            assert o["spec"]["selector"]["matchLabels"].items() <= labels.items()


def test_flink_config_is_yaml_and_names_the_service():
    objects, pod = pod_of("standalone")
    config = named(objects, "ConfigMap", "flink-config")["data"]
    flink = yaml.safe_load(config["config.yaml"])
    named(objects, "Service", flink["jobmanager"]["rpc"]["address"])
    [jobmanager] = [c for c in pod["spec"]["containers"] if c["name"] == "jobmanager"]
    ports = {p["name"]: p["containerPort"] for p in jobmanager["ports"]}
    assert ports["rpc"] == flink["jobmanager"]["rpc"]["port"]
    assert ports["blob-server"] == flink["blob"]["server"]["port"]
    [url] = [a for a in sidecar_of(pod)["args"] if a.startswith("--jobmanager_url=")]
    assert url == f"--jobmanager_url=http://localhost:{ports['webui']}"


def test_podmonitor_fits_the_pod():
    [monitor] = load_all(MANIFESTS / "podmonitor.yaml")
    [endpoint] = monitor["spec"]["podMetricsEndpoints"]
    [rule] = monitor["spec"]["selector"]["matchExpressions"]
    _, pod = pod_of("standalone")
    assert pod["metadata"]["labels"][rule["key"]] in rule["values"]
    assert endpoint["port"] in {p["name"] for p in sidecar_of(pod)["ports"]}


def test_both_variants_run_the_sidecar_alike():
    first, second = (sidecar_of(pod_of(v)[1]) for v in VARIANTS)
    for key in ("image", "imagePullPolicy", "ports", "livenessProbe", "readinessProbe",
                "resources", "securityContext"):
        assert first[key] == second[key], key


def test_image_tag_is_the_projects_version(sidecar):
    cmake = (REPOSITORY / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(flink-state-sidecar VERSION ([\d.]+)", cmake)[1]
    assert sidecar["image"] == f"flink-state-sidecar:{version}"
    dockerfile = (REPOSITORY / "deploy/image/Dockerfile").read_text(encoding="utf-8")
    assert f'org.opencontainers.image.version="{version}"' in dockerfile


def test_arguments_are_known_to_the_program(binary, sidecar):
    verb, *flags = sidecar["args"]
    shown = subprocess.run([binary, verb, "--help"], capture_output=True, text=True, timeout=30)
    assert shown.returncode == 0, shown.stderr
    known = set(re.findall(r"^\s*--(\w+)", shown.stdout, re.MULTILINE))
    assert {re.match(r"--(\w+)=", f)[1] for f in flags} <= known


def test_program_starts_with_the_manifests_arguments(binary, sidecar, tmp_path):
    """As in the pod, but on a free port and with nobody at the JobManager's address."""
    changed = {"--plan_dir": tmp_path, "--listen": "127.0.0.1:0",
               "--jobmanager_url": "http://127.0.0.1:1"}
    args = [f"{a.split('=')[0]}={changed[a.split('=')[0]]}" if a.split("=")[0] in changed else a
            for a in sidecar["args"]]
    with subprocess.Popen([binary, *args], stderr=subprocess.PIPE, text=True) as process:
        try:
            line = process.stderr.readline()
            assert "serving" in line, line + process.stderr.read()
        finally:
            process.terminate()
        assert process.wait(timeout=10) == 0


def test_sample_plans_can_be_read(binary):
    plans = sorted((MANIFESTS / "plans").glob("*.json"))
    assert plans
    shown = subprocess.run([binary, "lint", "--fail_on=never", *plans],
                           capture_output=True, text=True, timeout=30)
    assert shown.returncode == 0, shown.stderr
