"""What is said of the demo's jobs, and what is not."""

from harness import demo_jobs, sidecar


def places(findings):
    return sorted((finding["job"], finding.get("operator", "").split("[")[0],
                   finding.get("state", "")) for finding in findings)


def test_what_is_kept_for_ever(lab):
    """GROUP BY, deduplication and Top-3, and nothing else: no window, interval join or filter."""
    assert places(lab.findings("forever-state")) == [
        ("order-board", "Deduplicate", "deduplicateState"),
        ("order-board", "Rank", "rankState"),
        ("user-totals", "GroupAggregate", "groupAggregateState")]


def test_the_join_side_that_no_hint_reaches(lab):
    findings = lab.findings("ttl-from-job-default")
    assert places(findings) == [("cascade", "Join", "leftState"),
                                ("cascade-plain", "Join", "leftState")]
    for finding in findings:
        operators = lab.sidecar.jobs()[finding["job"]]["operators"]
        joins = [operator for operator in operators if operator["kind"] == "join"]
        assert finding["vertex_id"] == joins[1]["vertex_id"]
        assert "30 min" in finding["message"]
        assert "STATE_TTL" in finding["advice"]


def test_the_job_without_a_plan(lab):
    assert places(lab.findings("plan-missing")) == [("method-counts", "", "")]


def test_nothing_is_said_that_is_not_so(lab):
    """No plan drifts, none is ambiguous where it matters, no checkpoint fails, all is known."""
    for code in ("plan-drift", "plan-ambiguous", "checkpoint-failing", "checkpoint-stale",
                 "unknown-operator"):
        assert lab.findings(code) == [], code
    assert [finding for finding in lab.findings() if finding["job"] == "large-orders"] == []


def test_findings_carry_what_the_contract_says(lab):
    for finding in lab.findings():
        assert finding["severity"] in ("info", "warning", "critical")
        assert finding["message"] and finding["advice"]
        assert "\n" not in finding["message"]
        assert finding["job_id"] == lab.sidecar.jobs()[finding["job"]]["job_id"]


def of_one_look(findings):
    """What one look tells as well as long watching: without the codes and severities of trends."""
    return sorted(
        str([finding.get(key) for key in ("job", "code", "operator", "state")]
            + [finding["severity"] if finding["code"] != "forever-state" else ""])
        for finding in findings
        if finding["code"] not in ("state-growing", "growing-past-ttl", "capacity"))


def test_scan_exits_by_severity_and_names_the_findings(lab):
    code, document = sidecar.scan(lab.cluster.url, lab.cluster.plan_dir)
    assert code == 1  # ttl-from-job-default is a warning
    listed = [finding for finding in document["findings"] if finding["job"] in demo_jobs.JOBS]
    assert of_one_look(listed) == of_one_look(lab.findings())
    code, text, _ = sidecar.run("scan", *lab.flags(), "--fail_on=never")
    assert code == 0
    for word in (*demo_jobs.JOBS, "ttl-from-job-default", "forever-state", "plan-missing",
                 "leftState", "7 d", "2 h"):
        assert word in text, word
