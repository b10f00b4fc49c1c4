"""docs/ci.md: plans are compiled by the SQL client alone, and judged by the hook's command."""

import pathlib
import shlex
import subprocess

import pytest
import yaml

from conftest import VERSIONS
from harness import sidecar
from harness.flink import FlinkCluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
DDL = """
CREATE TABLE orders (user_id BIGINT, amount BIGINT) WITH ('connector' = 'datagen');
CREATE TABLE totals (user_id BIGINT, total BIGINT, PRIMARY KEY (user_id) NOT ENFORCED)
  WITH ('connector' = 'blackhole');
"""
COMPILE = """
SET 'table.exec.state.ttl' = '{ttl}';
COMPILE PLAN 'file://{plan}' FOR
INSERT INTO totals SELECT user_id, SUM(amount) FROM orders GROUP BY user_id;
"""


@pytest.fixture(scope="module", params=VERSIONS)
def plans(request, installed, tmp_path_factory):
    """Compiled where no JobManager and no TaskManager is."""
    folder = tmp_path_factory.mktemp(f"ci-{request.param}")
    flink = FlinkCluster(request.param, folder / "flink")
    flink.configure()
    (folder / "plans").mkdir()
    texts = [COMPILE.format(ttl=ttl, plan=folder / "plans" / f"{name}.json")
             for name, ttl in (("bounded", "30 min"), ("forever", "0 s"))]
    flink.sql("\n".join(texts), init=DDL.replace("blackhole", "blackhole"))
    assert flink.jobmanager is None
    return folder / "plans"


def hook(*files):
    """What pre-commit would run."""
    (definition,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert definition["language"] == "system"
    program, *arguments = shlex.split(definition["entry"])
    assert program == "flink-state-sidecar"
    done = subprocess.run([sidecar.binary(), *arguments, *files], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout


def test_the_hook_judges_what_the_client_compiled_alone(plans):
    code, out = hook(plans / "bounded.json")
    assert (code, "30 min" in out) == (0, True)
    code, out = hook(plans / "bounded.json", plans / "forever.json")
    assert code == 1
    assert "forever-state" in out


def test_a_folder_in_which_nothing_was_compiled_does_not_pass(tmp_path):
    code, out, error = sidecar.run("lint", tmp_path)
    assert (code, out) == (2, "")
    assert "no plan given" in error
