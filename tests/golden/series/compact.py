#!/usr/bin/env python3
"""Makes a fixture of a recording: compact.py FROM_DIR TO_DIR

Every checkpoint stays. Of RocksDB's figures those stay that the product reads (live data size and
number of keys, without Flink's timer states); numbers lose digits that say nothing ("0.0").
"""

import json
import pathlib
import re
import shutil
import sys

KEPT = re.compile(r"rocksdb_estimate-(live-data-size|num-keys)$")


def plain(number):
    return int(number) if float(number).is_integer() else number


def main():
    source, target = map(pathlib.Path, sys.argv[1:3])
    target.mkdir(parents=True)
    for name in ("plan.json", "job-plan.json", "checkpoints-config.json"):
        if (source / name).exists():
            shutil.copyfile(source / name, target / name)
    with open(target / "series.jsonl", "w", encoding="utf-8") as out:
        for line in (source / "series.jsonl").read_text().splitlines():
            row = json.loads(line)
            rocks = {vertex: {name: plain(value) for name, value in metrics.items()
                              if KEPT.search(name) and "._timer_state/" not in name}
                     for vertex, metrics in row.pop("rocks", {}).items()}
            rocks = {vertex: metrics for vertex, metrics in rocks.items() if metrics}
            out.write(json.dumps({**row, **({"rocks": rocks} if rocks else {})},
                                 separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
