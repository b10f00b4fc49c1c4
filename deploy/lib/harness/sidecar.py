"""The sidecar's own process, and what it answers."""

import json
import os
import pathlib
import re
import subprocess

from . import rest
from .processes import Process, Started, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[3]
START_SECONDS = 30
SCAN_SECONDS = 60

# serve logs the port it listens on; --listen=…:0 lets it pick one.
_PORT = re.compile(r'"?\bport"?[=:]"?(\d+)')


def binary():
    """FSS_BINARY, else the release build."""
    return os.environ.get("FSS_BINARY") or str(ROOT / "build" / "release" / "flink-state-sidecar")


def run(verb, *flags, timeout=SCAN_SECONDS):
    """Runs a verb that ends by itself: (exit code, stdout, stderr)."""
    done = subprocess.run([binary(), verb, *map(str, flags)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=timeout, check=False)
    return done.returncode, done.stdout, done.stderr


class Sidecar(Started):
    """`serve` on a free loopback port. Use it in a `with`, or call stop() whatever happens."""

    def __init__(self, jobmanager_url, plan_dir, workdir, poll_interval="2s", flags=()):
        self._flags = [f"--jobmanager_url={jobmanager_url}", f"--plan_dir={plan_dir}",
                       "--listen=127.0.0.1:0", f"--poll_interval={poll_interval}", *flags]
        self._log = pathlib.Path(workdir) / "sidecar.log"
        self.process = None
        self.url = None
        self.address = None

    def start(self):
        """Starts it and waits until its first poll is done, whatever the JobManager answered."""
        self.process = Process("flink-state-sidecar", [binary(), "serve", *self._flags], self._log)
        port = wait_until("the sidecar's port", self._logged_port, START_SECONDS, self.process)
        self.address = f"127.0.0.1:{port}"
        self.url = "http://" + self.address
        wait_until("the sidecar's first poll", self._ready, START_SECONDS, self.process)
        return self

    def stop(self):
        """Ends it by SIGTERM. Returns its exit code, None when it never ran."""
        return self.process.stop() if self.process else None

    def log(self):
        return self._log.read_text(encoding="utf-8", errors="replace")

    def metrics(self, timeout=rest.TIMEOUT_SECONDS):
        return rest.get(self.url + "/metrics", timeout)

    def jobs(self):
        """/api/v1/operators' jobs by name."""
        return {job["name"]: job for job in rest.get_json(self.url + "/api/v1/operators")["jobs"]}

    def described(self, name):
        """The job of that name once its operators and a checkpoint are known, else None. Flink keeps
        its answers on plans and on checkpoints apart, each for web.refresh-interval: for 3 s it may
        tell a checkpoint of a job whose plan is still {}."""
        job = self.jobs().get(name)
        return job if job and job.get("operators") and "checkpoint_id" in job else None

    def findings(self):
        return rest.get_json(self.url + "/api/v1/findings")["findings"]

    def _logged_port(self):
        for line in self.log().splitlines():
            if "serving" in line:
                found = _PORT.search(line)
                if found:
                    return int(found.group(1))
        return None

    def _ready(self):
        try:
            rest.get(self.url + "/readyz")
            return True
        except OSError:
            return False


def scan(jobmanager_url, plan_dir, *flags):
    """`scan --format=json`, parsed: (exit code, document)."""
    code, out, err = run("scan", f"--jobmanager_url={jobmanager_url}", f"--plan_dir={plan_dir}",
                         "--format=json", *flags)
    if not out:
        raise AssertionError(f"scan printed nothing and left with {code}: {err}")
    return code, json.loads(out)
