#!/usr/bin/env python3
"""A _metadata of 100 MB: the sidecar's reader beside Flink's own loader (2.3.0), in one go.

    cmake --preset release -B build/bench -DFSS_BUILD_BENCH=ON -DFSS_BUILD_TESTS=OFF
    cmake --build build/bench --target checkpoint_bench flink-state-sidecar
    python3 tests/bench/checkpoint/compare.py

Also runs the whole verb on the file, for its time and its largest resident size.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "deploy" / "lib"))

from harness.flink import flink_home  # noqa: E402

BUILD = pathlib.Path(os.environ.get("FSS_BENCH_BUILD") or ROOT / "build" / "bench")
BENCH = BUILD / "tests/bench/checkpoint/checkpoint_bench"
LOADS = 8


def verb(path):
    """The verb's seconds, CPU seconds, greatest resident MiB, and what it adds up to."""
    with tempfile.TemporaryFile() as out:
        begin = time.monotonic()
        process = subprocess.Popen(
            [BUILD / "flink-state-sidecar", "checkpoint", "--format=json", path], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        assert status == 0
        out.seek(0)
        answer = json.load(out)
    size = sum(operator["size_bytes"] for operator in answer["operators"])
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, size


def main():
    print("load", *(f"{load:.1f}" for load in os.getloadavg()))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "_metadata"
        subprocess.run([BENCH, f"--write={path}"], check=True)
        print(f"file {path.stat().st_size:,} bytes", flush=True)
        seconds, cpu, resident, size = verb(path)
        print(f"verb checkpoint: {seconds * 1000:.0f} ms, CPU {cpu * 1000:.0f} ms, "
              f"resident at most {resident:.1f} MiB, {size:,} bytes of state", flush=True)
        subprocess.run([BENCH, "--benchmark_min_time=3"], check=True)
        print("Flink's own loader", flush=True)
        subprocess.run(["java", "-Xmx4g", "-cp", f"{flink_home('2.3.0')}/lib/*",
                        ROOT / "tests/bench/checkpoint/FlinkLoader.java", "time", path, str(LOADS)],
                       check=True)


if __name__ == "__main__":
    main()
