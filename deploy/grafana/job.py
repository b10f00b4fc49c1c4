"""One job: its operators' state over time, per input, TTLs, growth, checkpoints."""

from panels import (ETA_THRESHOLDS, FOREVER, FOREVER_SECONDS, column, dashboard, query, row, series, stat, table,
                    thresholds, variable)
from queries import JOB, ONE_JOB, OPERATORS, WARNS, findings_table, most, number_of, per_vertex_sum

TOTAL = f'{ONE_JOB}, state=""'


def told(title, description, label, width):
    expr = most("flink_state_job_info", f'{ONE_JOB}, {label}!=""', label)
    return width, 3, stat(title, description, expr, legend="{{" + label + "}}", text="name")


def by_operator(metric, matchers=OPERATORS):
    return query(most(metric, matchers, "operator"), "{{operator}}")


def by_entry(metric, matchers=f'{OPERATORS}, state!=""'):
    return query(most(metric, matchers, "operator, state"), "{{operator}} {{state}}")


def what_is_known():
    return [told("Status", "The job's state.", "state", 4),
            told("Flink", "The JobManager's version.", "flink_version", 4),
            told("Backend", "Where state lies while the job runs.", "state_backend", 6),
            told("Plan", "The compiled plan's file.", "plan", 6),
            told("Matched by", "The proof that this plan is the job's.", "matched_by", 4)]


def numbers():
    return [
        (4, 4, stat("State", "Bytes in the latest completed checkpoint.",
                    f"sum({per_vertex_sum('flink_state_size_bytes', ONE_JOB, 'job_id')})", unit="bytes")),
        (4, 4, stat("Growth", "Sum over the operators.",
                    f"sum({per_vertex_sum('flink_state_growth_bytes_per_second', TOTAL, 'job_id')})",
                    unit="binBps", steps=thresholds((None, "green"), (1, "orange")), decimals=1)),
        (4, 4, stat("Full in", "Until the first heap or disk is full; empty: nothing will be.",
                    f"min(flink_state_seconds_until_full{{{ONE_JOB}}})", unit="s", steps=ETA_THRESHOLDS)),
        (4, 4, stat("Checkpoint age", "Of the latest completed checkpoint, on the JobManager's clock.",
                    f"max(flink_state_checkpoint_age_seconds{{{ONE_JOB}}})", unit="s",
                    steps=thresholds((None, "green"), (600, "orange"), (3600, "red")))),
        (4, 4, stat("Failed in the last hour", "Checkpoints that failed.",
                    f"max(increase(flink_state_checkpoint_failures_total{{{ONE_JOB}}}[1h]))", steps=WARNS,
                    decimals=0)),
        (4, 4, stat("Findings", "Warnings and critical ones, not acknowledged.", number_of(most(
            "flink_state_finding", f'{ONE_JOB}, severity!="info", acknowledged!="true"',
            "job_id, vertex_id, operator, state, plan, code")), steps=WARNS)),
    ]


def operators():
    return [
        [(12, 9, series("State by operator", "Full size in the latest checkpoint, per vertex.",
                        by_operator("flink_state_size_bytes"), "bytes", stacked=True)),
         (12, 9, series("Growth by operator", "The trend, without saw-teeth and savepoints.",
                        by_operator("flink_state_growth_bytes_per_second", f'{OPERATORS}, state=""'), "binBps",
                        minimum=None))],
        [(12, 8, series("Full in", "Time left at the present growth.", query(
            f"min by (operator) (flink_state_seconds_until_full{{{OPERATORS}}})", "{{operator}}"), "s")),
         (12, 8, series("Inside the chains", "Size of each operator of a chain, read from the checkpoint itself: "
                        "with --checkpoint_root.", by_operator("flink_state_operator_size_bytes", ONE_JOB),
                        "bytes"))],
    ]


def entries():
    return table(
        "State entries", "What each operator remembers and for how long. Live bytes and keys where Flink's "
        "RocksDB metrics are on.",
        [query(f"clamp_max({most('flink_state_ttl_seconds', OPERATORS, 'operator, kind, state')}, "
               f"{FOREVER_SECONDS:.0f})", ref="A", table=True),
         query(most("flink_state_entry_live_bytes", OPERATORS, "operator, kind, state"), ref="B", table=True),
         query(most("flink_state_entry_keys", OPERATORS, "operator, kind, state"), ref="C", table=True),
         query(most("flink_state_growth_bytes_per_second", f'{OPERATORS}, state!=""', "operator, kind, state"),
               ref="D", table=True)],
        {"operator": "operator", "state": "state", "kind": "kind", "Value #A": "TTL", "Value #B": "live bytes",
         "Value #C": "keys", "Value #D": "growth"},
        [column("TTL", unit="s", mappings=FOREVER), column("live bytes", unit="bytes"),
         column("keys", unit="short"), column("growth", unit="binBps")], sort="operator")


def inputs():
    return [
        [(24, 8, entries())],
        [(12, 8, series("Live bytes by entry", "What RocksDB estimates to be live: without what awaits "
                        "compaction.", by_entry("flink_state_entry_live_bytes", OPERATORS), "bytes")),
         (12, 8, series("Keys by entry", "As RocksDB estimates them.",
                        by_entry("flink_state_entry_keys", OPERATORS), "short"))],
        [(12, 8, series("Growth by entry", "The two inputs of a join apart.",
                        by_entry("flink_state_growth_bytes_per_second"), "binBps", minimum=None)),
         (12, 8, series("TTL by entry", "A step is a new plan. For ever is not drawn.", query(
             f"{most('flink_state_ttl_seconds', OPERATORS, 'operator, state')} < Inf",
             "{{operator}} {{state}}"), "s"))],
    ]


def checkpoints():
    age = query(f"max(flink_state_checkpoint_age_seconds{{{ONE_JOB}}})", "age")
    failed = query(f"max(increase(flink_state_checkpoint_failures_total{{{ONE_JOB}}}[1h]))", "failed")
    return [
        (8, 8, series("Age of the latest checkpoint", "A saw-tooth as high as the interval is normal.", age, "s")),
        (8, 8, series("Failed checkpoints", "Per hour.", failed, "short")),
        (8, 8, series("Written per checkpoint", "The increment where checkpoints are incremental.",
                      by_operator("flink_state_checkpointed_bytes"), "bytes", stacked=True)),
    ]


def job_dashboard():
    cluster = variable("cluster", "cluster", "label_values(flink_state_up, cluster)")
    job = variable("job", "job", 'label_values(flink_state_job_info{cluster="$cluster"}, flink_job)')
    operator = variable("operator", "operator",
                        'label_values({__name__=~"flink_state_(size_bytes|ttl_seconds)", '
                        f"{ONE_JOB}}}, operator)", multi=True)
    return dashboard(
        JOB, "Flink state: job", "One job: its operators' state over time, TTLs, growth, checkpoints.",
        [cluster, job, operator],
        [what_is_known(), numbers(),
         [(24, 8, findings_table(ONE_JOB, with_job=False))],
         row("Operators"), *operators(),
         row("Per input"), *inputs(),
         row("Checkpoints"), checkpoints()],
        'cluster="$cluster", flink_job="$job"')
