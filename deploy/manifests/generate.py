#!/usr/bin/env python3
"""Makes deploy/manifests/fleet out of the chart, with its defaults: one source for both.

    generate.py            write the files
    generate.py --check    write nothing; exit 1 when one is not up to date

Needs the helm of deploy/setup kube. kustomization.yaml and namespace.yaml are written by hand.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
FLEET = HERE / "fleet"
sys.path.insert(0, str(HERE.parent / "lib"))

from generated import bring_up_to_date  # noqa: E402
from harness.kube import run_tool  # noqa: E402

NAME = "flink-state-sidecar"
HEADER = "# Made by deploy/manifests/generate.py from deploy/chart. Do not edit.\n"
# Labels that tell of Helm, which does not manage these.
OF_HELM = re.compile(r"^ +(helm\.sh/chart|app\.kubernetes\.io/managed-by): .*\n", re.MULTILINE)


def files():
    """Path → text: a file for each template of mode operator that renders something."""
    rendered = run_tool("helm", "template", NAME, HERE.parent / "chart", "--namespace", NAME,
                        "--set", "tests.enabled=false")[1]
    made = {}
    parts = re.split(r"^---\n# Source: \S+/(\w+)\.yaml\n", rendered, flags=re.MULTILINE)[1:]
    for template, text in zip(parts[::2], parts[1::2], strict=True):
        path = FLEET / f"{template}.yaml"
        made[path] = made.get(path, HEADER) + "---\n" + OF_HELM.sub("", text)
    return {path: text.replace(HEADER + "---\n", HEADER) for path, text in made.items()}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    return bring_up_to_date(files(), "deploy/manifests/generate.py", check=bool(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
