"""Plain readings of what Flink and the sidecar wrote, to compare one with the other."""

import json
import re
import time

from harness import rest

_UNIT_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}

DAY_MS = _UNIT_MS["d"]
HOUR_MS = _UNIT_MS["h"]
MINUTE_MS = _UNIT_MS["min"]


def ttl_ms(text):
    """"30 min" → 1800000: the forms that Flink writes itself."""
    number, unit = re.fullmatch(r"(\d+) (\w+)", text).groups()
    return int(number) * _UNIT_MS[unit]


def declared_state(plan_file):
    """A compiled plan's state: node id → (type, {entry name: TTL in ms}), nodes with any only."""
    plan = json.loads(plan_file.read_text(encoding="utf-8"))
    return {node["id"]: (node["type"], {entry["name"]: ttl_ms(entry["ttl"])
                                        for entry in node["state"]})
            for node in plan["nodes"] if node.get("state")}


def entries(operator):
    """A reported operator's state: {entry name: TTL in ms, or None where it is not known}."""
    return {entry["name"]: entry.get("ttl_ms") for entry in operator["state"]}


_SERIES = re.compile(r'([a-z_]+)(?:\{(.*)\})? (\S+)')
_ESCAPE = re.compile(r'\\(["n\\])')
_MEANS = {'"': '"', "n": "\n", "\\": "\\"}
_LABEL = re.compile(r'([a-z_]+)="((?:[^"\\]|\\.)*)"')


def series(text, name):
    """One metric's series in a text exposition: a list of (labels, value)."""
    found = []
    for line in text.splitlines():
        match = _SERIES.fullmatch(line)
        if match and match.group(1) == name:
            labels = {label: _ESCAPE.sub(lambda escape: _MEANS[escape.group(1)], value)
                      for label, value in _LABEL.findall(match.group(2) or "")}
            found.append((labels, float(match.group(3))))
    return found


def sizes_by_vertex(job):
    """vertex id → [(size_bytes, checkpointed_bytes), …] of a reported job's operators."""
    sizes = {}
    for operator in job["operators"]:
        sizes.setdefault(operator["vertex_id"], [])
        if "size_bytes" in operator:
            sizes[operator["vertex_id"]].append(
                (operator["size_bytes"], operator.get("checkpointed_bytes")))
    return sizes


def same_moment(side, tries=20):
    """/metrics, the jobs and the findings of one and the same poll."""
    for _ in range(tries):
        before = rest.get_json(side.url + "/api/v1/operators")
        metrics = side.metrics()
        findings = side.findings()
        after = rest.get_json(side.url + "/api/v1/operators")
        if before == after:
            return metrics, before["jobs"], findings
        time.sleep(0.1)
    raise AssertionError("polls came faster than three requests, %d times" % tries)
