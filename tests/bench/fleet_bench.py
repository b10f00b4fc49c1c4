#!/usr/bin/env python3
"""What many clusters cost: serve --kubernetes against a fake API server with N clusters, whose
JobManagers are one nginx with static answers of M jobs each.

    tests/bench/fleet_bench.py [--clusters 300] [--jobs 5] [--dead 0] [--binary PATH] [--seconds 60]

Prints rows of a Markdown table for docs/benchmarks.md. Standard library and nginx. `--dead`: so
many further clusters accept connections and never answer.

Every poll of every cluster finds a new checkpoint of every job, the worst case of the steady state:
the answers' link moves once per interval.
"""

import argparse
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bench"))
sys.path.insert(0, str(ROOT / "tests" / "integration"))
sys.path.insert(0, str(ROOT / "deploy" / "lib"))
sys.dont_write_bytecode = True

import poll_bench  # noqa: E402
from harness.processes import Process, wait_until  # noqa: E402

INTERVAL_SECONDS = 15


class FakeApi(http.server.ThreadingHTTPServer):
    """Lists of Services; watches that say nothing until they are closed."""

    daemon_threads = True

    def __init__(self, services):
        super().__init__(("127.0.0.1", 0), Answers)
        self.services = services
        self.stopping = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.stopping.set()
        self.shutdown()


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):  # noqa: N802
        if "watch=1" in self.path:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.flush()
            self.server.stopping.wait()
            return
        if "/apis/" in self.path:
            return self._send(404, {"kind": "Status", "code": 404})
        items = self.server.services if "component%3Djobmanager" in self.path else []
        return self._send(200, {"metadata": {"resourceVersion": "1"}, "items": items})

    def _send(self, status, document):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def service(number, url):
    return {"metadata": {"namespace": f"team-{number % 20}", "name": f"cluster-{number}",
                         "uid": f"uid-{number}", "resourceVersion": "1",
                         "labels": {"component": "jobmanager"},
                         "annotations": {"flink-state-sidecar/rest-url": url}},
            "spec": {"ports": [{"name": "rest", "port": 8081}]}}


class Silent:
    """Accepts, and never says a word."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def count(pid, folder):
    return len(list(pathlib.Path(f"/proc/{pid}/{folder}").iterdir()))


def scrape(url):
    begin = time.monotonic()
    with urllib.request.urlopen(url + "/metrics", timeout=60) as answer:
        text = answer.read().decode()
    return time.monotonic() - begin, text


def total(text, name):
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.M))


def polls_by_cluster(text):
    name = "flink_state_sidecar_poll_duration_seconds_count"
    return {cluster: float(value) for cluster, value in
            re.findall(rf'^{name}{{cluster="([^"]*)"}} (\S+)$', text, re.M)}


def measure(options):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fleet-bench-"))
    site = process = api = None
    silent = Silent()
    try:
        site = poll_bench.Site(folder, options.jobs)
        services = [service(n, site.url) for n in range(options.clusters)]
        services += [service(n, silent.url)
                     for n in range(options.clusters, options.clusters + options.dead)]
        api = FakeApi(services)
        log = folder / "sidecar.log"
        process = Process("sidecar", [
            options.binary, "serve", "--kubernetes", "--listen=127.0.0.1:0",
            f"--kubernetes_api_server=http://127.0.0.1:{api.server_port}",
            f"--poll_interval={INTERVAL_SECONDS}s"], log)

        def port():
            found = re.search(r"\bport=(\d+)", log.read_text())
            return found and int(found.group(1))
        url = f"http://127.0.0.1:{wait_until('the port', port, 30, process)}"
        begin = time.monotonic()
        wait_until("every cluster's first poll",
                   lambda: total(scrape(url)[1], "flink_state_up") == options.clusters, 300,
                   process, every=0.5)
        first_round = time.monotonic() - begin
        time.sleep(2 * INTERVAL_SECONDS)  # until the polls are spread
        cpu, before, since = cpu_seconds(process.pid), scrape(url)[1], time.monotonic()
        scrapes = []
        while time.monotonic() - since < options.seconds:
            site.turn()
            time.sleep(INTERVAL_SECONDS)
            scrapes.append(scrape(url)[0])
        seconds, after = time.monotonic() - since, scrape(url)[1]
        cpu = cpu_seconds(process.pid) - cpu
        made = {cluster: polls - polls_by_cluster(before)[cluster]
                for cluster, polls in polls_by_cluster(after).items()}
        live = [polls for cluster, polls in made.items()
                if int(cluster.rsplit("-", 1)[1]) < options.clusters]
        rounds = seconds / INTERVAL_SECONDS
        poll_seconds = (total(after, "flink_state_sidecar_poll_duration_seconds_sum")
                        - total(before, "flink_state_sidecar_poll_duration_seconds_sum"))
        requests = (total(after, "flink_state_sidecar_rest_requests_total")
                    - total(before, "flink_state_sidecar_rest_requests_total"))
        return (f"| {options.clusters} + {options.dead} dead | {options.jobs} | {first_round:.1f} s "
                f"| {min(live):.0f} to {max(live):.0f} of {rounds:.1f} "
                f"| {requests / rounds:.0f} | {poll_seconds / rounds:.1f} s "
                f"| {cpu / rounds:.2f} s | {poll_bench.rss_mib(process.pid):.1f} MiB "
                f"| {count(process.pid, 'task')} | {count(process.pid, 'fd')} "
                f"| {statistics.median(scrapes) * 1000:.0f} ms | {len(after) / 2**20:.1f} MiB |")
    finally:
        if process is not None:
            process.stop()
        if site is not None:
            site.stop()
        if api is not None:
            api.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clusters", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=5)
    parser.add_argument("--dead", type=int, default=0)
    parser.add_argument("--vertices", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--binary", default=str(ROOT / "build/release/flink-state-sidecar"))
    options = parser.parse_args()
    poll_bench.VERTICES = options.vertices
    print("| clusters | jobs each | first round | polls in the time | requests a round "
          "| waited for answers, a round | CPU, a round | resident | threads | descriptors "
          "| /metrics | its size |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    print(measure(options), flush=True)


if __name__ == "__main__":
    main()
