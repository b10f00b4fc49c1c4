#!/usr/bin/env python3
"""Makes the Grafana dashboards, dashboards/*.json: one module here for each of them. And the same for
the chart, ../chart/files/dashboards/*.json, without white space: a release of Helm holds 1 MiB.

    generate.py            write them
    generate.py --check    write nothing; exit 1 when one is not up to date
"""

import json
import pathlib
import sys

from job import job_dashboard
from overview import overview
from sidecar import sidecar

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "dashboards"
CHART_FOLDER = HERE.parent / "chart" / "files" / "dashboards"


def files():
    """Path → text of each file."""
    made = {}
    for dashboard in (overview(), job_dashboard(), sidecar()):
        name = f"{dashboard['uid']}.json"
        made[FOLDER / name] = json.dumps(dashboard, indent=2, ensure_ascii=False) + "\n"
        made[CHART_FOLDER / name] = json.dumps(dashboard, separators=(",", ":"),
                                               ensure_ascii=False) + "\n"
    return made


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = []
    for path, text in files().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(str(path.relative_to(HERE.parent)))
        if not sys.argv[1:]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale and sys.argv[1:]:
        print(f"not up to date: {', '.join(stale)}: run deploy/grafana/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
