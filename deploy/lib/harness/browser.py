"""Chromium, driven by tests/page/driver.mjs: scenarios run one after the other in one browser.

deploy/setup browser installs Chromium, Node.js and, in the cache folder, the npm packages of
tests/page/package.json.
"""

import hashlib
import json
import os
import pathlib
import queue
import shutil
import subprocess
import threading

from .processes import HarnessError, Started, tail

PAGE_TESTS = pathlib.Path(__file__).resolve().parents[3] / "tests" / "page"
START_SECONDS = 60
SCENARIO_SECONDS = 120


def node_modules():
    """Where deploy/setup put the packages of this lock file."""
    cache = os.environ.get("FSS_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "flink-state-sidecar")
    lock = hashlib.sha256((PAGE_TESTS / "package-lock.json").read_bytes()).hexdigest()
    folder = pathlib.Path(cache) / f"page-tests-{lock[:12]}" / "node_modules"
    if not folder.is_dir():
        raise HarnessError(f"{folder} is missing: run deploy/setup browser")
    return folder


def program(name):
    found = shutil.which(name)
    if not found:
        raise HarnessError(f"no {name} on the path: run deploy/setup browser")
    return found


class Browser(Started):
    """One headless Chromium. run() raises AssertionError with what the scenario says."""

    def __init__(self, workdir):
        self._log = pathlib.Path(workdir) / "browser.log"
        self._child = None
        self._answers = queue.Queue()

    def start(self):
        command = [program("setpriv"), "--pdeathsig", "KILL", "--", program("node"),
                   PAGE_TESTS / "driver.mjs", node_modules(), program("chromium")]
        with open(self._log, "ab") as log:
            self._child = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, stderr=log, text=True,
                                           encoding="utf-8")
        threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True).start()
        self._next(START_SECONDS)  # "ready"
        return self

    def stop(self):
        """Ends Node.js, which ends the browser that it started."""
        if self._child is None:
            return
        self._child.stdin.close()
        try:
            self._child.wait(10)
        except subprocess.TimeoutExpired:
            self._child.terminate()
            self._child.wait(10)

    def run(self, scenario, **wanted):
        self._child.stdin.write(json.dumps({"scenario": scenario, **wanted}) + "\n")
        self._child.stdin.flush()
        answer = json.loads(self._next(SCENARIO_SECONDS))
        assert "error" not in answer, f"{scenario}: {answer['error']}"
        return answer["value"]

    def _read(self, lines):
        for line in lines:
            self._answers.put(line)
        self._answers.put(None)

    def _next(self, timeout):
        try:
            line = self._answers.get(timeout=timeout)
        except queue.Empty:
            line = None
        if line is None:
            raise HarnessError(f"the browser does not answer\n{tail(self._log)}")
        return line
