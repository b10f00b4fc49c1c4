"""The sidecars: whether they themselves are well."""

from panels import column, dashboard, heatmap, query, row, series, stat, table, thresholds, variable
from queries import ANSWERS, SIDECAR, SIDECARS, WARNS, number_of


def states():
    return table(
        "Sidecars", "Each sidecar, the cluster it watches, and how old its last good poll is.",
        [query(f"max by (instance, version) (flink_state_sidecar_build_info{{{SIDECARS}}})", ref="A", table=True),
         query(f"max by (instance, cluster) (flink_state_up{{{SIDECARS}}})", ref="B", table=True),
         query(f"time() - max by (instance) (flink_state_sidecar_last_success_timestamp_seconds{{{SIDECARS}}})",
               ref="C", table=True)],
        {"instance": "sidecar", "version": "version", "cluster": "cluster", "Value #B": "JobManager",
         "Value #C": "last good poll"},
        [column("JobManager", mappings=ANSWERS),
         column("last good poll", unit="s", steps=thresholds((None, "green"), (120, "orange"), (600, "red")))],
        sort="sidecar")


def sidecar():
    chosen = variable("sidecar", "sidecar", "label_values(flink_state_sidecar_build_info, instance)", multi=True)
    rate = "[$__rate_interval]"
    failing = 'outcome!~"2xx|4xx"'
    total = "flink_state_sidecar_rest_requests_total"
    return dashboard(
        SIDECAR, "Flink state: the sidecar", "Whether the sidecars themselves are well.",
        [chosen],
        [[(6, 4, stat("Scraped", "Sidecars that Prometheus reaches.", number_of(
             f"up{{{SIDECARS}}} == 1 and on (job, instance) flink_state_sidecar_build_info"))),
          (6, 4, stat("Oldest good poll", "Age of the last poll that the JobManager answered.",
                      f"time() - min(flink_state_sidecar_last_success_timestamp_seconds{{{SIDECARS}}})", unit="s",
                      steps=thresholds((None, "green"), (120, "orange"), (600, "red")))),
          (6, 4, stat("Requests that fail", "Without 4xx, which jobs that ended cause.",
                      f"(sum(rate({total}{{{SIDECARS}, {failing}}}{rate})) or vector(0)) / "
                      f"sum(rate({total}{{{SIDECARS}}}{rate}))", unit="percentunit",
                      steps=thresholds((None, "green"), (0.01, "orange"), (0.1, "red")))),
          (6, 4, stat("Unreadable plans", "Files of the plan folders.",
                      f'sum(flink_state_sidecar_plans{{{SIDECARS}, state="unreadable"}})', steps=WARNS))],
         [(24, 6, states())],
         [(12, 8, series("JobManager answers", "1 while the last poll was answered.", query(
             f"max by (instance, cluster) (flink_state_up{{{SIDECARS}}})", "{{instance}} {{cluster}}"), "short")),
          (12, 8, series("Collectors", "1 when the collector's last run succeeded.", query(
              f"min by (instance, collector) (flink_state_sidecar_collector_success{{{SIDECARS}}})",
              "{{instance}} {{collector}}"), "short"))],
         row("Polls"),
         [(12, 8, series("Poll duration", "Half of the polls took at most this long; 99 % of them.", [
             query("histogram_quantile(0.5, sum by (le) (rate("
                   f"flink_state_sidecar_poll_duration_seconds_bucket{{{SIDECARS}}}{rate})))", "median", "A"),
             query("histogram_quantile(0.99, sum by (le) (rate("
                   f"flink_state_sidecar_poll_duration_seconds_bucket{{{SIDECARS}}}{rate})))", "99 %", "B")], "s")),
          (12, 8, heatmap("Polls by duration", "How many polls took how long.", "sum by (le) (increase("
                          f"flink_state_sidecar_poll_duration_seconds_bucket{{{SIDECARS}}}{rate}))", "s"))],
         row("Load on the JobManager"),
         [(12, 8, series("Requests", "By outcome.", query(
             f"sum by (outcome) (rate({total}{{{SIDECARS}}}{rate}))", "{{outcome}}"), "reqps", stacked=True)),
          (12, 8, series("Bytes of answers", "From the JobManager to the sidecar.", query(
              f"sum by (instance) (rate(flink_state_sidecar_rest_response_bytes_total{{{SIDECARS}}}{rate}))",
              "{{instance}}"), "binBps"))],
         row("Plans and scrapes"),
         [(8, 8, series("Plans", "Files of the plan folder.", query(
             f"sum by (state) (flink_state_sidecar_plans{{{SIDECARS}}})", "{{state}}"), "short")),
          (8, 8, series("Scrape duration", "How long Prometheus waited for /metrics.", query(
              f"max by (instance) (scrape_duration_seconds{{{SIDECARS}}} and on (job, instance) "
              "flink_state_sidecar_build_info)", "{{instance}}"), "s")),
          (8, 8, series("Series", "Samples of one scrape: what Prometheus stores.", query(
              f"max by (instance) (scrape_samples_scraped{{{SIDECARS}}} and on (job, instance) "
              "flink_state_sidecar_build_info)", "{{instance}}"), "short"))],
         row("Many clusters (--kubernetes)"),
         [(12, 8, series("Clusters by replica", "A standby polls none; shards share them.", query(
             f"max by (instance) (flink_state_sidecar_clusters{{{SIDECARS}}})", "{{instance}}"), "short")),
          (12, 8, series("Replica that polls", "1 for the one that holds the Lease.", query(
              f"max by (instance) (flink_state_sidecar_leader{{{SIDECARS}}})", "{{instance}}"), "short"))]],
        'alertname=~"FlinkState(Sidecar|Polls|Report|Collector|Plans|JobManager).+"')
