"""Real Flink clusters with the demo's jobs, the sidecar and Prometheus beside them.

Each version's cluster is started once; pytest runs all its tests, then starts the next one: two
cores carry one Flink at a time. Nothing is skipped: what is missing is an error that says what.
"""

import pathlib
import subprocess
import sys

import pytest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "deploy" / "lib"))

from harness import browser as browser_harness  # noqa: E402
from harness import demo_jobs, sidecar  # noqa: E402
from harness.flink import ROCKSDB_METRICS, FlinkCluster, flink_home  # noqa: E402
from harness.processes import wait_until  # noqa: E402
from harness.prometheus import Prometheus  # noqa: E402

VERSIONS = ("2.3.0", "1.20.5")


def left_behind(text):
    """Processes whose command line names `text`."""
    left = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8",
                                                                                       "replace")
            except OSError:
                continue
            if text in command:
                left.append(f"{entry.name}: {command[:200]}")
    return left


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    """A folder for all processes of this run; at the end none of them may be left."""
    folder = tmp_path_factory.mktemp("real-flink")
    yield folder
    assert left_behind(str(folder)) == []


@pytest.fixture(scope="session")
def localhost_certificate(tmp_path_factory):
    """A certificate of localhost that is its own authority, and its key, made now."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
                   check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


@pytest.fixture(scope="session")
def installed():
    """deploy/setup has run for both versions, and the sidecar is built."""
    assert pathlib.Path(sidecar.binary()).is_file(), f"{sidecar.binary()} is not built"
    missing = [version for version in VERSIONS
               if not flink_home(version, must_exist=False).is_dir()]
    if missing:
        subprocess.run([ROOT / "deploy" / "setup", "flink", *missing], check=True)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Chromium, which does what tests/page/scenarios.mjs knows."""
    try:
        browser_harness.node_modules()
        browser_harness.program("chromium")
        browser_harness.program("node")
    except Exception:
        subprocess.run([ROOT / "deploy" / "setup", "browser"], check=True)
    with browser_harness.Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


class Lab:
    """A cluster that runs the demo's jobs, with the sidecar and Prometheus beside it."""

    def __init__(self, cluster, side, prometheus, recorded):
        self.cluster = cluster
        self.recorded = recorded  # the folder that the sidecar records into
        self.sidecar = side
        self.prometheus = prometheus

    def flags(self):
        return [f"--jobmanager_url={self.cluster.url}", f"--plan_dir={self.cluster.plan_dir}"]

    def findings(self, code=None):
        """The demo jobs' findings, of one code where given."""
        return [finding for finding in self.sidecar.findings()
                if finding.get("job") in demo_jobs.JOBS and code in (None, finding["code"])]


@pytest.fixture(scope="session", params=VERSIONS)
def lab(request, workspace, installed):
    folder = workspace / request.param
    folder.mkdir()
    recorded = folder / "recorded"
    with FlinkCluster(request.param, folder / "flink", options=ROCKSDB_METRICS) as cluster, \
            sidecar.Sidecar(cluster.url, cluster.plan_dir, folder, poll_interval="1s",
                            flags=[f"--record_dir={recorded}"]) as side, \
            Prometheus(side.address, folder) as prometheus:
        demo_jobs.submit(cluster)
        # The second: some operators have written nothing in the first.
        cluster.wait_checkpoints(demo_jobs.JOBS, count=2)
        wait_until("the sidecar's numbers", lambda: _numbers(side), 30, side.process)
        yield Lab(cluster, side, prometheus, recorded)


def _numbers(side):
    try:
        return all(side.described(name) for name in demo_jobs.JOBS)
    except OSError:
        return False  # wait_until tells why, if the process has ended
