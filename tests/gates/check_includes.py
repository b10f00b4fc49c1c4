#!/usr/bin/env python3
"""Dependencies between rooms point one way, and libraries stay where docs/architecture.md puts them."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')

# Room: what its files may include of the project.
ROOMS = {
    "sidecar/base": {"sidecar/base"},
    "sidecar/model": {"sidecar/base", "sidecar/model"},
    "sidecar/analysis": {"sidecar/base", "sidecar/model", "sidecar/analysis"},
    "collectors": {"sidecar/base", "sidecar/model", "collectors"},
    "exporters": {"sidecar/base", "sidecar/model", "exporters"},
    "sidecar/app": {"sidecar/base", "sidecar/model", "sidecar/analysis", "collectors",
                    "exporters", "sidecar/app"},
}

# Library header: where alone it may be included.
LIBRARIES = [
    (re.compile(r"^(cpprest|pplx|boost)/"), re.compile(r"^collectors/cpprest_client\.cc$")),
    (re.compile(r"^rapidjson/"),
     re.compile(r"^(collectors/.*(reader|json)\w*\.(cc|h)|collectors/rest/.*|exporters/json/.*)$")),
    (re.compile(r"^prometheus/"), re.compile(r"^exporters/prometheus/")),
    (re.compile(r"^(civetweb\.h|CivetServer\.h)$"), re.compile(r"^exporters/http/")),
    (re.compile(r"^zlib\.h$"), re.compile(r"^(exporters/http/|collectors/kube/unpacking\.cc$)")),
    (re.compile(r"^gflags/"), re.compile(r"^sidecar/app/")),
    (re.compile(r"^(spdlog|fmt)/"), re.compile(r"^sidecar/app/")),
    (re.compile(r"^murmurhash\.h$"), re.compile(r"^sidecar/base/murmur3\.cc$")),
    (re.compile(r"^sqlite3\.h$"), re.compile(r"^sidecar/analysis/sqlite_\w+\.cc$")),
    (re.compile(r"^yaml-cpp/"), re.compile(r"^collectors/rules_\w+\.cc$")),
    (re.compile(r"^(curl/.*|dlfcn\.h)$"), re.compile(r"^sidecar/base/curl\.(h|cc)$")),
    # No I/O where there is none to be done.
    (re.compile(r"^(fstream|iostream|filesystem|sys/.*|unistd\.h)$"),
     re.compile(r"^(collectors|exporters|sidecar/app)/")),
]


def room_of(path: str):
    return next((room for room in ROOMS if path.startswith(room + "/")), None)


def main() -> int:
    bad = []
    files = [p for folder in ("sidecar", "collectors", "exporters")
             for p in sorted((ROOT / folder).rglob("*")) if p.suffix in (".h", ".cc")]
    for path in files:
        name = str(path.relative_to(ROOT))
        room = room_of(name)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, target = match.groups()
            where = f"{name}:{number}"
            if quote == '"':
                target_room = room_of(target)
                if target_room is None or not (ROOT / target).is_file():
                    bad.append(f'{where}: "{target}" is no header of a room')
                elif target_room not in ROOMS[room]:
                    bad.append(f"{where}: {room} may not include {target_room}")
            else:
                for header, allowed in LIBRARIES:
                    if header.match(target) and not allowed.match(name):
                        bad.append(f"{where}: <{target}> does not belong here")
    print("\n".join(bad))
    print(f"includes: {len(files)} files, {len(bad)} wrong")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
