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
    def told():
        return rest.get_json(side.url + "/api/v1/operators"), side.findings()

    for _ in range(tries):
        before = told()
        metrics = side.metrics()
        if before == told():
            operators, findings = before
            return metrics, operators["jobs"], findings
        time.sleep(0.1)
    raise AssertionError("polls came faster than five requests, %d times" % tries)


_MASK = (1 << 64) - 1


def _rotated(number, bits):
    return ((number << bits) | (number >> (64 - bits))) & _MASK


def _mixed(number):
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        number = ((number ^ (number >> 33)) * factor) & _MASK
    return number ^ (number >> 33)


def operator_id(uid):
    """The id that Flink gives an operator of this uid: MurmurHash3 x64 128, seed 0."""
    data = uid.encode()
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = 0
    # The last block, which is not full, is mixed in but for the additions.
    for begin in range(0, len(data), 16):
        block = data[begin:begin + 16]
        k1, k2 = (int.from_bytes(block[half:half + 8], "little") for half in (0, 8))
        h1 ^= (_rotated((k1 * c1) & _MASK, 31) * c2) & _MASK
        if len(block) == 16:
            h1 = ((_rotated(h1, 27) + h2) * 5 + 0x52DCE729) & _MASK
        h2 ^= (_rotated((k2 * c2) & _MASK, 33) * c1) & _MASK
        if len(block) == 16:
            h2 = ((_rotated(h2, 31) + h1) * 5 + 0x38495AB5) & _MASK
    h1, h2 = h1 ^ len(data), h2 ^ len(data)
    h1 = (h1 + h2) & _MASK
    h2 = (h2 + h1) & _MASK
    h1, h2 = _mixed(h1), _mixed(h2)
    h1 = (h1 + h2) & _MASK
    h2 = (h2 + h1) & _MASK
    return h1.to_bytes(8, "little").hex() + h2.to_bytes(8, "little").hex()
