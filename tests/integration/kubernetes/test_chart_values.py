"""The chart's values: documented, checked, refused by name where they are wrong."""

import re

import pytest
import yaml
from harness import chart
from harness.chart import CHART, MATRIX, render
from harness.processes import HarnessError

VALUES = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
SCHEMA = yaml.safe_load((CHART / "values.schema.json").read_text(encoding="utf-8"))
README = (CHART / "README.md").read_text(encoding="utf-8")
# Values that are documented as a whole.
WHOLE = ("resources", "podSecurityContext", "securityContext", "grafana.dashboards.labels")


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
