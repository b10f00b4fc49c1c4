"""The lab of docs/lab: its CSV files, its eight steps on a running Flink, what they save."""

import pathlib
import string
import subprocess
import sys

from . import rest, sidecar
from .processes import HarnessError, wait_until

LAB = pathlib.Path(__file__).resolve().parents[3] / "docs" / "lab"
STEPS = ("calc", "agg", "agg-ttl", "join-hint", "cascade", "window", "rocks")
RESULTS = ("window", "rocks")  # the steps whose output is saved
ROCKS_JOB = "flk-state-rocks"
# As Flink is when it was not configured: what the lab's last steps switch is not on already.
FLINK_OPTIONS = {"state.backend.type": "hashmap"}


def make_csv(folder):
    subprocess.run([sys.executable, LAB / "make_csv", folder], check=True)


def sql(name, csv, out):
    """A file of docs/lab/sql with its folders filled in."""
    text = (LAB / "sql" / f"{name}.sql").read_text(encoding="utf-8")
    return string.Template(text).substitute(CSV=csv, OUT=out)


def save(cluster, csv, out, steps=STEPS, say=lambda text: None, edit=lambda name, text: text):
    """Runs these of steps 1 to 7 and saves what a user would. `edit` may change a step's SQL."""
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    ddl = sql("ddl", csv, out)
    for name in steps:
        say(f"{name}.sql")
        statements = edit(name, sql(name, csv, out))
        if name in RESULTS:
            printed = cluster.print_sql(statements, init=ddl)
            (out / f"{name}.out").write_text(printed, encoding="utf-8")
        else:
            cluster.sql(statements, init=ddl)
    job = cluster.jobs().get(ROCKS_JOB)
    if not job:
        raise HarnessError(f"no job is called {ROCKS_JOB}")
    # The JobManager keeps an answer for web.refresh-interval: it may be of the job's beginning.
    wait_until(f"the end of {ROCKS_JOB}",
               lambda: cluster.get(f"/jobs/{job['jid']}")["state"] == "FINISHED", 30)
    for file, path in (("rocks-job", ""), ("rocks-ckpt", "/checkpoints/config")):
        (out / f"{file}.json").write_bytes(rest.body(f"{cluster.url}/jobs/{job['jid']}{path}"))


def write_report(out):
    """Step 8, as `report` writes it."""
    code, printed, error = sidecar.run("report", out)
    if code:
        raise HarnessError(error.strip())
    (pathlib.Path(out) / "report.json").write_text(printed, encoding="utf-8")
