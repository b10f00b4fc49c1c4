#!/usr/bin/env python3
"""Makes the Grafana dashboards, dashboards/*.json: one module here for each of them.

    generate.py            write them
    generate.py --check    write nothing; exit 1 when one is not up to date
"""

import json
import pathlib
import sys

from job import job_dashboard
from overview import overview
from sidecar import sidecar

FOLDER = pathlib.Path(__file__).resolve().parent / "dashboards"


def dashboards():
    """File name → text of each dashboard."""
    made = (overview(), job_dashboard(), sidecar())
    return {f"{d['uid']}.json": json.dumps(d, indent=2, ensure_ascii=False) + "\n" for d in made}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = []
    for name, text in dashboards().items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not sys.argv[1:]:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale and sys.argv[1:]:
        print(f"not up to date: {', '.join(stale)}: run deploy/grafana/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
