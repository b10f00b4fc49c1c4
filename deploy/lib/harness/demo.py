"""deploy/demo: one command that shows the sidecar at work on a real Flink."""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from . import demo_jobs, sidecar
from .flink import ROCKSDB_METRICS, FlinkCluster
from .processes import HarnessError, say, tail, wait_until
from .prometheus import Prometheus

ROOT = sidecar.ROOT
PROGRESS_SECONDS = 4  # a line of the build's output this often, where nobody sees a terminal
# So little that the demo's rows would fill it within days: capacity has something to say.
DISK_LIMIT_BYTES = 1 << 30
PLAN_PROOFS = ("uid", "description", "topology")  # matched_by of an operator that has a plan node


class Ended(BaseException):
    """A signal asked us to leave."""


def _on_signal(number, _frame):
    raise Ended(number)


def _step(started, text):
    say(f"demo: {time.monotonic() - started:5.1f} s  {text}")


def _run(command, **options):
    """Runs a command, its output going to stderr: all of it on a terminal, else now and then."""
    if sys.stderr.isatty():
        subprocess.run(command, stdout=sys.stderr, check=True, **options)
        return
    last = []
    shown = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options) as child:
        try:
            for line in child.stdout:
                last = [*last[-40:], line]
                if time.monotonic() - shown >= PROGRESS_SECONDS:
                    shown = time.monotonic()
                    say("demo:   " + line.rstrip()[:120])
        except BaseException:
            child.terminate()
            raise
    if child.returncode != 0:
        sys.stderr.writelines(last)
        raise HarnessError(f"{' '.join(map(str, command))} failed with {child.returncode}")


def _setup(version):
    with subprocess.Popen([ROOT / "deploy" / "setup", "flink", version],
                          stdin=subprocess.DEVNULL) as child:
        try:
            code = child.wait()
        except BaseException:
            child.terminate()  # it cleans up after itself, unlike when killed
            raise
    if code != 0:
        raise HarnessError(f"deploy/setup failed with {code}")


def _build(started):
    if os.environ.get("FSS_BINARY"):
        return
    _step(started, "building the sidecar (cmake --preset release)")
    _run(["cmake", "--preset", "release"], cwd=ROOT)
    _run(["cmake", "--build", "build/release", "--target", "flink-state-sidecar"], cwd=ROOT)


def unmatched(jobs):
    """What keeps the demo's jobs from being matched to their plans: a list of sentences.

    `jobs` is the list of a scan or of /api/v1/operators.
    """
    problems = []
    by_name = {job["name"]: job for job in jobs}
    for name, how in demo_jobs.JOBS.items():
        if name not in by_name:
            problems.append(f"{name} is not listed")
            continue
        if how is None:
            continue
        job = by_name[name]
        if "plan" not in job:
            problems.append(f"{name} has no plan")
        for operator in job["operators"]:
            if operator["matched_by"] not in PLAN_PROOFS:
                problems.append(f"{name}: {operator['operator']} is matched by "
                                f"{operator['matched_by']}")
    return problems


def _print_report(cluster):
    """The operator table and the findings, as a person would ask for them. True: all matched."""
    flags = (f"--jobmanager_url={cluster.url}", f"--plan_dir={cluster.plan_dir}",
             f"--checkpoint_root={cluster.checkpoint_dir}")
    code, text, log = sidecar.run("scan", *flags, "--fail_on=never")
    if code != 0:
        raise HarnessError(f"scan left with {code}: {log}")
    print(text, flush=True)
    _, document = sidecar.scan(cluster.url, cluster.plan_dir, "--fail_on=never")
    problems = unmatched(document["jobs"])
    for problem in problems:
        say("demo: not matched: " + problem)
    return not problems


def _wait_sizes(side):
    """The sidecar polls every 2 s and the JobManager caches its answers for 3 s."""
    def seen():
        try:
            return all(side.described(name) for name in demo_jobs.JOBS)
        except OSError:
            return False
    wait_until("the sidecar's numbers of all demo jobs", seen, 30, side.process)


def _watch(processes):
    """Returns never: a signal ends it, or a process that ended by itself."""
    while True:
        for process in processes:
            if process.poll() is not None:
                raise HarnessError(f"{process.name} ended with {process.poll()}\n"
                                   + tail(process.log))
        time.sleep(0.5)


def _show(started, version, workdir, once):
    """Starts all, prints, and stays unless `once`. True: every demo job was matched.

    A signal after the report is on the screen is the ordinary end; before, it raises Ended.
    """
    matched = None
    cluster = FlinkCluster(version, workdir / "flink", options=ROCKSDB_METRICS)
    side = None
    prometheus = None
    try:
        _step(started, f"starting Flink {version} at {cluster.url}")
        cluster.launch()
        # The SQL client needs longer to start than the cluster, so both start at once.
        client = demo_jobs.start(cluster)
        cluster.wait_ready()
        _step(started, "starting the sidecar and Prometheus")
        side = sidecar.Sidecar(cluster.url, cluster.plan_dir, workdir, flags=[
            f"--history_file={workdir / 'history.db'}",
            f"--checkpoint_root={cluster.checkpoint_dir}",
            f"--disk_limit_bytes={DISK_LIMIT_BYTES}"]).start()
        prometheus = Prometheus(side.address, workdir).start()
        _step(started, "compiling the plans and starting the jobs (SQL client)")
        cluster.finish_sql(client)
        _step(started, "waiting for the first checkpoints")
        cluster.wait_checkpoints(demo_jobs.JOBS)
        _wait_sizes(side)
        prometheus.wait_scraped()
        _step(started, "ready")
        matched = _print_report(cluster)
        print(f"Flink       {cluster.url}\n"
              f"Sidecar     {side.url}/metrics  {side.url}/api/v1/operators  "
              f"{side.url}/api/v1/findings\n"
              f"Prometheus  {prometheus.url}/graph?g0.expr=flink_state_size_bytes&g0.tab=0\n"
              f"Plans       {cluster.plan_dir}\n"
              f"History     {workdir / 'history.db'}\n"
              f"Logs        {workdir}", flush=True)
        if not once:
            print("Growth, verdicts and the time until the disk is full: from the twelfth checkpoint "
                  "on, in half a\nminute. Bytes and keys per join input: in two minutes. Look at the "
                  "sidecar's pages, or:\n"
                  f"  {sidecar.binary()} scan --jobmanager_url={cluster.url} "
                  f"--plan_dir={cluster.plan_dir} --history_file={workdir / 'history.db'} "
                  f"--disk_limit_bytes={DISK_LIMIT_BYTES} --checkpoint_root={cluster.checkpoint_dir}\n"
                  "Ctrl-C stops all of it.", flush=True)
            _watch([cluster.jobmanager, *cluster.taskmanagers, side.process, prometheus.process])
        return matched
    except Ended:
        if matched is None:
            raise
        return matched
    finally:
        # A second Ctrl-C must not leave half of it running.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        say("demo: stopping what was started")
        for part in (prometheus, side, cluster):
            if part:
                part.stop()


def main():
    parser = argparse.ArgumentParser(
        prog="deploy/demo", description="Builds the sidecar and shows it at work: a real Flink "
        "with SQL jobs, a real Prometheus, the operator table and the findings. Runs until Ctrl-C.")
    parser.add_argument("--once", action="store_true", help="leave after printing; exit 0 when "
                        "all demo jobs were matched to their plans and Prometheus has scraped")
    parser.add_argument("--flink", default="2.3.0", metavar="VERSION",
                        help="Flink's version (default %(default)s; 1.20.5 works, too)")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)
    started = time.monotonic()
    workdir = None
    try:
        _step(started, "checking the packages and Flink (deploy/setup)")
        _setup(options.flink)
        _build(started)
        workdir = pathlib.Path(tempfile.mkdtemp(prefix="flink-state-sidecar-demo-"))
        matched = _show(started, options.flink, workdir, options.once)
        code = 0 if matched else 1
    except Ended as ended:
        code = 128 + ended.args[0]
    except (HarnessError, AssertionError, OSError, subprocess.SubprocessError) as error:
        say(f"demo: {error}")
        if workdir:
            say(f"demo: the logs stay in {workdir}")
        return 1
    if workdir:
        shutil.rmtree(workdir, ignore_errors=True)
    return code
