#!/usr/bin/env python3
"""Makes the Grafana dashboards, dashboards/*.json: one module here for each of them. And the same for
the chart, ../chart/files/dashboards/*.json, without white space: a release of Helm holds 1 MiB.

    generate.py            write them
    generate.py --check    write nothing; exit 1 when one is not up to date
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))

from generated import bring_up_to_date  # noqa: E402
from job import job_dashboard  # noqa: E402
from overview import overview  # noqa: E402
from sidecar import sidecar  # noqa: E402

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
    return bring_up_to_date(files(), "deploy/grafana/generate.py", check=bool(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
