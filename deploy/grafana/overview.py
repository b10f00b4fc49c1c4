"""The overview: all jobs, what stands, what fills first."""

from panels import ETA_THRESHOLDS, SEVERITY_COLORS, column, dashboard, query, row, series, stat, table, variable
from queries import (ALARMS, BACKEND_NAMES, CLUSTERS, JOBS, OVERVIEW, TO_JOB, TO_OPERATOR, TO_SIDECAR, WARNS,
                     findings_table, most, number_of, per_vertex_sum)

LIVE_JOBS = most("flink_state_job_info", f'{JOBS}, state!~"FINISHED|FAILED|CANCELED|SUSPENDED"',
                 "cluster, flink_job, job_id, state, flink_version, state_backend, plan")
OPEN_FINDINGS = f'{JOBS}, acknowledged!="true"'
# What makes a finding one, whatever its severity.
PLACES = "cluster, job_id, vertex_id, operator, state, plan, code"


def count_findings(severity):
    return number_of(most("flink_state_finding", f'{OPEN_FINDINGS}, severity="{severity}"', PLACES))


def stats():
    return [
        (4, 4, stat("Clusters that do not answer", "JobManagers that no sidecar gets an answer from.",
                    number_of(f"max by (cluster) (flink_state_up{{{CLUSTERS}}}) == 0"), steps=ALARMS,
                    link=TO_SIDECAR)),
        (4, 4, stat("Jobs", "Jobs that have not ended.", number_of(LIVE_JOBS))),
        (4, 4, stat("State", "Bytes of all jobs' state in their latest checkpoints.",
                    f"sum({per_vertex_sum('flink_state_size_bytes', JOBS, 'cluster')})", unit="bytes")),
        (4, 4, stat("Critical findings", "Not acknowledged.", count_findings("critical"), steps=ALARMS)),
        (4, 4, stat("Warnings", "Not acknowledged.", count_findings("warning"), steps=WARNS)),
        (4, 4, stat("Full first in", "The least time that any operator has until its heap or disk is full.",
                    f"min(flink_state_seconds_until_full{{{JOBS}}})", unit="s", steps=ETA_THRESHOLDS)),
    ]


def fills_first():
    keys = "cluster, flink_job, job_id, operator"
    left = f'min by ({keys}) (flink_state_seconds_until_full{{{JOBS}, state=""}})'
    growth = most("flink_state_growth_bytes_per_second", f'{JOBS}, state=""', keys)
    return table(
        "What fills first", "Operators whose heap or disk will be full at the present growth.",
        [query(left, ref="A", table=True),
         query(f"{growth} and on ({keys}) {left}", ref="B", table=True),
         query(f"{most('flink_state_size_bytes', JOBS, keys)} and on ({keys}) {left}", ref="C", table=True)],
        {"cluster": "cluster", "flink_job": "job", "operator": "operator", "Value #A": "full in",
         "Value #B": "growth", "Value #C": "size"},
        [column("job", links=[TO_JOB]), column("operator", links=[TO_OPERATOR]),
         column("full in", unit="s", steps=ETA_THRESHOLDS), column("growth", unit="binBps"),
         column("size", unit="bytes")], sort="full in")


def jobs_table():
    job_keys = "cluster, flink_job, job_id"
    return table(
        "Jobs", "Jobs that have not ended. No plan: TTLs are not known.",
        [query(LIVE_JOBS, ref="A", table=True),
         query(per_vertex_sum("flink_state_size_bytes", JOBS, job_keys), ref="B", table=True),
         query(per_vertex_sum("flink_state_growth_bytes_per_second", f'{JOBS}, state=""', job_keys), ref="C",
               table=True),
         query(most("flink_state_checkpoint_age_seconds", JOBS, job_keys), ref="D", table=True)],
        {"cluster": "cluster", "flink_job": "job", "state": "status", "flink_version": "Flink",
         "state_backend": "backend", "plan": "plan", "Value #B": "size", "Value #C": "growth",
         "Value #D": "checkpoint age"},
        [column("job", links=[TO_JOB]), column("backend", mappings=BACKEND_NAMES), column("size", unit="bytes"),
         column("growth", unit="binBps"), column("checkpoint age", unit="s")], sort="size", descending=True)


def over_time():
    job_growth = per_vertex_sum("flink_state_growth_bytes_per_second", f'{JOBS}, state=""', "cluster, flink_job")
    return [
        [(12, 9, series("State by job", "The ten largest jobs.", query(
            f"topk(10, {per_vertex_sum('flink_state_size_bytes', JOBS, 'cluster, flink_job')})",
            "{{cluster}} {{flink_job}}"), "bytes", stacked=True)),
         (12, 9, series("Growth by job", "The ten that grow most, as the sidecar judges it: without saw-teeth.",
                        query(f"topk(10, {job_growth})", "{{cluster}} {{flink_job}}"), "binBps", minimum=None))],
        [(12, 8, series("Findings", "Not acknowledged, by severity.", query(
            f"count by (severity) ({most('flink_state_finding', OPEN_FINDINGS, 'severity, ' + PLACES)})",
            "{{severity}}"), "short", overrides=[
                {"matcher": {"id": "byName", "options": name}, "properties": [
                    {"id": "color", "value": {"mode": "fixed", "fixedColor": color}}]}
                for name, color in SEVERITY_COLORS.items()])),
         (12, 8, series("Age of the latest checkpoint", "The ten oldest.", query(
             f"topk(10, {most('flink_state_checkpoint_age_seconds', JOBS, 'cluster, flink_job')})",
             "{{cluster}} {{flink_job}}"), "s"))],
    ]


def overview():
    cluster = variable("cluster", "cluster", "label_values(flink_state_up, cluster)", multi=True)
    job = variable("job", "job", f"label_values(flink_state_job_info{{{CLUSTERS}}}, flink_job)", multi=True)
    return dashboard(
        OVERVIEW, "Flink state: overview", "Which job keeps how much state, what grows, what fills first.",
        [cluster, job],
        [stats(),
         [(24, 9, fills_first())],
         [(24, 9, findings_table(JOBS, with_job=True))],
         [(24, 9, jobs_table())],
         row("Over time"), *over_time()],
        CLUSTERS)
