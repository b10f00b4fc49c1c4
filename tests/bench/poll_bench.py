#!/usr/bin/env python3
"""What a poll costs: the sidecar against static answers of N jobs, served by nginx.

    tests/bench/poll_bench.py [--jobs 10,100,500,1000] [--binary PATH] [--seconds 20]

Prints a Markdown table for docs/benchmarks.md. Standard library, nginx, curl.

Answers are files: a folder per checkpoint, and a symbolic link to the one of now. The link moves
before each poll, so that every poll finds a new checkpoint of every job, the worst case of the
steady state: 2 + 2 requests per job. (Ids go round, so once in six polls the history's older
checkpoints are asked for too.) In the same run, curl downloads the same answers over 16
kept connections, and its time stands beside.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "integration"))
sys.path.insert(0, str(ROOT / "deploy" / "lib"))
sys.dont_write_bytecode = True

import fake_jobmanager as fake  # noqa: E402
from harness.processes import Process, free_port, wait_until  # noqa: E402

VERTICES = 20
CONNECTIONS = 16
GENERATIONS = 6  # checkpoints 11 … 16, round and round: ids differ from poll to poll
FIRST_CHECKPOINT = 11
SCRAPES = 9

NGINX_CONF = """
{user}
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  open_file_cache off;
  sendfile on; tcp_nopush on;
  keepalive_requests 10000000;
  default_type "application/json; charset=UTF-8";
  server {{
    listen 127.0.0.1:{port};
    root {folder}/now;
    location ~ /details/ {{ root {folder}/details; try_files $uri/index.json =404; }}
    location / {{ try_files $uri/index.json $uri =404; }}
  }}
}}
"""


def write_answers(folder, jobs, checkpoint):
    """The files of one generation."""
    names = [f"job-{n}" for n in range(1, jobs + 1)]

    def put(path, document):
        file = folder / path.strip("/") / "index.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(fake.encode(document))

    put("/jobs/overview", fake.overview(names, fake.START_MS + checkpoint * 1000))
    put("/config", fake.CLUSTER_CONFIG)
    put("/taskmanagers", {"taskmanagers": []})
    for number in range(1, jobs + 1):
        job = f"/jobs/{fake.job_id(number)}"
        put(job + "/plan", fake.plan(number, VERTICES))
        # No RocksDB, whose metrics would be asked for.
        put(job + "/checkpoints/config",
            {**fake.CHECKPOINT_CONFIG, "state_backend": "HashMapStateBackend"})
        answer = fake.checkpoints(number, checkpoint, VERTICES)
        answer["summary"] = {kind: {"min": 1, "max": 9, "avg": 5, "p50": 5.0, "p90": 8.0,
                                    "p95": 8.5, "p99": 9.0, "p999": 9.0}
                             for kind in ("checkpointed_size", "state_size", "end_to_end_duration",
                                          "alignment_buffered", "processed_data",
                                          "persisted_data")}
        put(job + "/checkpoints", answer)


def write_details(folder, jobs):
    """Every checkpoint that occurs in a history. They are the same in all generations."""
    for number in range(1, jobs + 1):
        for checkpoint in range(FIRST_CHECKPOINT - 9, FIRST_CHECKPOINT + GENERATIONS):
            file = (folder / "jobs" / fake.job_id(number) / "checkpoints" / "details"
                    / str(checkpoint) / "index.json")
            file.parent.mkdir(parents=True)
            file.write_bytes(fake.encode(
                fake.checkpoint_row(number, checkpoint, VERTICES, with_tasks=True)))


class Site:
    """nginx with the answers of N jobs."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, jobs
        self.generation = 0
        for g in range(GENERATIONS):
            write_answers(folder / f"g{g}", jobs, FIRST_CHECKPOINT + g)
        write_details(folder / "details", jobs)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "nginx.conf").write_text(NGINX_CONF.format(
            folder=folder, port=self.port,
            # Started by root, its worker could not read our folder.
            user="user root;" if os.geteuid() == 0 else ""))
        self.turn()
        self.nginx = Process("nginx", [shutil.which("nginx") or "/usr/sbin/nginx", "-p", folder,
                                       "-c", folder / "nginx.conf"], folder / "nginx.log")
        wait_until("nginx", self._answers, 10, self.nginx, every=0.05)

    def _answers(self):
        try:
            return urllib.request.urlopen(self.url + "/config", timeout=1).status == 200
        except OSError:
            return False

    def turn(self):
        """The next checkpoint is there."""
        self.generation = (self.generation + 1) % GENERATIONS
        link = self.folder / "now.new"
        link.symlink_to(f"g{self.generation}")
        os.replace(link, self.folder / "now")

    @property
    def checkpoint(self):
        return FIRST_CHECKPOINT + self.generation

    def stop(self):
        self.nginx.stop()


def curl_seconds(site):
    """The same answers as one poll's, in curl's hands: the fastest of five."""
    paths = ["/jobs/overview"]
    for number in range(1, site.jobs + 1):
        job = f"/jobs/{fake.job_id(number)}"
        paths += [job + "/checkpoints", f"{job}/checkpoints/details/{site.checkpoint}"]
    config = site.folder / "urls"
    config.write_text("".join(f'url = "{site.url}{path}"\noutput = "/dev/null"\n'
                              for path in paths))
    best = None
    for _ in range(5):
        begin = time.monotonic()
        subprocess.run(["curl", "--silent", "--no-progress-meter", "--fail", "--parallel", "--parallel-max",
                        str(CONNECTIONS), "--config", config], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=120)
        took = time.monotonic() - begin
        best = took if best is None else min(best, took)
    return best


class Page:
    """One scrape of the sidecar's own metrics."""

    def __init__(self, url):
        begin = time.monotonic()
        with urllib.request.urlopen(url + "/metrics", timeout=30) as answer:
            text = answer.read().decode()
        self.seconds = time.monotonic() - begin
        self.bytes = len(text)
        self.series = sum(1 for line in text.splitlines() if line and line[0] != "#")

        def total(name):
            found = re.findall(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", text, re.M)
            return sum(float(v) for v in found)

        prefix = "flink_state_sidecar_"
        self.polls = total(prefix + "poll_duration_seconds_count")
        self.poll_seconds = total(prefix + "poll_duration_seconds_sum")
        self.requests = total(prefix + "rest_requests_total")
        self.response_bytes = total(prefix + "rest_response_bytes_total")
        self.good = 'rest_requests_total{outcome="2xx"' in text and total("flink_state_up") == 1


def rss_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def measure(binary, jobs, seconds):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="poll-bench-"))
    site = sidecar = None
    try:
        site = Site(folder, jobs)
        log = folder / "sidecar.log"
        # Polls without a pause would race with our turning of the link: a pause to turn it in.
        sidecar = Process("sidecar", [binary, "serve", f"--jobmanager_url={site.url}",
                                      "--listen=127.0.0.1:0", "--poll_interval=1s"], log)
        port = wait_until("the port", lambda: re.search(r"port=(\d+)", log.read_text()), 30,
                          sidecar, every=0.05).group(1)
        url = f"http://127.0.0.1:{port}"

        def page():
            try:
                return Page(url)
            except OSError:
                return None

        first = wait_until("the first poll", lambda: (p := page()) and p.polls >= 1 and p, 60,
                           sidecar)
        polls, end = [], time.monotonic() + seconds
        last = first
        while time.monotonic() < end or len(polls) < 5:
            site.turn()
            now = wait_until("a poll", lambda: (p := page()) and p.polls > last.polls and p, 60,
                             sidecar, every=0.02)
            if now.polls == last.polls + 1:
                polls.append(((now.poll_seconds - last.poll_seconds), now.requests - last.requests,
                              now.response_bytes - last.response_bytes))
            last = now
        assert last.good, "not every answer was good"
        scrape = statistics.median(page().seconds for _ in range(SCRAPES))
        memory = rss_mib(sidecar.pid)
        curl = curl_seconds(site)
        return {"jobs": jobs, "first": first.poll_seconds, "first_requests": first.requests,
                "requests": statistics.median(p[1] for p in polls),
                "mib": statistics.median(p[2] for p in polls) / 2**20,
                "poll": statistics.median(p[0] for p in polls), "best": min(p[0] for p in polls),
                "curl": curl, "rss": memory, "scrape": scrape, "page": last.bytes / 2**20,
                "series": last.series, "polls": len(polls)}
    finally:
        for process in (sidecar, site):
            if process:
                process.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", default="10,100,500,1000")
    parser.add_argument("--binary", default=os.environ.get("FSS_BINARY") or
                        ROOT / "build" / "release" / "flink-state-sidecar")
    parser.add_argument("--seconds", type=float, default=15)
    arguments = parser.parse_args()
    print("| jobs | requests per poll | per job | MiB per poll | poll, median | poll, best "
          "| curl, best | poll / curl | first poll | resident | /metrics | its size | series |")
    print("|" + "---|" * 13)
    for jobs in map(int, arguments.jobs.split(",")):
        m = measure(arguments.binary, jobs, arguments.seconds)
        print("| {jobs} | {requests:.0f} | {per_job:.2f} | {mib:.2f} | {poll:.0f} ms | {best:.0f} ms"
              " | {curl:.0f} ms | {ratio:.1f} | {first:.0f} ms | {rss:.1f} MiB | {scrape:.1f} ms"
              " | {page:.1f} MiB | {series} |".format(
                  **{**m, "per_job": (m["requests"] - 2) / m["jobs"], "poll": m["poll"] * 1e3,
                     "best": m["best"] * 1e3, "curl": m["curl"] * 1e3, "first": m["first"] * 1e3,
                     "ratio": m["best"] / m["curl"], "scrape": m["scrape"] * 1e3}), flush=True)


if __name__ == "__main__":
    main()
