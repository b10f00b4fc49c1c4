"""No dashboard, rule or page uses a metric or a label that the sidecar does not have.

docs/metrics.md is the measure: a unit test holds it equal to the exporter's own table, both ways.
"""

import json
import pathlib
import re

import pytest
import yaml

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
DOCS = REPOSITORY / "docs"
DEPLOY = REPOSITORY / "deploy"
EXPOSITION = (HERE / "exposition.txt").read_text(encoding="utf-8")
TABLE = (REPOSITORY / "exporters" / "prometheus" / "metric_table.cc").read_text(encoding="utf-8")
METRICS_PAGE = (DOCS / "metrics.md").read_text(encoding="utf-8")

# Name → (type, labels) as documented.
METRICS = {name: (kind, re.findall(r"`(\w+)`", labels)) for name, kind, labels in re.findall(
    r"^\| `(flink_state_\w+)` \| (\w+) \| ([^|]*) \|", METRICS_PAGE, re.MULTILINE)}
# What the exporter writes beside them, by its own source.
HELPS = {name: "".join(re.findall(r'"([^"]*)"', text)) for name, text in re.findall(
    r'\{"(flink_state_\w+)",\s*((?:"[^"]*"\s*)+),\s*MetricType::', TABLE)}

# What Prometheus adds: by the scrape, by an alert.
SCRAPE_LABELS = {"job", "instance", "namespace", "le"}
ALERT_LABELS = {"alertname", "alertstate", "severity", "reason"}
LABELS = {label for _, labels in METRICS.values() for label in labels}
SERIES = re.compile(r"(?<![\w:])(?:operator:)?(flink_state_\w+)(?::open10m)?(?:\{([^{}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*(?:"|%q)')
GROUPING = re.compile(r"\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^()]*)\)")


def base_of(metric):
    """A histogram's series belong to one metric."""
    for suffix in ("_bucket", "_sum", "_count"):
        stem = metric.removesuffix(suffix)
        if stem != metric and METRICS.get(stem, ("", []))[0] == "histogram":
            return stem
    return metric


def faults(text):
    """What is wrong with the metrics and labels of PromQL, or of a text with PromQL in it."""
    found = []
    for metric, matchers in SERIES.findall(text):
        known = METRICS.get(base_of(metric))
        if known is None:
            found.append(f"no metric {metric}")
            continue
        allowed = {*known[1], *SCRAPE_LABELS}
        found += [f"{metric} has no label {label}" for label in MATCHER.findall(matchers)
                  if label not in allowed]
    allowed = LABELS | SCRAPE_LABELS | ALERT_LABELS
    found += [f"no label {label}" for group in GROUPING.findall(text)
              for label in group.replace(",", " ").split() if label not in allowed]
    return found


def strings(value):
    """Every text in a JSON or YAML value."""
    if isinstance(value, str):
        yield value
    for inner in (value.values() if isinstance(value, dict) else
                  value if isinstance(value, list) else ()):
        yield from strings(inner)


def queries_of_dashboard(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("expr", "definition", "query") and isinstance(inner, str):
                yield inner
            else:
                yield from queries_of_dashboard(inner)
    if isinstance(value, list):
        for inner in value:
            yield from queries_of_dashboard(inner)


def test_the_page_is_read_as_the_exporter_has_it():
    assert METRICS.keys() == HELPS.keys() and len(METRICS) >= 19
    assert METRICS["flink_state_up"] == ("gauge", ["cluster"])


def test_faults_are_found():
    assert faults('flink_state_operator_sise_bytes{cluster="a"}') == [
        "no metric flink_state_operator_sise_bytes"]
    assert faults('flink_state_up{clutser="a", job="b"}') == ["flink_state_up has no label clutser"]
    assert faults("sum by (job_id, vertx_id) (flink_state_size_bytes)") == ["no label vertx_id"]
    assert faults('rate(flink_state_sidecar_poll_duration_seconds_bucket{le="1"}[5m])') == []
    assert faults("rate(flink_state_size_bytes_bucket[5m])") == [
        "no metric flink_state_size_bytes_bucket"]


def test_the_exposition_has_every_metric_as_the_exporter_writes_it():
    assert dict(re.findall(r"^# HELP (\w+) (.+)$", EXPOSITION, re.MULTILINE)) == HELPS
    assert dict(re.findall(r"^# TYPE (\w+) (\w+)$", EXPOSITION, re.MULTILINE)) == {
        name: kind for name, (kind, _) in METRICS.items()}


def test_the_exposition_has_every_label_in_the_exporter_s_order():
    seen = {name: set() for name in METRICS}
    for metric, labels in re.findall(r"^(flink_state_\w+)(?:\{(.*)\})? \S+$", EXPOSITION, re.MULTILINE):
        names = [label for label in re.findall(r'(\w+)="(?:[^"\\]|\\.)*"', labels) if label != "le"]
        documented = METRICS[base_of(metric)][1]
        assert names == [label for label in documented if label in names], metric
        seen[base_of(metric)].update(names)
    # `plan` of a finding: only findings about a plan have it.
    assert {(name, label) for name, (_, labels) in METRICS.items() for label in labels
            if label not in seen[name]} == {("flink_state_finding", "plan")}


@pytest.mark.parametrize("file", sorted((DEPLOY / "grafana" / "dashboards").glob("*.json")),
                         ids=lambda file: file.stem)
def test_dashboards(file):
    queries = list(queries_of_dashboard(json.loads(file.read_text(encoding="utf-8"))))
    assert sum("flink_state_" in query for query in queries) > 5
    # {__name__=~"flink_state_(a|b)", …} is the metrics that it stands for.
    spelled = [re.sub(r'\{__name__=~"(\w+)\(([\w|]+)\)", ([^}]*)\}',
                      lambda m: " ".join(f"{m[1]}{name}{{{m[3]}}}" for name in m[2].split("|")), query)
               for query in queries]
    assert [fault for query in spelled for fault in faults(query)] == []


@pytest.mark.parametrize("file", sorted((DEPLOY / "prometheus").glob("*.yaml")),
                         ids=lambda file: file.stem)
def test_rules(file):
    texts = list(strings(yaml.safe_load(file.read_text(encoding="utf-8"))))
    assert sum("flink_state_" in text for text in texts) > 5
    assert [fault for text in texts for fault in faults(text)] == []


def test_labels_that_alerts_print_exist():
    text = (DEPLOY / "prometheus" / "rules.yaml").read_text(encoding="utf-8")
    printed = set(re.findall(r"\$labels\.(\w+)", text))
    assert printed and printed <= LABELS | SCRAPE_LABELS


@pytest.mark.parametrize("file", sorted([*DOCS.rglob("*.md"), *DEPLOY.rglob("*.md")]),
                         ids=lambda file: str(file.relative_to(REPOSITORY)))
def test_pages(file):
    text = file.read_text(encoding="utf-8")
    code = re.findall(r"(?:^ {4,}.*\n)+", text, re.MULTILINE) + re.findall(r"`([^`\n]+)`", text)
    assert [fault for part in code if "flink_state_" in part for fault in faults(part)] == []
