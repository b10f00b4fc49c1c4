"""The page at "/" in a real Chromium: on a real Flink, and before JobManagers that are large, hostile
or gone. tests/page/ has what the visitor does.

FSS_UPDATE_SCREENSHOTS=1 waits until the demo's verdicts are known and writes the pictures that the
README shows.
"""

import os
import pathlib
import struct
import subprocess

from fake_jobmanager import FakeJobManager, job_id

from harness import browser as browser_harness
from harness import rest, sidecar
from harness.processes import wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
UPDATE = os.environ.get("FSS_UPDATE_SCREENSHOTS") == "1"
PICTURED_VERSION = "2.3.0"
DISK_BYTES = 2 ** 30
VERDICT_SECONDS = 420

LOADS = 7
MOST_LOAD_MILLIS = 300
HOSTILE = ["<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>",
           "\"><svg onload=window.pwned=1>", "javascript:window.pwned=1", "a\u202eb\nc\x00d"]


def served(jobmanager_url, folder, *flags):
    plans = folder / "plans"
    plans.mkdir(exist_ok=True)
    return sidecar.Sidecar(jobmanager_url, plans, folder, poll_interval="1s",
                           flags=["--request_timeout=600ms", *flags])


# --- without Flink ---------------------------------------------------------------------------------

def test_modules_without_a_browser(browser):
    done = subprocess.run([browser_harness.program("node"), "--test", ROOT / "tests/page/unit"],
                          capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout and "# pass 0" not in done.stdout


def test_a_thousand_operators_are_shown_at_once(browser, tmp_path):
    """50 jobs of 20 operators; the best of some loads, since others use the same cores."""
    with FakeJobManager(jobs=50, vertices=10) as jobmanager, \
            served(jobmanager.url, tmp_path) as side:
        operators = [op for job in side.jobs().values() for op in job["operators"]]
        assert len(operators) == 1000
        loads = browser.run("load", url=side.url + "/", times=LOADS)
        assert loads["rows"] == 50
        assert min(loads["millis"]) < MOST_LOAD_MILLIS, loads


def test_a_job_of_a_thousand_operators_is_drawn_at_once(browser, tmp_path):
    with FakeJobManager(jobs=1, vertices=500) as jobmanager, \
            served(jobmanager.url, tmp_path) as side:
        [job] = side.jobs().values()
        rows = browser.run("graph", url=side.url + "/", job=job)
        assert len(rows) == 1000
        assert rows[1]["fedBy"] == [rows[0]["operator"]]
        loads = browser.run("load", url=f"{side.url}/#/job/default/{job['job_id']}", times=LOADS)
        assert min(loads["millis"]) < MOST_LOAD_MILLIS, loads


def test_names_are_text_and_nothing_else(browser, tmp_path):
    with FakeJobManager(names=HOSTILE) as jobmanager, served(jobmanager.url, tmp_path) as side:
        names = [job["name"] for job in side.jobs().values()]
        assert names[0] == HOSTILE[0]
        seen = browser.run("look", url=side.url + "/")
        assert sorted(seen["names"]) == sorted(names)
        for number in range(1, len(HOSTILE) + 1):
            one = browser.run("look", url=side.url + "/", hash=f"#/job/default/{job_id(number)}")
            assert one["heading"] == names[number - 1]
            for view in (seen, one):
                assert (view["scripts"], view["images"], view["pwned"]) == (1, 0, None)


def test_a_link_to_a_job_that_is_gone_says_so(browser, tmp_path):
    with FakeJobManager() as jobmanager, served(jobmanager.url, tmp_path) as side:
        seen = browser.run("look", url=side.url + "/", hash="#/job/default/%3Cscript%3E")
        assert seen["heading"] == "Job not found"
        broken = browser.run("look", url=side.url + "/", hash="#/job/%E0%A4%A/x")
        assert "job-1" in broken["text"], "a broken link shows all jobs"


def test_an_unreachable_jobmanager_is_never_no_jobs(browser, tmp_path):
    with FakeJobManager(jobs=2) as jobmanager, served(jobmanager.url, tmp_path) as side:
        browser.run("open", visit="up", url=side.url + "/")
        browser.run("wait", visit="up", selector="ol.jobs", pattern="job-1")
        assert browser.run("wait", visit="up", selector="#trouble", pattern="^$") == ""
        jobmanager.mode = "refuse"
        trouble = browser.run("wait", visit="up", selector="#trouble", pattern="does not answer")
        assert "what is shown is of" in trouble
        browser.run("wait", visit="up", selector="ol.jobs", pattern="job-1")
        browser.run("wait", visit="up", selector=".clusters", pattern="unreachable: jobs as of")
        jobmanager.mode = "healthy"
        browser.run("wait", visit="up", selector="#trouble", pattern="^$")
        browser.run("close", visit="up")


def test_a_jobmanager_that_never_answered(browser, tmp_path):
    with FakeJobManager(jobs=2) as jobmanager:
        jobmanager.mode = "refuse"
        with served(jobmanager.url, tmp_path) as side:
            browser.run("open", visit="never", url=side.url + "/")
            browser.run("wait", visit="never", selector="h1", pattern="Nothing is known")
            trouble = browser.run("wait", visit="never", selector="#trouble", pattern="does not answer")
            assert "Nothing is known of its jobs" in trouble
            text = browser.run("wait", visit="never", selector="main", pattern="unreachable")
            assert "No job" not in text and "No warning" not in text
            jobmanager.mode = "healthy"
            browser.run("wait", visit="never", selector="ol.jobs", pattern="job-2")
            browser.run("close", visit="never")


def test_a_sidecar_that_is_gone_leaves_old_numbers_marked(browser, tmp_path):
    with FakeJobManager() as jobmanager, served(jobmanager.url, tmp_path) as side:
        browser.run("open", visit="gone", url=side.url + "/")
        browser.run("wait", visit="gone", selector="ol.jobs", pattern="job-1")
        side.stop()
        browser.run("wait", visit="gone", selector="#trouble", pattern="No answer from the sidecar since")
        browser.run("wait", visit="gone", selector="ol.jobs", pattern="job-1")
        browser.run("close", visit="gone", expected=["ERR_CONNECTION_REFUSED"])


def test_polls_that_hang_make_the_numbers_old(browser, tmp_path):
    """The sidecar answers, but its newest numbers are of a poll that ended long ago."""
    with FakeJobManager() as jobmanager, \
            served(jobmanager.url, tmp_path, "--request_timeout=60s") as side:
        browser.run("open", visit="hang", url=side.url + "/")
        browser.run("wait", visit="hang", selector="ol.jobs", pattern="job-1")
        jobmanager.mode = "hang"
        browser.run("wait", visit="hang", selector="#trouble", pattern="what is shown is old", timeout=30000)
        browser.run("close", visit="hang")
        jobmanager.mode = "healthy"


# --- on a real Flink -------------------------------------------------------------------------------

def test_the_cascade_is_the_plans_graph(browser, lab):
    job = lab.sidecar.jobs()["cascade"]
    rows = browser.run("graph", url=lab.sidecar.url + "/", job=job)
    assert sorted(row["operator"] for row in rows) == sorted(op["operator"] for op in job["operators"])
    first, second = [row for row in rows if row["operator"].startswith("Join")]
    assert len(first["fedBy"]) == len(second["fedBy"]) == 2
    place = {row["operator"]: at for at, row in enumerate(rows)}
    for at, row in enumerate(rows):
        assert all(place[source] < at for source in row["fedBy"]), row
        assert bool(row["fedBy"]) == ("Source" not in row["operator"]), row
    assert [" ".join(state.split()[:3]) for state in first["states"]] == ["leftState 1 d", "rightState 2 h"]
    assert second["states"][0].startswith("leftState 30 min !")
    assert first["size"] and second["size"]
    wait_until("a picture of the join's size", lambda: any(
        row["picture"].startswith("over ") for row in
        browser.run("graph", url=lab.sidecar.url + "/", job=job)
        if row["operator"].startswith("Join")), 30)


def test_the_overview_names_every_job(browser, lab):
    """Some 100 jobs, where other tests ran theirs on this cluster."""
    seen = browser.run("look", url=lab.sidecar.url + "/", all=True)
    jobs = rest.get_json(lab.sidecar.url + "/api/v1/jobs")["jobs"]
    assert sorted(seen["names"]) == sorted(job["name"] for job in jobs)
    first = rest.get_json(lab.sidecar.url + "/api/v1/findings?limit=20")["findings"]
    grave = {finding["code"] for finding in first if finding["severity"] != "info"}
    assert grave and all(code in seen["text"] for code in grave)


def test_nobody_is_shut_out(browser, lab):
    job = lab.sidecar.jobs()["cascade"]
    problems = browser.run("accessibility", url=lab.sidecar.url + "/",
                           hashes=["", f"#/job/{job['cluster']}/{job['job_id']}"])
    assert problems == []


def test_a_keyboard_is_enough(browser, lab):
    job = lab.sidecar.jobs()["cascade"]
    finding = next(f for f in lab.sidecar.findings() if f.get("job_id") == job["job_id"])
    done = browser.run("keyboard", url=lab.sidecar.url + "/", job=job)
    assert done["focused"] == "cascade"
    assert finding["code"] in done["copied"] and finding["advice"].strip() in done["copied"]
    assert done["back"] == done["hash"]


def test_copying_where_pages_get_no_clipboard(browser, lab):
    job = lab.sidecar.jobs()["cascade"]
    advice = next(f["advice"] for f in lab.sidecar.findings() if f.get("job_id") == job["job_id"])
    assert advice.strip() in browser.run("copyWithoutClipboard", url=lab.sidecar.url + "/", job=job)


def test_a_refresh_disturbs_nobody(browser, lab):
    job = lab.sidecar.jobs()["cascade"]
    stays = browser.run("staysPut", url=lab.sidecar.url + "/", job=job, refreshes=1)
    assert stays["before"] == stays["after"] and stays["before"][-1] is True
    assert stays["focus"]


def png_size(path):
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


def test_screenshots(browser, lab, tmp_path, request):
    """Each view in both colours and on a phone; kept when FSS_UPDATE_SCREENSHOTS asks for it."""
    keep = UPDATE and PICTURED_VERSION in request.node.name
    folder = IMAGES if keep else tmp_path
    folder.mkdir(exist_ok=True)
    with sidecar.Sidecar(lab.cluster.url, lab.cluster.plan_dir, tmp_path, poll_interval="2s",
                         flags=[f"--disk_limit_bytes={DISK_BYTES}", "--cluster=demo"]) as side:
        if keep:
            wait_until("the verdicts", lambda: all(
                "seconds_until_full" in side.jobs()[name].get("fills_first", {})
                for name in ("user-totals", "cascade")), VERDICT_SECONDS, side.process, every=2)
        cascade = f"#/job/demo/{side.jobs()['cascade']['job_id']}"
        for name, hash_, width, height, scheme in (
                ("overview", "", 1120, 760, "light"), ("overview-dark", "", 1120, 760, "dark"),
                ("job", cascade, 1120, 760, "light"), ("job-dark", cascade, 1120, 760, "dark"),
                ("phone", "", 390, 760, "light")):
            file = folder / f"page-{name}.png"
            browser.run("screenshot", url=side.url + "/", hash=hash_, file=str(file), width=width,
                        height=height, scheme=scheme)
            assert png_size(file) == (width, height)
