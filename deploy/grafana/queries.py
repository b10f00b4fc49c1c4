"""What the dashboards have in common: selectors, queries, links, the table of findings.

Every query takes the largest of series that differ in Prometheus' own labels alone: two sidecars
beside the two JobManagers of a cluster report the same. `state=""` picks an operator's own series of
growth and time left, `state!=""` those of its entries.
"""

from panels import SEVERITIES, SEVERITY_RANKS, column, link, query, table, thresholds, value_map

OVERVIEW, JOB, SIDECAR = "flink-state-overview", "flink-state-job", "flink-state-sidecar"
BACKEND_NAMES = value_map({"EmbeddedRocksDBStateBackend": ("RocksDB", "text"),
                           "HashMapStateBackend": ("hashmap", "text"), "ForStStateBackend": ("ForSt", "text")})
ANSWERS = value_map({"0": ("down", "red"), "1": ("up", "green")})

CLUSTERS = 'cluster=~"$cluster"'
JOBS = 'cluster=~"$cluster", flink_job=~"$job"'
ONE_JOB = 'cluster="$cluster", flink_job="$job"'
OPERATORS = f'{ONE_JOB}, operator=~"$operator"'
SIDECARS = 'instance=~"$sidecar"'

WARNS = thresholds((None, "green"), (1, "orange"))
ALARMS = thresholds((None, "green"), (1, "red"))

# From a row of a table to the dashboard of its job.
TO_JOB = link("Open the job", f"/d/{JOB}?var-datasource=${{datasource}}"
              "&var-cluster=${__data.fields.cluster:percentencode}"
              "&var-job=${__data.fields.job:percentencode}&${__url_time_range}")
TO_OPERATOR = link("Open the operator", TO_JOB["url"] + "&var-operator=${__data.fields.operator:percentencode}")
TO_SIDECAR = link("Open the sidecars", f"/d/{SIDECAR}?var-datasource=${{datasource}}&${{__url_time_range}}")


def most(metric, matchers, labels):
    """The metric once per `labels`, however many sidecars report it."""
    return f"max by ({labels}) ({metric}{{{matchers}}})"


def per_vertex_sum(metric, matchers, labels):
    """Summed over operators after the reports of several sidecars have become one."""
    return f"sum by ({labels}) ({most(metric, matchers, 'cluster, flink_job, job_id, vertex_id, operator')})"


def number_of(vector):
    """How many series; 0 for none, unlike count()."""
    return f"count({vector}) or vector(0)"


def findings_table(matchers, with_job):
    labels = "severity, code, cluster, flink_job, job_id, operator, state, plan, acknowledged"
    names = {"Value": "severity", "code": "finding"}
    by_severity = {name: most("flink_state_finding", f'{matchers}, severity="{name}"', labels)
                   for name in SEVERITY_RANKS}
    ranked = " or ".join(f"{SEVERITY_RANKS[name]} * {found}" for name, found in by_severity.items())
    if with_job:
        names.update(cluster="cluster", flink_job="job")
    names.update(operator="operator", state="state", plan="plan", acknowledged="acknowledged")
    links = [TO_OPERATOR] if with_job else None
    columns = [column("severity", width=110, mappings=SEVERITIES), column("finding", width=220),
               column("operator", links=links), column("acknowledged", width=130)]
    if with_job:
        columns.append(column("job", links=[TO_JOB]))
    return table("Findings", "What stands now. The sentence and the advice of each: /api/v1/findings of the "
                 "sidecar, or flink-state-sidecar scan.",
                 [query(ranked, table=True)], names, columns, sort="severity", descending=True)
