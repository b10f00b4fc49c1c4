#!/usr/bin/env python3
"""Makes prometheusrule.yaml, for the Prometheus operator, and the chart's rules out of rules.yaml.

    generate.py                      write prometheusrule.yaml and ../chart/files/rules.yaml
    generate.py --check              write nothing; exit 1 when one is not up to date
    generate.py --runbook_base=URL   first point all runbook_url in rules.yaml at URL/<alert>.md

The groups are copied as text, so that their comments stay. (The chart gets a copy, not a link: not
all that installs charts from a repository follows links.)
"""

import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))

from generated import bring_up_to_date  # noqa: E402

RULES = HERE / "rules.yaml"
PROMETHEUS_RULE = HERE / "prometheusrule.yaml"
CHART_RULES = HERE.parent / "chart" / "files" / "rules.yaml"

# `prometheus` and `role` are the labels that the operator's own examples select rules by; a
# Prometheus with another ruleSelector needs other ones.
HEADER = """\
# Made by deploy/prometheus/generate.py from rules.yaml. Do not edit.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: flink-state-sidecar
  labels:
    app.kubernetes.io/name: flink-state-sidecar
    prometheus: k8s
    role: alert-rules
spec:
"""


def prometheus_rule(rules):
    """The PrometheusRule with the groups of a rules file."""
    start = rules.index("groups:\n")
    body = [f"  {line}" if line.strip() else "" for line in rules[start:].splitlines()]
    return rules[:start] + HEADER + "\n".join(body) + "\n"


def chart_rules(rules):
    """The groups alone; the chart writes what stands around them."""
    return "# Made by deploy/prometheus/generate.py. Do not edit.\n" + rules[rules.index("groups:\n"):]


def with_runbook_base(rules, base):
    """The rules file with every runbook at `base`."""
    return re.sub(r"(runbook_url: )\S+/(\w+\.md)", rf"\g<1>{base.rstrip('/')}/\g<2>", rules)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--runbook_base", metavar="URL")
    options = parser.parse_args()
    rules = RULES.read_text(encoding="utf-8")
    if options.runbook_base and not options.check:
        rules = with_runbook_base(rules, options.runbook_base)
        RULES.write_text(rules, encoding="utf-8")
    wanted = {PROMETHEUS_RULE: prometheus_rule(rules), CHART_RULES: chart_rules(rules)}
    return bring_up_to_date(wanted, "deploy/prometheus/generate.py", check=options.check)


if __name__ == "__main__":
    sys.exit(main())
