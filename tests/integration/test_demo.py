"""deploy/demo, as a person runs it: once, and until Ctrl-C."""

import os
import re
import signal
import subprocess
import time

from conftest import ROOT, VERSIONS, left_behind
from harness import demo_jobs, sidecar

DEMO_SECONDS = 240


def start(tmp_path, *flags):
    environment = dict(os.environ, TMPDIR=str(tmp_path), FSS_BINARY=sidecar.binary())
    return subprocess.Popen([ROOT / "deploy" / "demo", *flags], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path)


def nothing_left(tmp_path):
    return left_behind(str(tmp_path)) == [] and list(tmp_path.iterdir()) == []


def test_setup_that_has_run_has_nothing_to_do(installed):
    done = subprocess.run([ROOT / "deploy" / "setup", "flink", *VERSIONS], capture_output=True,
                          text=True, timeout=10, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_setup_refuses_what_it_does_not_know():
    for arguments in (["flunk"], ["flink"]):
        done = subprocess.run([ROOT / "deploy" / "setup", *arguments], capture_output=True,
                              text=True, timeout=10, check=False)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1 and arguments[-1] in done.stderr


def test_once_prints_and_leaves(installed, tmp_path):
    with start(tmp_path, "--once") as demo:
        out, err = demo.communicate(timeout=DEMO_SECONDS)
    assert demo.returncode == 0, err
    for word in (*demo_jobs.JOBS, "ttl-from-job-default", "forever-state", "Prometheus", "Flink"):
        assert word in out, word
    assert nothing_left(tmp_path)


def test_ctrl_c_stops_what_was_started(installed, tmp_path):
    with start(tmp_path) as demo:
        seen = ""
        deadline = time.monotonic() + DEMO_SECONDS
        while "Ctrl-C" not in seen and time.monotonic() < deadline:
            line = demo.stdout.readline()
            assert line, demo.stderr.read()
            seen += line
        assert left_behind(str(tmp_path))  # that is: it runs
        assert re.search(r"http://127\.0\.0\.1:\d+/metrics", seen)
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=60)
    assert demo.returncode == 0
    assert nothing_left(tmp_path)


def test_an_early_end_leaves_nothing(installed, tmp_path):
    with start(tmp_path) as demo:
        while "starting the sidecar" not in demo.stderr.readline():
            pass
        demo.terminate()
        demo.communicate(timeout=60)
    assert demo.returncode == 128 + signal.SIGTERM
    assert nothing_left(tmp_path)
