#!/usr/bin/env python3
"""clang-tidy over every source, as a gate.

A source whose text, project headers, checks and clang-tidy are those of an earlier clean run is
not looked at again: the outcome is kept in the cache folder by the hash of all these.

Usage: tidy.py BUILD_DIR   (a build folder with compile_commands.json)
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.M)


def cache_dir() -> pathlib.Path:
    base = os.environ.get("FSS_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "flink-state-sidecar")
    folder = pathlib.Path(base) / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def texts_of(source: pathlib.Path, seen: dict) -> None:
    """Collects the source and every project header it includes, directly or not."""
    if source in seen or not source.is_file():
        return
    seen[source] = source.read_bytes()
    for name in INCLUDE.findall(seen[source]):
        texts_of(ROOT / name.decode(errors="replace"), seen)


def key_of(source: pathlib.Path, flavour: bytes) -> str:
    seen: dict = {}
    texts_of(source, seen)
    digest = hashlib.sha256(flavour)
    for path in sorted(seen):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + seen[path] + b"\0")
    return digest.hexdigest()


def main() -> int:
    build = pathlib.Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text())
    sources = sorted({pathlib.Path(c["file"]) for c in commands
                      if "/tests/" not in c["file"] and pathlib.Path(c["file"]).is_file()})
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    flavour = version + (ROOT / ".clang-tidy").read_bytes()
    cache = cache_dir()

    def look(source: pathlib.Path):
        stamp = cache / key_of(source, flavour)
        if stamp.exists():
            return source, 0, ""
        run = subprocess.run(["clang-tidy", "--quiet", "-p", str(build), str(source)],
                             capture_output=True, text=True)
        if run.returncode == 0:
            stamp.touch()
        return source, run.returncode, run.stdout + run.stderr

    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for source, code, output in pool.map(look, sources):
            if code != 0:
                bad += 1
                print(f"== {source.relative_to(ROOT)}\n{output}", flush=True)
    print(f"clang-tidy: {len(sources)} sources, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
