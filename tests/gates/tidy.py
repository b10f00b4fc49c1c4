#!/usr/bin/env python3
"""clang-tidy over every source of the program, as a gate, in two passes:

- together: the groups in which sources are compiled (cmake/room.cmake). What they include is parsed once
  for all, and that is most of the work.
- alone: each source by itself, for the checks that look at nothing but the file they are given. It shows,
  too, that each stands alone: compiled together, one could live from what another includes.

A source or group whose text, project headers, checks and clang-tidy are those of an earlier clean run is
not looked at again: the outcome is kept in the cache folder by the hash of all these.

Usage: tidy.py BUILD_DIR   (a build folder with compile_commands.json)
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("sidecar", "collectors", "exporters")
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.M)
# A function's paths are followed this far (225,000 is the analyzer's own limit, at five times the time).
MAX_NODES = 5000
TOGETHER = ["--checks=-clang-analyzer-*"]
ALONE = ["--checks=-*,clang-analyzer-core.*,clang-analyzer-cplusplus.*,misc-unused-*",
         "--extra-arg=-Xclang", "--extra-arg=-analyzer-config",
         "--extra-arg=-Xclang", f"--extra-arg=max-nodes={MAX_NODES}"]


def cache_dir() -> pathlib.Path:
    base = os.environ.get("FSS_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "flink-state-sidecar")
    folder = pathlib.Path(base) / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def texts_of(source: pathlib.Path, seen: dict) -> None:
    """Collects the source and every file of the project that it includes, directly or not."""
    if source in seen or not source.is_file():
        return
    seen[source] = source.read_bytes()
    for name in INCLUDE.findall(seen[source]):
        # From the project's root; a group names its sources by whole paths.
        texts_of(ROOT / name.decode(errors="replace"), seen)


def key_of(source: pathlib.Path, flavour: bytes) -> str:
    seen: dict = {}
    texts_of(source, seen)
    digest = hashlib.sha256(flavour)
    for path in sorted(seen):
        text = seen[path].replace(bytes(ROOT), b"")
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def flags_of(commands: list) -> list:
    """What the sources of the program are told: all that any of them is."""
    flags: dict = {}
    for command in commands:
        words = iter(shlex.split(command["command"]))
        for word in words:
            if word == "-isystem":
                flags[(word, next(words))] = None
            elif word.startswith(("-I", "-D", "-std=", "-isystem")):
                flags[(word,)] = None
    return [word for flag in flags for word in flag]


def main() -> int:
    build = pathlib.Path(sys.argv[1])
    # A group of tests lies in its program's folder: CMakeFiles/model_test.dir/Unity/….
    commands = [c for c in json.loads((build / "compile_commands.json").read_text())
                if "/tests/" not in c["file"] and "_test.dir/" not in c["file"]
                and pathlib.Path(c["file"]).is_file()]
    flags = flags_of(commands)
    groups = sorted({pathlib.Path(c["file"]) for c in commands})
    sources = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.cc"))
    # The longest first.
    work = [(group, [*TOGETHER, "-p", str(build)], []) for group in groups]
    work += [(source, ALONE, ["--", *flags]) for source in sources]

    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    flavour = version + (ROOT / ".clang-tidy").read_bytes()
    cache = cache_dir()

    def look(item):
        path, how, last = item
        told = "\0".join([*how, *last]).encode().replace(bytes(ROOT), b"")
        stamp = cache / key_of(path, flavour + told)
        if stamp.exists():
            return path, 0, ""
        run = subprocess.run(["clang-tidy", "--quiet", *how, str(path), *last],
                             capture_output=True, text=True)
        if run.returncode == 0:
            stamp.touch()
        return path, run.returncode, run.stdout + run.stderr

    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for path, code, output in pool.map(look, work):
            if code != 0:
                bad += 1
                print(f"== {path.relative_to(ROOT)}\n{output}", flush=True)
    print(f"clang-tidy: {len(sources)} sources in {len(groups)} groups, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
