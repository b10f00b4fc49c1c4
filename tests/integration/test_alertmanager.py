"""Alerts straight to a real Alertmanager.

An alert waits 12 minutes and more. alert_driver (built beside the sidecar) is the same exporter
with a clock that the test moves; the findings it is given are those of a sidecar that watches a
real Flink.
"""

import base64
import contextlib
import http.server
import os
import pathlib
import socket
import ssl
import subprocess
import threading
import time

import pytest

from harness import sidecar
from harness.alertmanager import Alertmanager, WebhookReceiver
from harness.processes import wait_until

MINUTE_MS = 60_000
PLACE = {"job": "totals", "job_id": "a" * 32, "vertex_id": "b" * 32,
         "operator": "GroupAggregate[5]", "state": "groupAggregateState"}
DOWN = "http://127.0.0.1:1"  # nobody listens there


class Driver:
    """alert_driver, which sees 5 minutes pass in a moment. The clock ends at the real time: an
    Alertmanager goes by its own."""

    def __init__(self, urls, ca_file=None):
        binary = pathlib.Path(sidecar.binary()).parent / "alert_driver"
        self._process = subprocess.Popen(
            [binary, ",".join(urls), *([ca_file] if ca_file else [])], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(timeout=10)

    def tell(self, *words):
        self._process.stdin.write("\t".join(map(str, words)) + "\n")
        self._process.stdin.flush()

    def find(self, finding):
        self.tell("find", finding["code"], finding["severity"],
                  *(finding.get(key, "") for key in ("job", "job_id", "vertex_id", "operator",
                                                     "state", "message")))

    def poll(self, at_ms=None):
        """One poll, now or at that time: target → "ok" or the error; empty: nothing was due."""
        self.tell("at", now_ms() if at_ms is None else at_ms)
        self.tell("poll")
        outcomes = {}
        while (line := self._process.stdout.readline().rstrip("\n")) != ".":
            assert line, "the driver has ended"
            _, target, outcome = line.split("\t")
            outcomes[target] = outcome
        return outcomes

    def live_through(self, minutes):
        """Polls every 5 minutes of the last `minutes`; the outcome of the last poll, which is now."""
        begin = now_ms() - minutes * MINUTE_MS
        for step in range(0, minutes, 5):
            self.poll(begin + step * MINUTE_MS)
        return self.poll(begin + minutes * MINUTE_MS)


def now_ms():
    return int(time.time() * 1000)


def finding(code, severity="warning", **more):
    return {"code": code, "severity": severity, "message": "12 KiB/s more.", **PLACE, **more}


@contextlib.contextmanager
def alertmanager(folder, **options):
    with WebhookReceiver() as webhook, Alertmanager(webhook.url, folder, **options) as am:
        yield am, webhook


# What today's findings of the demo's jobs become.
ALERT_OF = {"ttl-from-job-default": "FlinkStateTtlFromJobDefault",
            "ttl-mismatch": "FlinkStateTtlMismatch",
            "plan-missing": "FlinkStatePlanMissing",
            "plan-drift": "FlinkStatePlanDrift",
            "plan-ambiguous": "FlinkStatePlanAmbiguous",
            "forever-state": "FlinkStateKeptForever"}


def test_findings_of_a_real_flink_reach_alertmanager(lab, tmp_path):
    found = [f for f in lab.findings() if f["severity"] != "info" and f["code"] in ALERT_OF]
    codes = {f["code"] for f in found}
    assert "ttl-from-job-default" in codes, lab.findings()
    with alertmanager(tmp_path, path="/team/am") as (am, webhook), Driver([am.url]) as driver:
        for one in found:
            driver.find(one)
        assert driver.live_through(60) == {am.url: "ok"}
        wait_until("the webhook", lambda: len(webhook.alerts(status="firing")) >= len(found), 20)
        # Of all alerts one each, under the labels of Prometheus' alert.
        known = {tuple(alert["labels"].get(label, "") for label in
                       ("alertname", "flink_job", "job_id", "vertex_id", "operator", "state"))
                 for alert in webhook.alerts(status="firing")}
        assert known == {(ALERT_OF[f["code"]], f["job"], f["job_id"], f.get("vertex_id", ""),
                          f.get("operator", ""), f.get("state", "")) for f in found}
        for alert in webhook.alerts():
            assert alert["labels"]["severity"] == "warning"
            assert alert["labels"]["cluster"] == "driven"
            assert alert["annotations"]["description"] in {f["message"] for f in found}
            assert alert["annotations"]["summary"].endswith(" on cluster driven.")
            name = alert["labels"]["alertname"]
            assert alert["annotations"]["runbook_url"] == f"https://wiki.test/runbooks/{name}.md"
            assert alert["generatorURL"] == "http://driver:1/api/v1/findings"
        listed = am.amtool("alert", "query", "alertname=FlinkStateTtlFromJobDefault")
        assert "did not get the TTL of its hints" in listed
        for code in codes:
            driver.tell("forget", code)
        assert driver.poll() == {am.url: "ok"}
        wait_until("all resolved",
                   lambda: len(webhook.alerts(status="resolved")) >= len(found), 20)
        assert am.amtool("alert", "query").strip().count("\n") == 0


def test_fires_again_and_again_and_ends(tmp_path):
    with alertmanager(tmp_path) as (am, webhook), Driver([am.url]) as driver:
        driver.find(finding("capacity", "critical"))
        driver.live_through(15)
        first = wait_until("the alert", lambda: am.alerts().get("FlinkStateFillsUp"), 10)
        assert first["status"]["state"] == "active"
        wait_until("the page", lambda: webhook.alerts("FlinkStateFillsUp", "firing"), 10)

        assert driver.poll(now_ms() + 30_000) == {}
        assert driver.poll(now_ms() + 65_000) == {am.url: "ok"}
        again = wait_until("a later end", lambda: (
            (alert := am.alerts()["FlinkStateFillsUp"])["endsAt"] > first["endsAt"] and alert), 10)
        assert again["startsAt"] == first["startsAt"]
        assert len(webhook.alerts()) == 1  # told once

        driver.tell("ack", "capacity")
        driver.poll()
        resolved = wait_until("the end", lambda: webhook.alerts("FlinkStateFillsUp", "resolved"), 10)
        assert resolved[0]["labels"]["severity"] == "critical"


def test_an_unreachable_jobmanager_wakes_and_freezes_the_rest(tmp_path):
    with alertmanager(tmp_path) as (am, webhook), Driver([am.url]) as driver:
        driver.find(finding("state-growing"))
        driver.live_through(15)
        wait_until("the ticket", lambda: webhook.alerts("FlinkStateGrowing", "firing"), 10)
        driver.tell("down")
        driver.tell("forget", "state-growing")
        begin = now_ms()
        for minute in range(0, 11):
            driver.poll(begin + minute * MINUTE_MS)
        wait_until("the page",
                   lambda: webhook.alerts("FlinkStateJobManagerUnreachable", "firing"), 10)
        assert set(am.alerts()) == {"FlinkStateGrowing", "FlinkStateJobManagerUnreachable"}
        assert webhook.alerts(status="resolved") == []


class Odd(http.server.BaseHTTPRequestHandler):
    """An Alertmanager that answers `status`, after it has kept what came."""

    status = 500

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, self.headers.get("Authorization"), body))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def odd_server(status, tls=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                             type("Handler", (Odd,), {"status": status}))
    server.seen = []
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def test_a_bad_alertmanager_hinders_no_other(tmp_path):
    silent = socket.create_server(("127.0.0.1", 0))  # takes connections, never answers
    with silent, alertmanager(tmp_path) as (am, webhook), odd_server(500) as broken, \
            odd_server(400) as choosy:
        urls = [f"http://127.0.0.1:{silent.getsockname()[1]}", DOWN,
                *(f"http://127.0.0.1:{s.server_address[1]}" for s in (broken, choosy)), am.url]
        with Driver(urls) as driver:
            driver.find(finding("capacity", "critical"))
            for minute in (13, 5):
                assert driver.poll(now_ms() - minute * MINUTE_MS) == {}
            begin = time.monotonic()
            outcomes = driver.poll()
            assert time.monotonic() - begin < 2.5
            assert [outcomes[url] == "ok" for url in urls] == [False] * 4 + [True]
            wait_until("the page", lambda: webhook.alerts("FlinkStateFillsUp", "firing"), 10)
            assert "HTTP status 500" in outcomes[urls[2]]
            assert "HTTP status 400" in outcomes[urls[3]]


def test_https_with_a_ca_file_and_a_password(localhost_certificate):
    ca_file, key = localhost_certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ca_file, key)
    with odd_server(200, context) as server:
        base = f"localhost:{server.server_address[1]}/team/am"
        for given, works in ((ca_file, True), (None, False)):
            with Driver([f"https://anna:s%40cret@{base}"], given) as driver:
                driver.find(finding("capacity", "critical"))
                outcomes = driver.live_through(15)
                assert list(outcomes) == [f"https://{base}"]  # no user, no password
                assert (outcomes[f"https://{base}"] == "ok") == works, outcomes
        assert server.seen
        path, authorization, _ = server.seen[0]
        assert path == "/team/am/api/v2/alerts"
        assert authorization == "Basic " + base64.b64encode(b"anna:s@cret").decode()


def test_serve_posts_nothing_before_its_time(lab, tmp_path):
    """And polls and scrapes do not care that one Alertmanager is down."""
    with alertmanager(tmp_path) as (am, webhook), sidecar.Sidecar(
            lab.cluster.url, lab.cluster.plan_dir, tmp_path, poll_interval="500ms",
            flags=[f"--alertmanager_url={am.url},{DOWN}",
                   "--runbook_base_url=https://wiki.test/runbooks/"]) as side:
        wait_until("findings", lambda: side.findings(), 30, side.process)
        time.sleep(3)
        assert am.alerts() == {} and webhook.alerts() == []
        assert "posting alerts" not in side.log()
        assert 'flink_state_up{cluster="default"} 1' in side.metrics()
        begin = time.monotonic()
        assert side.stop() == 0
        assert time.monotonic() - begin < 3


@pytest.mark.parametrize("flag, named", [
    ("--alertmanager_url=http://anna:secret@am:99999", "--alertmanager_url"),
    ("--alertmanager_url=am:9093", "--alertmanager_url"),
    ("--alertmanager_url=http://am --runbook_base_url=wiki", "--runbook_base_url"),
    ("--alertmanager_url=http://am --ca_file=/nowhere/ca.pem", "/nowhere/ca.pem"),
])
def test_bad_flags_end_the_start(flag, named):
    code, out, err = sidecar.run("serve", "--listen=127.0.0.1:0", *flag.split())
    assert code == 2 and out == ""
    lines = [line for line in err.splitlines() if named in line]
    assert len(lines) == 1 and "secret" not in err, err


def maps_libcurl(process):
    return "/libcurl.so" in pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8")


@pytest.mark.parametrize("flags, loaded", [([], False), ([f"--alertmanager_url={DOWN}"], True)])
def test_libcurl_is_loaded_only_for_an_alertmanager(tmp_path, flags, loaded):
    """It takes 3.6 MiB (docs/adr/0009-libcurl-when-needed.md)."""
    with sidecar.Sidecar(DOWN, tmp_path, tmp_path, flags=flags) as side:
        assert maps_libcurl(side.process) == loaded


def test_without_libcurl_the_start_ends_with_a_line_that_says_so(tmp_path):
    (tmp_path / "libcurl.so.4").write_bytes(b"")  # found first, and no library
    done = subprocess.run(
        [sidecar.binary(), "serve", "--listen=127.0.0.1:0", f"--alertmanager_url={DOWN}"],
        env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=30, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = [line for line in done.stderr.splitlines() if "libcurl4 is not installed" in line]
    assert "--alertmanager_url" in line
