"""The sidecar against a JobManager that misbehaves (fake_jobmanager.py).

Whatever it answers: the process lives, /metrics answers at once, flink_state_up says so, and the
numbers return with the JobManager. FSS_BINARY may name a sanitizer's build: its reports fail the
test, too.
"""

import os
import pathlib
import re
import shutil
import ssl
import subprocess
import threading
import time

import pytest
from fake_jobmanager import VERTEX_SIZE, FakeJobManager, job_id, vertex_id

from harness import sidecar
from harness.processes import wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
SANITIZED = os.environ.get("FSS_SANITIZED") == "1"
FLAGS = ("--request_timeout=600ms",)
SCRAPE_SECONDS = 0.1
# On a machine whose cores are all busy a reply may wait for its turn: one scrape in twenty may be
# late, none by much. Sanitizers (FSS_SANITIZED=1) are slower by an order of magnitude.
LATE_SHARE = 0.05
LATEST_SECONDS = 2.0
SLOWER = 10 if SANITIZED else 1
MAX_RSS_KIB = 160 * 1024
WAIT_SECONDS = 30

os.environ.setdefault("TSAN_OPTIONS", f"suppressions={ROOT / 'tests' / 'tsan.supp'}")
SANITIZER_REPORT = re.compile(r"(Address|Thread|Leak)Sanitizer|runtime error:")


class Scraper:
    """Scrapes without pause on a thread of its own and keeps how long each took."""

    def __init__(self, side):
        self._side = side
        self._stop = threading.Event()
        self.seconds = []
        self.errors = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._stop.is_set():
            begin = time.monotonic()
            try:
                self._side.metrics(timeout=10)
                self.seconds.append(time.monotonic() - begin)
            except OSError as error:
                self.errors.append(str(error))
            self._stop.wait(0.03)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def check(self):
        assert self.errors == []
        assert len(self.seconds) > 10
        late = sorted(s for s in self.seconds if s > SCRAPE_SECONDS * SLOWER)
        assert len(late) <= 1 + LATE_SHARE * len(self.seconds), late
        assert not late or late[-1] < LATEST_SECONDS * SLOWER


def value(page, name, **labels):
    """The value of the one series with these labels; None when there is none."""
    found = []
    for line in page.splitlines():
        if line.startswith(name + "{") or line.startswith(name + " "):
            if all(f'{label}="{wanted}"' in line for label, wanted in labels.items()):
                found.append(float(line.rsplit(" ", 1)[1]))
    assert len(found) <= 1, (name, labels)
    return found[0] if found else None


def up(side):
    return value(side.metrics(), "flink_state_up")


def size(side, job=1, vertex=0):
    return value(side.metrics(), "flink_state_size_bytes", job_id=job_id(job),
                 vertex_id=vertex_id(vertex))


def rss_kib(side):
    status = pathlib.Path(f"/proc/{side.process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status).group(1))


def expect_numbers(jobmanager, side, jobs=1):
    """Up, and every job's size is that of the checkpoint the JobManager is at."""
    wanted = VERTEX_SIZE + jobmanager.checkpoint
    wait_until("numbers", lambda: up(side) == 1 and all(
        size(side, job) == wanted for job in range(1, jobs + 1)), WAIT_SECONDS, side.process)


def expect_clean_end(side):
    assert side.process.poll() is None, side.log()[-2000:]
    code = side.stop()
    report = SANITIZER_REPORT.search(side.log())
    assert not report, side.log()[report.start():][:6000]
    assert code == 0, side.log()[-2000:]


@pytest.fixture
def start(tmp_path):
    """Starts sidecars that are stopped when the test ends."""
    running = []

    def start_one(url, *flags):
        plans = tmp_path / "plans"
        plans.mkdir(exist_ok=True)
        side = sidecar.Sidecar(url, plans, tmp_path, poll_interval="300ms", flags=FLAGS + flags)
        running.append(side)
        return side.start()

    yield start_one
    for side in running:
        side.stop()


@pytest.mark.parametrize("mode", [m for m in FakeJobManager.MODES if m != "healthy"])
def test_survives(mode, start):
    with FakeJobManager(jobs=2) as jobmanager:
        side = start(jobmanager.url)
        expect_numbers(jobmanager, side, jobs=2)
        with Scraper(side) as scraper:
            jobmanager.mode = mode
            if mode == "refuse":
                jobmanager.go_away()
            wait_until("up is 0", lambda: up(side) == 0, WAIT_SECONDS, side.process)
            assert size(side) is not None, "the last numbers stand"
            time.sleep(1.5)  # a few more polls of it
            assert up(side) == 0
            peak = rss_kib(side)
            jobmanager.checkpoint += 3
            jobmanager.mode = "healthy"
            if mode == "refuse":
                jobmanager.come_back()
            expect_numbers(jobmanager, side, jobs=2)
        scraper.check()
        if not SANITIZED:
            assert peak < MAX_RSS_KIB, f"{peak} KiB"
        assert {request.split(" ")[0] for request in jobmanager.requests} == {"GET"}
        for line in side.log().splitlines():
            assert len(line) < 2000, "no stack traces in the log"
        expect_clean_end(side)


@pytest.mark.parametrize("mode", ["hang", "error_500", "html", "cut", "no_json", "huge", "close"])
def test_trouble_below_the_job_list_leaves_the_last_numbers(mode, start):
    with FakeJobManager(jobs=3) as jobmanager:
        side = start(jobmanager.url)
        expect_numbers(jobmanager, side, jobs=3)
        before = VERTEX_SIZE + jobmanager.checkpoint
        with Scraper(side) as scraper:
            jobmanager.mode_below_jobs = mode
            jobmanager.checkpoint += 1
            time.sleep(3)
            assert up(side) == 1, "the job list is there"
            assert size(side) == before
            jobmanager.mode_below_jobs = None
            expect_numbers(jobmanager, side, jobs=3)
        scraper.check()
        expect_clean_end(side)


def test_starts_before_its_jobmanager(start):
    with FakeJobManager() as jobmanager:
        jobmanager.go_away()
        side = start(jobmanager.url)
        assert up(side) == 0
        assert value(side.metrics(), "flink_state_job_info") is None
        jobmanager.come_back()
        expect_numbers(jobmanager, side)
        expect_clean_end(side)


def test_a_standby_takes_over(start):
    with FakeJobManager() as first, FakeJobManager() as second:
        second.mode = "error_503"
        side = start(f"{first.url},{second.url}")
        expect_numbers(first, side)
        second.checkpoint = 77
        second.mode, first.mode = "healthy", "error_503"
        expect_numbers(second, side)
        expect_clean_end(side)


def test_three_hundred_jobs(start):
    with FakeJobManager(jobs=300, vertices=5) as jobmanager:
        side = start(jobmanager.url, "--request_timeout=5s")
        wait_until("300 jobs", lambda: size(side, 300) == VERTEX_SIZE + jobmanager.checkpoint,
                   WAIT_SECONDS * SLOWER, side.process)
        with Scraper(side) as scraper:
            time.sleep(2)
        scraper.check()
        page = side.metrics()
        assert len(re.findall(r"^flink_state_job_info\{", page, re.M)) == 300
        expect_clean_end(side)


HOSTILE_NAMES = {
    "long": "n" * 5000,
    "quotes": 'say "hi" \\ {a="b"} ',
    "newlines": "INSERT INTO a\nSELECT *\r\nFROM b\n# HELP x y\nup 1",
    "unicode": "状态 größe 🦀 \u202egnirts \u0000 \u001b[31m",
    "empty": "",
    "label": 'x",job_id="y',
}


def test_hostile_names(start):
    names = list(HOSTILE_NAMES.values()) * 50
    with FakeJobManager(names=names) as jobmanager:
        side = start(jobmanager.url, "--request_timeout=5s")
        wait_until("the last job", lambda: size(side, len(names)) is not None,
                   WAIT_SECONDS * SLOWER, side.process)
        page = side.metrics()
        check_exposition(page)
        assert len(re.findall(r"^flink_state_job_info\{", page, re.M)) == len(names)
        expect_clean_end(side)


def test_names_that_are_no_utf8(start):
    with FakeJobManager() as jobmanager:
        jobmanager.raw_overview = (
            b'{"jobs":[{"jid":"%s","name":"a\xff\xfe\xc3(b\xed\xa0\x80","state":"RUNNING",'
            b'"start-time":1,"duration":5,"tasks":{"total":1,"running":1}}]}' % job_id(1).encode())
        side = start(jobmanager.url)
        wait_until("the job", lambda: size(side) is not None, WAIT_SECONDS, side.process)
        page = side.metrics()
        check_exposition(page)
        assert "\ufffd" in page
        expect_clean_end(side)


def check_exposition(page):
    """Every line is a comment or one well-formed series, and no two series are equal."""
    label = r'[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"'
    series = re.compile(rf'([a-zA-Z_:][\w:]*(?:\{{(?:{label}(?:,{label})*)?,?\}})?) '
                        r'(NaN|[+-]Inf|[-+0-9.e]+)')
    seen = set()
    for line in page.split("\n"):
        if line.startswith("# HELP ") or line.startswith("# TYPE ") or not line:
            continue
        match = series.fullmatch(line)
        assert match, line[:300]
        assert match.group(1) not in seen, line[:300]
        seen.add(match.group(1))
        assert all(len(v.encode()) <= 140 for v in re.findall(r'flink_job="((?:[^"\\]|\\.)*)"',
                                                              line))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A key and a certificate of 127.0.0.1 and localhost, made now."""
    assert shutil.which("openssl"), "openssl is not installed (deploy/setup)"
    folder = tmp_path_factory.mktemp("tls")
    for name in ("server", "other"):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", f"/CN={name}", "-addext",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1",
                        "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"],
                       check=True, capture_output=True, timeout=60)
    return folder


def tls_server(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "server.pem", certificate / "server.key")
    return context


def test_https_with_a_known_certificate(certificate, start):
    with FakeJobManager(tls=tls_server(certificate)) as jobmanager:
        side = start(f"https://ops:s3cret@localhost:{jobmanager.port}",
                     f"--ca_file={certificate / 'server.pem'}")
        expect_numbers(jobmanager, side)
        assert any("Authorization:Basic b3BzOnMzY3JldA==" in head for head in jobmanager.heads)
        assert "s3cret" not in side.log() and "b3Bz" not in side.log()
        expect_clean_end(side)


def test_https_with_an_unknown_certificate(certificate, start):
    with FakeJobManager(tls=tls_server(certificate)) as jobmanager:
        side = start(jobmanager.url, f"--ca_file={certificate / 'other.pem'}")
        time.sleep(1)
        assert up(side) == 0
        assert jobmanager.requests == [], "nothing is asked before the certificate is checked"
        assert "TLS" in side.log()
        expect_clean_end(side)


def test_https_unchecked_when_told(certificate, start):
    with FakeJobManager(tls=tls_server(certificate)) as jobmanager:
        side = start(jobmanager.url, "--tls_skip_verify")
        expect_numbers(jobmanager, side)
        expect_clean_end(side)


def test_credentials_are_not_logged_when_nobody_answers(start):
    with FakeJobManager() as jobmanager:
        jobmanager.go_away()
        side = start(f"http://ops:s3cret@127.0.0.1:{jobmanager.port}")
        time.sleep(0.5)
        assert "cannot connect" in side.log()
        assert "s3cret" not in side.log() and "s3cret" not in side.metrics()
        expect_clean_end(side)
