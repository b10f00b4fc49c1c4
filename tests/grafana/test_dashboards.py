"""The dashboards: in step with their generator, of sound shape, and every query of every panel and
variable returns data from a real Prometheus, for at least one of its jobs.

Two are asked. One scrapes exposition.txt, served by this test, which has every metric with every
label. The other one is that of deploy/demo: a sidecar beside a real Flink. With FSS_PROMETHEUS_URL
set, the running Prometheus there (of a demo that was started by hand, say) takes its place.
"""

import contextlib
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
GENERATE = REPOSITORY / "deploy" / "grafana" / "generate.py"
FILES = sorted((GENERATE.parent / "dashboards").glob("*.json"))
EXPOSITION = (HERE / "exposition.txt").read_text(encoding="utf-8")

# Current panels only; `graph`, `singlestat`, `table-old` and their like are gone from Grafana.
PANEL_TYPES = {"row", "stat", "table", "timeseries", "heatmap"}
GRID_WIDTH = 24
START_SECONDS = 60
SCRAPES = 4  # so that rates have something to compare
DEMO_SECONDS = 240
# What the demo's Prometheus has to know first: verdicts need a dozen checkpoints, RocksDB's figures
# come in the second minute.
DEMO_HAS = ("flink_state_growth_bytes_per_second", "flink_state_seconds_until_full",
            "flink_state_entry_live_bytes", "flink_state_entry_keys")

# (panel, query) without data in a demo of a few minutes, and why. The exposition has data for each.
NOT_IN_DEMO = {
    ("Growth by entry", "A"): "an entry's own trend needs a dozen samples, one a minute",
    ("State entries", "D"): "an entry's own trend needs a dozen samples, one a minute",
    ("Clusters by replica", "A"): "the demo's sidecar is told its one cluster",
    ("Replica that polls", "A"): "the demo's sidecar is told its one cluster",
}

DASHBOARDS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in FILES}


def panels_of(dashboard):
    for panel in dashboard["panels"]:
        yield panel
        yield from panel.get("panels", [])


def targets():
    """(dashboard, (panel, query's letter), query) of every query there is."""
    return [pytest.param(name, (panel["title"], target["refId"]), target["expr"],
                         id=f"{name}: {panel['title']} {target['refId']}")
            for name, dashboard in DASHBOARDS.items() for panel in panels_of(dashboard)
            for target in panel.get("targets", [])]


def variables():
    return [pytest.param(name, v["definition"], id=f"{name}: {v['name']}")
            for name, dashboard in DASHBOARDS.items() for v in dashboard["templating"]["list"]
            if v["type"] == "query"]


# --- shape ----------------------------------------------------------------------------------------


def test_dashboards_are_up_to_date():
    checked = subprocess.run([sys.executable, "-B", GENERATE, "--check"], capture_output=True, text=True,
                             timeout=60)
    assert checked.returncode == 0, checked.stderr
    assert set(DASHBOARDS) == {"flink-state-overview", "flink-state-job", "flink-state-sidecar"}


@pytest.mark.parametrize("name", DASHBOARDS)
def test_top_level(name):
    dashboard = DASHBOARDS[name]
    assert dashboard["uid"] == name
    assert dashboard["schemaVersion"] >= 39
    assert dashboard["id"] is None, "an id belongs to one Grafana"
    assert [v["name"] for v in dashboard["templating"]["list"]][0] == "datasource"


@pytest.mark.parametrize("name", DASHBOARDS)
def test_panels_are_of_current_types_and_do_not_overlap(name):
    taken, ids = set(), set()
    for panel in panels_of(DASHBOARDS[name]):
        assert panel["type"] in PANEL_TYPES
        assert panel["id"] not in ids
        ids.add(panel["id"])
        grid = panel["gridPos"]
        assert grid["x"] + grid["w"] <= GRID_WIDTH
        cells = {(x, y) for x in range(grid["x"], grid["x"] + grid["w"])
                 for y in range(grid["y"], grid["y"] + grid["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


@pytest.mark.parametrize("name", DASHBOARDS)
def test_panels_say_what_they_show(name):
    for panel in panels_of(DASHBOARDS[name]):
        assert panel["title"]
        if panel["type"] == "row":
            continue
        assert panel["description"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["targets"]
        for target in panel["targets"]:
            assert target["datasource"] == {"type": "prometheus", "uid": "${datasource}"}


@pytest.mark.parametrize("name", DASHBOARDS)
def test_columns_of_tables_are_those_of_their_queries(name):
    """A label that no query keeps, or an override of a column that is not there, shows nothing."""
    for panel in panels_of(DASHBOARDS[name]):
        if panel["type"] != "table":
            continue
        steps = {step["id"]: step["options"] for step in panel["transformations"]}
        assert ("merge" in steps) == (len(panel["targets"]) > 1)
        labels = {label for t in panel["targets"] for group in re.findall(r"by \(([^)]*)\)", t["expr"])
                  for label in group.replace(" ", "").split(",")}
        values = {f"Value #{t['refId']}" for t in panel["targets"]}
        columns = labels | (values if "merge" in steps else {"Value"})
        names = steps["organize"]["renameByName"]
        assert set(steps["filterFieldsByName"]["include"]["names"]) == set(names)
        assert set(names) <= columns
        shown = set(names.values())
        assert {o["matcher"]["options"] for o in panel["fieldConfig"]["overrides"]} <= shown
        assert {s["displayName"] for s in panel["options"].get("sortBy", [])} <= shown
        assert all(target["format"] == "table" and target["instant"] for target in panel["targets"])


def links_in(value):
    if isinstance(value, dict):
        if isinstance(value.get("url"), str):
            yield value["url"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from links_in(item)


@pytest.mark.parametrize("name", DASHBOARDS)
def test_links_lead_to_dashboards_and_their_variables(name):
    for url in filter(None, links_in(DASHBOARDS[name]["panels"])):
        to = re.match(r"/d/([a-z-]+)\?", url)[1]
        there = {v["name"] for v in DASHBOARDS[to]["templating"]["list"]}
        assert set(re.findall(r"var-(\w+)=", url)) <= there


def test_overview_leads_to_the_job():
    assert any(url.startswith("/d/flink-state-job?")
               for url in links_in(DASHBOARDS["flink-state-overview"]["panels"]))


@pytest.mark.parametrize("name", DASHBOARDS)
def test_variables_in_queries_are_defined(name):
    dashboard = DASHBOARDS[name]
    defined = {v["name"] for v in dashboard["templating"]["list"]} | {"__rate_interval"}
    text = json.dumps([[t["expr"] for p in panels_of(dashboard) for t in p.get("targets", [])],
                       [v.get("definition", "") for v in dashboard["templating"]["list"]]])
    assert set(re.findall(r"\$(\w+)", text)) <= defined


def test_metrics_of_the_dashboards_are_documented():
    documented = (REPOSITORY / "docs" / "metrics.md").read_text(encoding="utf-8")
    used = {metric for target in targets() for metric in re.findall(r"\bflink_state_\w+", target.values[2])}
    base = {re.sub(r"(_duration_seconds)_(bucket|sum|count)$", r"\1", metric) for metric in used}
    assert base and {metric for metric in base if f"`{metric}`" not in documented} == set()


def test_every_metric_has_a_place_on_a_dashboard():
    shown = " ".join(target.values[2] for target in targets())
    metrics = set(re.findall(r"^# TYPE (\w+)", EXPOSITION, re.MULTILINE))
    assert {metric for metric in metrics if metric not in shown} == set()


# --- data -----------------------------------------------------------------------------------------


class Sidecar(http.server.BaseHTTPRequestHandler):
    """Serves the exposition; counters and histograms grow from scrape to scrape."""

    scrapes = 0

    def do_GET(self):
        cls = type(self)
        cls.scrapes += 1
        lines = []
        for line in EXPOSITION.splitlines():
            found = re.match(r"(\w+(?:_total|_bucket|_sum|_count)(?:\{.*\})?) (\S+)$", line)
            if found:
                line = f"{found[1]} {float(found[2]) * cls.scrapes}"
            elif line.startswith("flink_state_sidecar_last_success_timestamp_seconds "):
                line = f"flink_state_sidecar_last_success_timestamp_seconds {time.time()}"
            lines.append(line)
        body = ("\n".join(lines) + "\n").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Prometheus:
    def __init__(self, url):
        self.url = url.rstrip("/")

    def ask(self, path, **parameters):
        """The data of an answer, or the error that Prometheus gave as AssertionError."""
        text = urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{text}", timeout=20) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{parameters}: {error.read().decode()}") from error

    def series(self, expr):
        return self.ask("query", query=expr)["result"]


@contextlib.contextmanager
def served():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sidecar)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def scraping(target, folder):
    config = folder / "prometheus.yml"
    config.write_text("global: {scrape_interval: 1s, scrape_timeout: 1s}\n"
                      "scrape_configs:\n"
                      "  - job_name: flink-state-sidecar\n"
                      f"    static_configs: [{{targets: ['127.0.0.1:{target}']}}]\n", encoding="utf-8")
    port = free_port()
    with open(folder / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}",
             f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"], stdout=log, stderr=log)
    try:
        yield Prometheus(f"http://127.0.0.1:{port}"), process
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_until_scraped(prometheus, process, folder):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, (folder / "log").read_text(encoding="utf-8")
        with contextlib.suppress(OSError, AssertionError):
            good = prometheus.series("count_over_time(flink_state_up[1m])")
            if good and float(good[0]["value"][1]) >= SCRAPES:
                return
        time.sleep(0.2)
    raise AssertionError(f"no {SCRAPES} scrapes within {START_SECONDS} s: "
                         + (folder / "log").read_text(encoding="utf-8"))


@contextlib.contextmanager
def demo(folder):
    """deploy/demo, until its Prometheus has what DEMO_HAS names."""
    with open(folder / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen([REPOSITORY / "deploy" / "demo"], stdout=subprocess.PIPE, stderr=log, text=True,
                                   env={**os.environ, "TMPDIR": str(folder)})
    try:
        printed = ""
        while "Ctrl-C stops" not in printed:
            line = process.stdout.readline()
            assert line, printed + (folder / "log").read_text(encoding="utf-8")
            printed += line
        asked = Prometheus(re.search(r"^Prometheus +(http://[\d.:]+)/", printed, re.MULTILINE)[1])
        deadline = time.monotonic() + DEMO_SECONDS
        while missing := [name for name in DEMO_HAS if not asked.series(name)]:
            assert time.monotonic() < deadline, f"not within {DEMO_SECONDS} s: {missing}"
            assert process.poll() is None
            time.sleep(1)
        yield asked
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.fixture(scope="module", params=["exposition", "demo"])
def prometheus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "exposition":
        with served() as port, scraping(port, folder) as (asked, process):
            wait_until_scraped(asked, process, folder)
            yield asked
    elif url := os.environ.get("FSS_PROMETHEUS_URL"):
        yield Prometheus(url)
    else:
        with demo(folder) as asked:
            yield asked


@pytest.fixture(scope="module")
def jobs(prometheus):
    """(cluster, job) of all that the Prometheus knows."""
    known = prometheus.series("max by (cluster, flink_job) (flink_state_job_info)")
    assert known
    return sorted((s["metric"]["cluster"], s["metric"]["flink_job"]) for s in known)


def quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def substituted(dashboard, text, cluster, job):
    """What Grafana makes of the variables: a chosen value, or `.*` for All."""
    chosen = {"cluster": cluster, "job": job}
    for v in DASHBOARDS[dashboard]["templating"]["list"]:
        value = v.get("allValue") if v.get("includeAll") else quoted(chosen.get(v["name"], ""))
        if v["type"] == "query":
            text = re.sub(rf"\${v['name']}\b", lambda _, value=value: value, text)
    return text.replace("$__rate_interval", "1m")


@pytest.mark.parametrize("dashboard, place, expr", targets())
def test_panel_has_data(request, prometheus, jobs, dashboard, place, expr):
    found = []
    for cluster, job in jobs:
        asked = substituted(dashboard, expr, cluster, job)
        assert "$" not in asked
        found = prometheus.series(asked)
        if any(series["value"][1] != "NaN" for series in found):
            return
    if request.node.callspec.params["prometheus"] == "demo" and place in NOT_IN_DEMO:
        pytest.skip(NOT_IN_DEMO[place])
    pytest.fail(f"no data for {expr}: {found}")


def test_exceptions_are_of_panels_that_exist():
    assert set(NOT_IN_DEMO) <= {target.values[1] for target in targets()}


@pytest.mark.parametrize("dashboard, definition", variables())
def test_variable_has_values(prometheus, jobs, dashboard, definition):
    # As Grafana reads it: the last comma parts the selector from the label.
    selector, label = re.fullmatch(r"label_values\((.+), (\w+)\)", definition).groups()
    for cluster, job in jobs:
        series = prometheus.ask("series", **{"match[]": substituted(dashboard, selector, cluster, job)})
        if any(label in one for one in series):
            return
    pytest.fail(f"no values for {definition}")


@pytest.mark.parametrize("name", DASHBOARDS)
def test_annotation_query_is_sound(prometheus, jobs, name):
    for annotation in DASHBOARDS[name]["annotations"]["list"]:
        if "expr" in annotation:
            prometheus.series(substituted(name, annotation["expr"], *jobs[0]))


def test_rows_of_merged_tables_meet(prometheus, jobs):
    """Merging makes one row of what several queries say of one thing only if they share its labels."""
    for name, dashboard in DASHBOARDS.items():
        for panel in panels_of(dashboard):
            if panel["type"] != "table" or len(panel["targets"]) < 2:
                continue
            for cluster, job in jobs:
                asked = [substituted(name, t["expr"], cluster, job) for t in panel["targets"]]
                first = [set(s["metric"].items()) for s in prometheus.series(asked[0])]
                if not first:
                    continue
                keys = set.intersection(*({k for k, _ in one} for one in first))
                for expr in asked[1:]:
                    rows = [{(k, v) for k, v in s["metric"].items() if k in keys}
                            for s in prometheus.series(expr)]
                    assert not rows or any(r and r <= one for r in rows for one in first), panel["title"]


def test_exposition_is_clean():
    checked = subprocess.run(["promtool", "check", "metrics"], input=EXPOSITION, capture_output=True,
                             text=True, timeout=60)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")
