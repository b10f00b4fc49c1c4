"""The command line as people and scripts meet it: help, exit codes, one clear line on stderr."""

import http.server
import json
import os
import pathlib
import re
import socket
import subprocess
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("FSS_BINARY") or str(ROOT / "build/release/flink-state-sidecar")

PLAN = {
    "flinkVersion": "2.3",
    "nodes": [
        {"id": 1, "type": "stream-exec-table-source-scan_2",
         "description": "TableSourceScan(table=[[default_catalog, default_database, orders]], "
                        "fields=[user_id, amount])"},
        {"id": 2, "type": "stream-exec-exchange_1",
         "description": "Exchange(distribution=[hash[user_id]])"},
        {"id": 3, "type": "stream-exec-group-aggregate_1",
         "state": [{"index": 0, "ttl": "0 ms", "name": "groupAggregateState"}],
         "description": "GroupAggregate(groupBy=[user_id], select=[user_id, SUM(amount) AS s])"},
        {"id": 4, "type": "stream-exec-sink_2",
         "description": "Sink(table=[default_catalog.default_database.kv], fields=[user_id, s])"},
    ],
    "edges": [{"source": 1, "target": 2}, {"source": 2, "target": 3}, {"source": 3, "target": 4}],
}


def run(*arguments, stdin=None, env=None):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True,
                          input=stdin, timeout=60, env={**os.environ, **(env or {})})


def one_line(outcome, *needles):
    assert outcome.returncode == 2, outcome
    assert outcome.stdout == ""
    assert len(outcome.stderr.splitlines()) == 1, outcome.stderr
    for needle in needles:
        assert needle in outcome.stderr


def test_help_lists_the_verbs():
    outcome = run("--help")
    assert outcome.returncode == 0 and outcome.stderr == ""
    for verb in ("serve", "scan", "lint", "diff", "checkpoint", "report", "grade", "replay",
                 "health"):
        assert f"  {verb} " in outcome.stdout


@pytest.mark.parametrize("verb, own, foreign", [
    ("serve", "--listen", "--polls"),
    ("scan", "--polls", "--listen"),
    ("lint", "--fail_on", "--jobmanager_url"),
    ("diff", "--state_backend", "--plan_dir"),
    ("checkpoint", "--format", "--fail_on"),
    ("report", "--format", "--data"),
    ("grade", "--data", "--fail_on"),
    ("health", "--url", "--listen"),
])
def test_help_of_a_verb_lists_only_its_flags(verb, own, foreign):
    outcome = run(verb, "--help")
    assert outcome.returncode == 0
    assert own in outcome.stdout and foreign not in outcome.stdout
    assert "--stderrthreshold" not in outcome.stdout and "--tab_completion" not in outcome.stdout


def test_version():
    outcome = run("--version")
    assert outcome.returncode == 0 and outcome.stdout.startswith("flink-state-sidecar ")


@pytest.mark.parametrize("arguments, needles", [
    (["frobnicate"], ["'frobnicate'"]),
    (["scan", "--no_such_flag=1"], ["no_such_flag"]),
    (["scan", "--listen=:1"], ["--listen", "scan"]),
    (["lint", "--plan_dir=x"], ["--plan_dir", "lint"]),
    (["scan", "--poll_interval=15"], ["--poll_interval", "'15'"]),
    (["scan", "--polls=0"], ["--polls"]),
    (["scan", "--polls=many"], ["polls", "many"]),
    (["scan", "--format=yaml"], ["--format", "'yaml'"]),
    (["scan", "--fail_on=sometimes"], ["--fail_on"]),
    (["scan", "--log_level=loud"], ["--log_level"]),
    (["scan", "--jobmanager_url=ftp://x"], ["--jobmanager_url", "ftp://x"]),
    (["scan", "extra"], ["extra"]),
    (["serve", "--listen=nowhere"], ["--listen", "nowhere"]),
    (["lint"], ["no plan"]),
    (["scan", "--anonymize"], ["--anonymize", "--record_dir"]),
    (["serve", "--record_dir=/dev/null"], ["--record_dir", "/dev/null", "is no folder"]),
    (["scan", "--record_dir=/proc/nowhere"], ["--record_dir", "/proc/nowhere"]),
    (["lint", "--anonymize"], ["--anonymize", "lint"]),
    (["diff"], ["two plans"]),
    (["diff", "a.json"], ["two plans"]),
    (["diff", "a.json", "b.json", "c.json"], ["two plans"]),
    (["diff", "-", "-"], ["standard input", "not both"]),
    (["diff", "/no/such/a.json", "/dev/null"], ["/no/such/a.json", "No such file"]),
    (["diff", "--state_backend=heap", "a", "b"], ["--state_backend", "'heap'"]),
    (["diff", "--flink_version=new", "a", "b"], ["--flink_version", "'new'"]),
    (["diff", "--fail_on=warning", "a", "b"], ["--fail_on", "'warning'", "incompatible"]),
    (["diff", "--format=sarif", "a", "b"], ["--format"]),
    (["lint", "--fail_on=incompatible", "a"], ["--fail_on", "'incompatible'"]),
    (["health", "extra"], ["extra"]),
    (["health", "--url=ftp://x"], ["--url", "ftp://x"]),
    (["health", "--url=http://x/readyz?now"], ["--url", "no query"]),
    (["health", "--request_timeout=5"], ["--request_timeout", "'5'"]),
    (["health", "--format=json"], ["--format", "health"]),
    (["checkpoint"], ["one path"]),
    (["checkpoint", "a", "b"], ["one path"]),
    (["checkpoint", "/no/such/chk-7"], ["/no/such/chk-7", "No such file"]),
    (["checkpoint", "/"], ["/_metadata", "No such file"]),
    (["checkpoint", "/dev/null"], ["/dev/null", "no regular file"]),
    (["checkpoint", __file__], [__file__, "byte 4", "no checkpoint's or savepoint's _metadata"]),
])
def test_bad_usage_is_exit_2_and_one_line(arguments, needles):
    one_line(run(*arguments), *needles)


def test_an_unreachable_jobmanager_is_named():
    with socket.socket() as held:  # bound, never listening: refused for sure
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        outcome = run("scan", f"--jobmanager_url={url}", "--format=json", "--log_level=error")
    one_line(outcome, url)


def test_a_taken_port_is_named():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        address = f"127.0.0.1:{held.getsockname()[1]}"
        one_line(run("serve", f"--listen={address}", "--log_level=error"), "--listen", address)


class Answering(http.server.BaseHTTPRequestHandler):
    """/readyz: 200, /slow: nothing for a while, else 503."""

    def do_GET(self):
        if self.path == "/slow":
            time.sleep(2)
        body = b"body"
        self.send_response(200 if self.path == "/readyz" else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def answering():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_health_is_0_on_200_alone(answering):
    outcome = run("health", f"--url={answering}/readyz",
                  env={"http_proxy": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"})
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")
    outcome = run("health", f"--url={answering}/starting")
    assert (outcome.returncode, outcome.stdout) == (1, "")
    assert outcome.stderr == f"flink-state-sidecar: {answering}/starting: answers 503\n"


def test_health_says_why_there_is_no_answer(answering):
    outcome = run("health", f"--url={answering}/slow", "--request_timeout=200ms")
    assert (outcome.returncode, outcome.stdout) == (1, "")
    assert re.fullmatch(rf"flink-state-sidecar: {answering}/slow: .*timed out.*\n", outcome.stderr)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/readyz"
        outcome = run("health", f"--url={url}")
    assert (outcome.returncode, outcome.stdout) == (1, "")
    assert re.fullmatch(rf"flink-state-sidecar: {url}: .*connect.*\n", outcome.stderr)


def test_flags_from_file_and_environment(tmp_path):
    flags = tmp_path / "flags"
    # A flag file may serve several verbs: --listen is serve's alone.
    flags.write_text("--format=json\n--listen=:1\n--fail_on=never\n")
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    outcome = run("lint", f"--flagfile={flags}", tmp_path / "plan.json")
    assert outcome.returncode == 0, outcome.stderr
    assert json.loads(outcome.stdout)["plans"]
    outcome = run("lint", "--fromenv=format,fail_on", tmp_path / "plan.json",
                  env={"FLAGS_format": "json", "FLAGS_fail_on": "never"})
    assert outcome.returncode == 0 and json.loads(outcome.stdout)["plans"]


def test_lint_judges_a_plan(tmp_path):
    plan = tmp_path / "agg.json"
    plan.write_text(json.dumps(PLAN))
    outcome = run("lint", "--format=json", plan)
    assert outcome.returncode == 1, outcome.stderr
    (judged,) = json.loads(outcome.stdout)["plans"]
    assert judged["flink_version"] == "2.3"
    aggregate = next(o for o in judged["operators"] if o["node_id"] == 3)
    assert aggregate["kind"] == "group-aggregate" and aggregate["cleanup"] == "ttl"
    assert aggregate["state"] == [{"index": 0, "name": "groupAggregateState", "ttl": "0 ms",
                                   "ttl_ms": 0, "forever": True, "tables": ["orders"],
                                   "keys": ["user_id"]}]
    (finding,) = judged["findings"]
    assert finding["code"] == "forever-state" and finding["severity"] == "warning"
    assert finding["node_id"] == 3 and finding["state"] == "groupAggregateState"
    assert run("lint", "--fail_on=never", plan).returncode == 0
    assert run("lint", "--fail_on=critical", plan).returncode == 0


def test_lint_reads_standard_input_and_folders(tmp_path):
    outcome = run("lint", "--format=json", "--fail_on=never", "-", stdin=json.dumps(PLAN))
    assert outcome.returncode == 0
    assert json.loads(outcome.stdout)["plans"][0]["file"] == "-"
    (tmp_path / "deep").mkdir()
    for name in ("b.json", "a.json", "deep/c.json"):
        (tmp_path / name).write_text(json.dumps(PLAN))
    outcome = run("lint", "--format=json", "--fail_on=never", tmp_path)
    files = [plan["file"] for plan in json.loads(outcome.stdout)["plans"]]
    assert files == [str(tmp_path / name) for name in ("a.json", "b.json", "deep/c.json")]


def test_lint_judges_the_others_when_one_file_is_broken(tmp_path):
    (tmp_path / "good.json").write_text(json.dumps(PLAN))
    (tmp_path / "cut.json").write_text(json.dumps(PLAN)[:200])
    outcome = run("lint", "--format=json", "--fail_on=never", tmp_path, tmp_path / "gone.json")
    assert outcome.returncode == 2
    plans = {pathlib.Path(plan["file"]).name: plan for plan in json.loads(outcome.stdout)["plans"]}
    assert set(plans) == {"good.json", "cut.json", "gone.json"}
    assert plans["good.json"]["operators"] and "error" not in plans["good.json"]
    assert set(plans["cut.json"]) == {"file", "error"} == set(plans["gone.json"])
    assert "cut.json" in outcome.stderr and "gone.json" in outcome.stderr


def edited(ttl="0 ms", shift=0, key="user_id"):
    """PLAN with another TTL, other numbers, another key."""
    plan = json.loads(json.dumps(PLAN).replace("groupBy=[user_id]", f"groupBy=[{key}]"))
    plan["nodes"][2]["state"][0]["ttl"] = ttl
    for node in plan["nodes"]:
        node["id"] += shift
    for edge in plan["edges"]:
        edge["source"] += shift
        edge["target"] += shift
    return plan


@pytest.fixture
def plans(tmp_path):
    """Writes plans, and gives their paths."""
    def write(**by_name):
        paths = []
        for name, plan in by_name.items():
            paths.append(tmp_path / f"{name}.json")
            paths[-1].write_text(json.dumps(plan))
        return paths
    return write


def test_diff_tells_what_a_restore_does(plans):
    old, new = plans(old=edited(), new=edited("1 h"))
    outcome = run("diff", "--format=json", old, new)
    assert outcome.returncode == 0 and outcome.stderr == ""
    answer = json.loads(outcome.stdout)
    (change,) = answer.pop("changes")
    assert answer == {"old": str(old), "new": str(new), "flink_version": "2.3"}
    assert change.pop("message").startswith("groupAggregateState of GroupAggregate[3]: its TTL")
    assert change == {"node_id_old": 3, "node_id_new": 3, "operator": "GroupAggregate[3]",
                      "state": "groupAggregateState", "change": "ttl", "old_ttl_ms": 0,
                      "new_ttl_ms": 3600000, "restore": "migrates"}
    text = run("diff", old, new)
    assert "for ever -> 1 h" in text.stdout and "1 change: 1 migrates" in text.stdout
    assert "\x1b" not in text.stdout


def test_diff_of_equal_plans(plans):
    old, new = plans(old=PLAN, new=PLAN)
    outcome = run("diff", "--format=json", "--fail_on=incompatible", old, new)
    assert outcome.returncode == 0
    assert json.loads(outcome.stdout)["changes"] == []


@pytest.mark.parametrize("flags, restore", [
    (["--state_backend=rocksdb"], "migrates"),
    (["--state_backend=forst"], "refused"),
    (["--flink_version=2.1", "--state_backend=rocksdb"], "migrates"),
    (["--flink_version=2.1.3", "--state_backend=hashmap"], "refused"),
    (["--flink_version=2.1"], "refused"),
    (["--flink_version=1.20.5", "--state_backend=rocksdb"], "refused"),
])
def test_diff_fails_on_what_is_incompatible(plans, flags, restore):
    old, new = plans(old=edited(), new=edited("1 h"))
    outcome = run("diff", "--format=json", "--fail_on=incompatible", *flags, old, new)
    (change,) = json.loads(outcome.stdout)["changes"]
    assert change["restore"] == restore
    assert outcome.returncode == (1 if restore == "refused" else 0)
    assert run("diff", *flags, old, new).returncode == 0
    assert run("diff", "--fail_on=never", *flags, old, new).returncode == 0


def test_diff_of_other_numbers_is_a_loss_unless_uids_have_none(plans):
    old, new = plans(old=edited(), new=edited(shift=10))
    outcome = run("diff", "--format=json", "--fail_on=incompatible", old, new)
    assert outcome.returncode == 1
    changes = json.loads(outcome.stdout)["changes"]
    assert [(change["node_id_old"], change["node_id_new"], change["restore"])
            for change in changes] == [(1, 11, "lost"), (3, 13, "lost"), (4, 14, "lost")]
    outcome = run("diff", "--format=json", "--uid_format=<type>_<transformation>", old, new)
    assert json.loads(outcome.stdout)["changes"] == []


def test_diff_reads_one_plan_from_standard_input(plans):
    (new,) = plans(new=edited("1 h"))
    outcome = run("diff", "--format=json", "-", new, stdin=json.dumps(PLAN))
    assert outcome.returncode == 0
    assert json.loads(outcome.stdout)["old"] == "-"
    outcome = run("diff", "--format=json", new, "-", stdin=json.dumps(PLAN)[:100])
    one_line(outcome, "-: ", "byte")


def test_diff_names_the_plan_that_is_none(plans, tmp_path):
    (old,) = plans(old=PLAN)
    (tmp_path / "cut.json").write_text(json.dumps(PLAN)[:200])
    for pair in ((old, tmp_path / "cut.json"), (tmp_path / "cut.json", old)):
        one_line(run("diff", "--format=json", *pair), "cut.json")


def test_lint_goes_by_a_policy(tmp_path):
    plan = tmp_path / "agg.json"
    plan.write_text(json.dumps(PLAN))
    policy = tmp_path / "policy.yaml"
    policy.write_text("forever:\n  - kind: group-aggregate\n    table: orders\n"
                      "    reason: 2,000 users\n")
    outcome = run("lint", "--format=json", f"--policy={policy}", plan)
    assert outcome.returncode == 0, outcome.stderr
    ((finding,),) = [plan["findings"] for plan in json.loads(outcome.stdout)["plans"]]
    assert finding["acknowledged"] and finding["acknowledged_reason"] == "2,000 users"
    plan.write_text(json.dumps(PLAN).replace("0 ms", "60 d"))
    assert run("lint", f"--policy={policy}", plan).returncode == 0
    policy.write_text("longest_ttl:\n  - ttl: 30 d\n    reason: disputes end after 30 days\n")
    outcome = run("lint", "--format=json", f"--policy={policy}", plan)
    assert outcome.returncode == 1
    ((finding,),) = [plan["findings"] for plan in json.loads(outcome.stdout)["plans"]]
    assert finding["code"] == "policy" and finding["severity"] == "warning"
    assert "for 60 d: the policy allows 30 d (disputes end after 30 days)" in finding["message"]
    policy.write_text("longest_ttl:\n  - ttl: 30 d\n")
    one_line(run("lint", f"--policy={policy}", plan), "--policy", "policy.yaml:2", "reason is missing")
    one_line(run("lint", "--policy=/no/such.yaml", plan), "--policy", "/no/such.yaml")


def test_text_in_a_pipe_has_no_colours(tmp_path):
    plan = tmp_path / "agg.json"
    plan.write_text(json.dumps(PLAN))
    outcome = run("lint", plan)
    assert "\x1b" not in outcome.stdout and "forever-state" in outcome.stdout


REAL = pathlib.Path(__file__).parents[1] / "golden/checkpoints/real/metadata"


def test_checkpoint_shows_a_folder_and_a_file(tmp_path):
    (tmp_path / "_metadata").write_bytes((REAL / "v4-1.19-join-ttl").read_bytes())
    by_folder = json.loads(run("checkpoint", "--format=json", tmp_path).stdout)
    by_file = json.loads(run("checkpoint", "--format=json", tmp_path / "_metadata").stdout)
    assert by_folder["path"] == str(tmp_path) and by_folder["savepoint"] is True
    assert {**by_file, "path": str(tmp_path)} == by_folder
    states = {state["name"]: state for operator in by_folder["operators"]
              for state in operator["states"]}
    assert states["left-records"] == {"name": "left-records", "scope": "keyed", "kind": "value",
                                      "ttl_enabled": True}
    text = run("checkpoint", tmp_path)
    assert text.returncode == 0 and text.stderr == ""
    assert "left-records" in text.stdout and " on " in text.stdout


def test_checkpoint_without_its_state_files_tells_the_rest():
    outcome = run("checkpoint", "--format=json", REAL / "v6-2.2-rocksdb-checkpoint")
    assert outcome.returncode == 0
    assert "state files not read" in outcome.stderr and "operators=4" in outcome.stderr
    unknown = [operator for operator in json.loads(outcome.stdout)["operators"]
               if not operator["keyed_states_known"]]
    assert len(unknown) == 4 and all(operator["size_bytes"] > 0 for operator in unknown)


def test_checkpoint_of_a_cut_file(tmp_path):
    whole = (REAL / "v4-1.19-join-ttl").read_bytes()
    (tmp_path / "_metadata").write_bytes(whole[:len(whole) // 2])
    outcome = run("checkpoint", "--format=json", tmp_path)
    one_line(outcome, str(tmp_path / "_metadata"), "byte ", "are left")
