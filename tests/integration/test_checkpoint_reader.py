"""`checkpoint` on what a real Flink wrote: hashmap, RocksDB incremental and full, merged files,
in-flight data; checkpoints, canonical and native savepoints. Sizes against REST's, TTL against the
compiled plan's."""

import json
import pathlib
import re
import string
from urllib.parse import unquote, urlparse

import pytest

from harness import sidecar
from harness.processes import wait_until
from readings import operator_id

SQL_DIR = pathlib.Path(__file__).parent / "sql"
MERGED = {"execution.checkpointing.file-merging.enabled": "true"}
OPTIONS = {
    "on-hashmap": {"state.backend.type": "hashmap"},
    "mixed-hashmap": {"state.backend.type": "hashmap", **MERGED,
                      "execution.checkpointing.unaligned.enabled": "true"},
    "on-rocks": {"state.backend.type": "rocksdb"},
    "mixed-rocks": {"state.backend.type": "rocksdb", **MERGED},
    "mixed-full": {"state.backend.type": "rocksdb",
                   "execution.checkpointing.incremental": "false"},
}
JOBS = tuple(OPTIONS)
# REST tells of ten checkpoints: of the last 40 s.
INTERVAL = "4 s"
SAVEPOINTS = [(name, native) for native in (False, True) for name in JOBS]

# What is behind "<node id>_" in the uids of these jobs' operators.
TRANSFORMATIONS = ("source", "calc", "deduplicate", "group-aggregate", "join", "sink",
                   "streaming-writer", "discarding-sink")
# The state names behind the entries of a plan.
STATES = {"leftState": "left-records", "rightState": "right-records",
          "groupAggregateState": "accState", "deduplicateState": "deduplicate-state"}
STATEMENTS = """\
INSERT INTO names SELECT name, SUM(amount) FROM clicks GROUP BY name;
INSERT INTO sums SELECT id, COUNT(*) FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY at_time) AS place FROM clicks
) WHERE place = 1 GROUP BY id;"""


@pytest.fixture(scope="module")
def folder(lab, tmp_path_factory):
    """The folder of this module's plans; its jobs run on the lab's cluster."""
    plans = tmp_path_factory.mktemp(f"checkpoint-reader-{lab.cluster.version}")
    on, mixed = (SQL_DIR / "checkpoint-reader.sql").read_text(encoding="utf-8").split("\n\n")
    tables = string.Template((SQL_DIR / "checkpoint-reader-tables.sql").read_text(encoding="utf-8"))
    parts = [f"SET 'execution.checkpointing.interval' = '{INTERVAL}';"]
    for name, options in OPTIONS.items():
        ttl, backend = name.split("-")
        text = string.Template(on if ttl == "on" else mixed)
        parts += [f"SET '{option}' = '{value}';" for option, value in options.items()]
        parts.append(text.substitute(BACKEND=backend, PLAN_DIR=plans, STATEMENTS=STATEMENTS))
        parts += [f"RESET '{option}';" for option in options]
    lab.cluster.sql("\n".join(parts), init=tables.substitute(PLAN_DIR=plans))
    try:
        lab.cluster.wait_checkpoints(JOBS, count=2)
        yield plans
    finally:
        running = [job["jid"] for name, job in lab.cluster.jobs().items()
                   if name in JOBS and job["state"] == "RUNNING"]
        lab.cluster.cancel(*running)


def local_path(address):
    return pathlib.Path(unquote(urlparse(address).path))


def read(path):
    """What the verb says of a checkpoint, or None where it has gone meanwhile."""
    code, out, err = sidecar.run("checkpoint", "--format=json", path)
    if code != 0:
        assert "No such file" in err, err
        return None
    # A head that was not found: the checkpoint went after its _metadata was read.
    return json.loads(out) if "No such file" not in err else None


def latest(lab, job_id):
    """(REST's details, the verb's answer) of one completed checkpoint; Flink keeps only the last."""
    def both():
        row = lab.cluster.get(f"/jobs/{job_id}/checkpoints")["latest"]["completed"]
        answer = read(local_path(row["external_path"]))
        return answer and (details(lab, job_id, row["id"]), answer)
    return wait_until("a checkpoint that stays", both, 30, every=0.3)


def details(lab, job_id, checkpoint_id):
    """REST caches for 3 s; asked for an id that it does not list, it may tell another job's."""
    def listed():
        return any(row["id"] == checkpoint_id and row["status"] == "COMPLETED"
                   for row in lab.cluster.get(f"/jobs/{job_id}/checkpoints")["history"])
    wait_until(f"checkpoint {checkpoint_id} in REST", listed, 30, every=0.3)
    return lab.cluster.get(f"/jobs/{job_id}/checkpoints/details/{checkpoint_id}")


def chains(lab, job_id, plan_file):
    """vertex id → ids that the operators of its chain may have."""
    plan = json.loads(plan_file.read_text(encoding="utf-8"))
    sinks = {node["id"] for node in plan["nodes"] if "-sink_" in node["type"]}
    found = {}
    for vertex in lab.cluster.get(f"/jobs/{job_id}/plan")["plan"]["nodes"]:
        nodes = {int(number) for number in re.findall(r"\[(\d+)\]:", vertex["description"])}
        # A sink of several operators is not described by its node's id.
        nodes |= {edge["target"] for edge in plan["edges"]
                  if edge["source"] in nodes and edge["target"] in sinks}
        found[vertex["id"]] = {operator_id(f"{node}_{transformation}")
                               for node in nodes for transformation in TRANSFORMATIONS}
    return found


def assert_sizes_are_rests(lab, job_id, plan_file, rest, answer):
    assert answer["checkpoint_id"] == rest["id"]
    left = {operator["operator_id"]: operator for operator in answer["operators"]}
    assert [*left] == sorted(left)
    most_with_state = 0
    for vertex_id, ids in chains(lab, job_id, plan_file).items():
        of_chain = [left.pop(found) for found in [*left] if found in ids]
        task = rest["tasks"][vertex_id]
        assert sum(operator["size_bytes"] for operator in of_chain) == task["state_size"]
        assert sum(operator["checkpointed_bytes"]
                   for operator in of_chain) == task["checkpointed_size"]
        most_with_state = max(most_with_state,
                              sum(operator["size_bytes"] > 0 for operator in of_chain))
    assert left == {}
    assert most_with_state > 1, "the join and the file writer behind it share a chain"


def assert_ttl_is_the_plans(plan_file, answer):
    found = {operator["operator_id"]: operator for operator in answer["operators"]}
    checked = 0
    for node in json.loads(plan_file.read_text(encoding="utf-8"))["nodes"]:
        for entry in node.get("state", []):
            kind = node["type"].removeprefix("stream-exec-").rsplit("_", 1)[0]
            operator = found[operator_id(f"{node['id']}_{kind}")]
            assert operator["keyed_states_known"]
            state, = [state for state in operator["states"]
                      if state["name"] == STATES[entry["name"]]]
            assert state["scope"] == "keyed"
            assert state["ttl_enabled"] == (entry["ttl"] != "0 ms"), (node["type"], entry)
            checked += 1
    assert checked == 5  # two GROUP BY, a deduplication, both sides of a join


def assert_names_and_uids(lab, plan_file, answer):
    """Format 6 has them, format 4 (1.20) has not."""
    old = lab.cluster.version.startswith("1.")
    assert answer["version"] == (4 if old else 6)
    node_ids = {node["id"] for node in json.loads(plan_file.read_text(encoding="utf-8"))["nodes"]}
    for operator in answer["operators"]:
        if old:
            assert "uid" not in operator and "name" not in operator
        elif "uid" in operator:
            assert operator["operator_id"] == operator_id(operator["uid"])
            assert int(operator["uid"].split("_")[0]) in node_ids
    assert old or sum("uid" in operator for operator in answer["operators"]) >= 6


@pytest.mark.parametrize("name", JOBS)
def test_checkpoints(lab, folder, name):
    job_id = lab.cluster.jobs()[name]["jid"]
    plan_file = folder / f"{name}.json"
    rest, answer = latest(lab, job_id)
    assert answer["savepoint"] is False
    assert_sizes_are_rests(lab, job_id, plan_file, rest, answer)
    assert_ttl_is_the_plans(plan_file, answer)
    assert_names_and_uids(lab, plan_file, answer)


def test_an_increment_is_less_than_the_whole(lab, folder):
    job_id = lab.cluster.jobs()["on-rocks"]["jid"]

    def increment():
        rest, answer = latest(lab, job_id)
        assert_sizes_are_rests(lab, job_id, folder / "on-rocks.json", rest, answer)
        written, whole = (sum(operator[size] for operator in answer["operators"])
                          for size in ("checkpointed_bytes", "size_bytes"))
        return written < whole
    wait_until("a checkpoint that reuses files of the one before", increment, 60)


@pytest.fixture(scope="module")
def savepoints(lab, folder):
    """(job name, native) → (path, REST's details), asked before REST forgets them."""
    jobs = lab.cluster.jobs()
    found = {}
    for native in (False, True):
        paths = {name: local_path(lab.cluster.savepoint(jobs[name]["jid"], native=native))
                 for name in JOBS}
        found.update({(name, native): (path, details(lab, jobs[name]["jid"], savepoint_id(path)))
                      for name, path in paths.items()})
    return found


def savepoint_id(path):
    return read(path)["checkpoint_id"]


@pytest.mark.parametrize(("name", "native"), SAVEPOINTS)
def test_savepoints(lab, folder, savepoints, name, native):
    path, rest = savepoints[name, native]
    answer = read(path)
    assert answer["savepoint"] is True
    assert answer == {**read(path / "_metadata"), "path": str(path)}
    plan_file = folder / f"{name}.json"
    assert_sizes_are_rests(lab, lab.cluster.jobs()[name]["jid"], plan_file, rest, answer)
    assert_ttl_is_the_plans(plan_file, answer)

    code, out, err = sidecar.run("checkpoint", path)
    assert (code, err) == (0, "")
    assert "savepoint" in out and "left-records" in out
    # Moved away: the state files beside the _metadata are found all the same.
    moved = path.rename(path.with_name(path.name + "-moved"))
    assert {**read(moved), "path": str(path)} == answer


def test_state_in_files_of_its_own_was_among_them(lab, folder):
    """Else the reading of heads was not tried: the heap's state is larger than what is inlined."""
    _, answer = latest(lab, lab.cluster.jobs()["on-hashmap"]["jid"])
    metadata_bytes = 20 * 1024
    assert any(operator["managed_keyed_bytes"] > metadata_bytes
               for operator in answer["operators"])
