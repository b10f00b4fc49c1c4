"""The alert rules: promtool's verdict, cases of three kinds for every rule, a runbook for every alert."""

import functools
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest
import yaml

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
RULES_FILE = REPOSITORY / "deploy" / "prometheus" / "rules.yaml"
GENERATE = REPOSITORY / "deploy" / "prometheus" / "generate.py"
RUNBOOKS = REPOSITORY / "docs" / "runbooks"

CASE_FILES = sorted(HERE.glob("*.yaml"))
RULES_TEXT = RULES_FILE.read_text(encoding="utf-8")
GROUPS = yaml.safe_load(RULES_TEXT)["groups"]
RULES = [rule for group in GROUPS for rule in group["rules"]]
ALERTS = [rule for rule in RULES if "alert" in rule]
NAMES = sorted({rule["alert"] for rule in ALERTS})

OPEN_FINDINGS = "operator:flink_state_finding:open10m"
LOOK_BACK_MINUTES = 10
SECTIONS = ["Meaning", "Impact", "Diagnosis", "Mitigation"]


def key_of(rule):
    """What tells a rule from the others: one alert may have several."""
    labels = rule["labels"]
    return rule["alert"], labels["severity"], labels.get("reason", "")


def minutes(duration):
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?", duration)
    return int(found[1] or 0) * 60 + int(found[2] or 0)


def rule_id(rule):
    return "-".join(part for part in key_of(rule) if part)


def promtool(*arguments):
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)


def test_rules_are_clean():
    checked = promtool("check", "rules", RULES_FILE)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"SUCCESS: {len(RULES)} rules found" in checked.stdout


@pytest.mark.parametrize("file", CASE_FILES, ids=lambda file: file.stem)
def test_cases(file):
    tested = promtool("test", "rules", file)
    assert tested.returncode == 0, tested.stdout + tested.stderr


@functools.lru_cache(maxsize=None)
def cases():
    """Of each test group: (alert, minute, keys of the alerts expected then)."""
    groups = [group for file in CASE_FILES
              for group in yaml.safe_load(file.read_text(encoding="utf-8"))["tests"]]
    return [[(case["alertname"], minutes(case["eval_time"]),
              {(case["alertname"], alert["exp_labels"]["severity"],
                alert["exp_labels"].get("reason", "")) for alert in case["exp_alerts"]})
             for case in group["alert_rule_test"]] for group in groups]


def kinds_of(rule):
    """The kinds of case that there are for a rule."""
    kinds, key = set(), key_of(rule)
    for group in cases():
        moments = sorted((minute, key in expected) for alert, minute, expected in group
                         if alert == rule["alert"])
        fires = [minute for minute, firing in moments if firing]
        if moments and not fires:
            kinds.add("does not fire")
        if fires:
            kinds.add("fires")
        if any(not firing and minute > fires[0] for minute, firing in moments if fires):
            kinds.add("resolves")
    return kinds


@pytest.mark.parametrize("rule", ALERTS, ids=rule_id)
def test_every_rule_has_all_kinds_of_case(rule):
    assert kinds_of(rule) == {"fires", "does not fire", "resolves"}


@pytest.mark.parametrize("rule", ALERTS, ids=rule_id)
def test_labels_and_annotations(rule):
    assert rule["labels"]["severity"] in ("critical", "warning")
    # Labels of the scrape and of the finding must not be overwritten.
    assert set(rule["labels"]) <= {"severity", "reason"}
    assert set(rule["annotations"]) == {"summary", "description", "runbook_url"}
    assert rule["annotations"]["runbook_url"].endswith("/" + rule["alert"] + ".md")
    for name in ("summary", "description"):
        assert rule["annotations"][name].endswith(".")


@pytest.mark.parametrize("rule", [r for r in ALERTS if OPEN_FINDINGS in r["expr"]], ids=rule_id)
def test_two_severities_of_one_finding_do_not_collide(rule):
    chosen = rule["expr"].split("unless")[0]
    severity = rule["labels"]["severity"]
    assert f'severity="{severity}"' in chosen or "max without (severity)" in chosen


def test_rules_are_told_apart():
    keys = [key_of(rule) for rule in ALERTS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("rule", [r for r in ALERTS if OPEN_FINDINGS in r["expr"]], ids=rule_id)
def test_one_sample_of_a_finding_raises_nothing(rule):
    assert minutes(rule["for"]) > LOOK_BACK_MINUTES


def test_every_alert_has_a_runbook_and_every_runbook_an_alert():
    pages = sorted(page.stem for page in RUNBOOKS.glob("*.md") if page.stem != "README")
    assert pages == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_runbook_has_its_sections(name):
    page = (RUNBOOKS / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {name}\n")
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == SECTIONS
    index = (RUNBOOKS / "README.md").read_text(encoding="utf-8")
    assert f"({name}.md)" in index, "the index of the runbooks does not name it"


def promql_of_the_runbooks():
    """The indented lines of the runbooks that are PromQL: they begin with a metric or a function of one."""
    return [(page.stem, line.strip()) for page in sorted(RUNBOOKS.glob("*.md"))
            for line in page.read_text(encoding="utf-8").splitlines()
            if re.match(r" {4,}(flink_state_|(topk|sort|sum|max|min|rate|time)\b[^;]*flink_state_)", line)]


def test_promql_of_the_runbooks_is_sound(tmp_path):
    found = promql_of_the_runbooks()
    assert len({page for page, _ in found}) > 5
    rules = [{"record": f"page:{page}:{place}", "expr": expr} for place, (page, expr) in enumerate(found)]
    file = tmp_path / "runbooks.yaml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "runbooks", "rules": rules}]}), encoding="utf-8")
    checked = promtool("check", "rules", file)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_runbooks_use_verbs_and_flags_that_exist():
    """Nobody is told at night to type what the program does not have."""
    configuration = (REPOSITORY / "docs" / "configuration.md").read_text(encoding="utf-8")
    verbs = set(re.findall(r"^\| `(\w+)(?: [^`]*)?` \|", configuration, re.MULTILINE))
    flags = set(re.findall(r"^\| `(--\w+)` \|", configuration, re.MULTILINE))
    assert {"serve", "scan"} <= verbs and {"--plan_dir", "--rules_file"} <= flags
    used = set()
    for page in sorted(RUNBOOKS.glob("*.md")):
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for verb, rest in re.findall(r"(?:^|-- +) *flink-state-sidecar +(\w+)([^|\n]*)", text, re.MULTILINE):
            used.add(verb)
            assert verb in verbs, f"{page.stem}: {verb}"
            assert set(re.findall(r"--\w+", rest)) <= flags, f"{page.stem}: {rest}"
        # Flags in the text: those of ours have underscores, kubectl's do not.
        assert set(re.findall(r"`(--\w+)", text)) <= flags, page.stem
    assert used >= {"scan", "lint"}


def test_alertmanager_example_is_sound(tmp_path):
    page = (RULES_FILE.parent / "README.md").read_text(encoding="utf-8")
    example = page.split("In `alertmanager.yml`:\n", 1)[1].split("\n## ", 1)[0]
    file = tmp_path / "alertmanager.yml"
    file.write_text(textwrap.dedent(example) + "receivers: [{name: tickets}, {name: pager}]\n",
                    encoding="utf-8")
    checked = subprocess.run(["amtool", "check-config", file], capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "2 inhibit rules" in checked.stdout


def alerting_codes():
    return {code for rule in ALERTS
            for codes in re.findall(r'code=~?"([a-z|-]+)"', rule["expr"].split("unless")[0])
            for code in codes.split("|")}


def silent_codes():
    """The codes that the head of the rules file names as raising no alert, with the reason."""
    return set(re.findall(r"^#   ([a-z]+(?:-[a-z]+)+)  +\w", RULES_TEXT, re.MULTILINE))


# Every code of a finding; a new one must either alert or be named among those that do not.
CODES = {
    "forever-state", "state-growing", "growing-past-ttl", "capacity", "ttl-from-job-default",
    "ttl-mismatch", "ttl-drift", "plan-missing", "plan-drift", "plan-ambiguous", "heap-pressure",
    "state-skew", "heavy-aggregate", "joinable-chain", "time-bound-possible", "checkpoint-failing",
    "checkpoint-stale", "unknown-operator"}


def test_every_code_alerts_or_says_why_not():
    assert not alerting_codes() & silent_codes()
    assert alerting_codes() | silent_codes() == CODES


def test_codes_are_those_of_the_findings_page():
    page = (REPOSITORY / "docs" / "findings.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^#+ `([a-z]+(?:-[a-z]+)+)`$", page, re.MULTILINE))
    assert documented and documented <= CODES


def test_metrics_of_the_rules_are_documented():
    documented = (REPOSITORY / "docs" / "metrics.md").read_text(encoding="utf-8")
    used = set(re.findall(r"(?<![:\w])flink_state_\w+(?![:\w])", RULES_TEXT))
    missing = {name for name in used if f"`{name}`" not in documented}
    assert used and not missing


def run_generate(*arguments, script=GENERATE):
    return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True,
                          timeout=60)


def test_prometheusrule_is_up_to_date():
    checked = run_generate("--check")
    assert checked.returncode == 0, checked.stderr
    made = yaml.safe_load((GENERATE.parent / "prometheusrule.yaml").read_text(encoding="utf-8"))
    assert made["kind"] == "PrometheusRule"
    assert made["spec"]["groups"] == GROUPS


def copy_of_generate(tmp_path):
    folder = tmp_path / "prometheus"
    folder.mkdir()
    for name in ("generate.py", "rules.yaml", "prometheusrule.yaml"):
        (folder / name).write_bytes((GENERATE.parent / name).read_bytes())
    (tmp_path / "lib").mkdir()
    shared = GENERATE.parents[1] / "lib" / "generated.py"
    (tmp_path / "lib" / shared.name).write_bytes(shared.read_bytes())
    return folder / "generate.py"


def test_charts_rules_are_the_same():
    chart = GENERATE.parents[1] / "chart" / "files" / "rules.yaml"
    assert yaml.safe_load(chart.read_text(encoding="utf-8"))["groups"] == GROUPS


def test_check_sees_an_edit(tmp_path):
    script = copy_of_generate(tmp_path)
    rules = script.parent / "rules.yaml"
    rules.write_text(RULES_TEXT.replace("for: 12m", "for: 13m"), encoding="utf-8")
    assert run_generate("--check", script=script).returncode == 1
    assert run_generate(script=script).returncode == 0
    assert run_generate("--check", script=script).returncode == 0


def test_runbook_base_is_set_in_all_files(tmp_path):
    script = copy_of_generate(tmp_path)
    assert run_generate("--runbook_base=https://wiki.test/runbooks/", script=script).returncode == 0
    files = [script.parent / "rules.yaml", script.parent / "prometheusrule.yaml",
             tmp_path / "chart" / "files" / "rules.yaml"]
    for file in files:
        urls = re.findall(r"runbook_url: (\S+)", file.read_text(encoding="utf-8"))
        assert len(urls) == len(ALERTS)
        assert all(re.fullmatch(r"https://wiki\.test/runbooks/\w+\.md", url) for url in urls)
    for file in (files[0], files[2]):
        assert promtool("check", "rules", file).returncode == 0


# --- the alert exporter's table (exporters/alertmanager), as its unit test writes it -------------------

# Rules that a sidecar cannot know of itself: (alert, reason).
NOT_IN_THE_SIDECAR = {("FlinkStateSidecarDown", "scrape-fails"), ("FlinkStateSidecarDown", "gone"),
                      ("FlinkStateSidecarDown", "none"), ("FlinkStatePollsFailing", "cut-off")}


def finding_line(rule):
    """A rule on findings as tests/golden/alerts.txt has it."""
    chosen, _, unless = rule["expr"].partition("unless")
    line = ["finding", re.search(r'code="([a-z-]+)"', chosen)[1],
            (re.search(r'severity="(\w+)"', chosen) or [0, "any"])[1],
            rule["alert"], rule["labels"]["severity"], rule["for"]]
    if unless:
        on = re.search(r"on \(([^)]*)\)", unless)[1]
        scope = {"namespace, job, cluster, job_id": "job",
                 "namespace, job, cluster, job_id, vertex_id, operator": "operator"}[on]
        line += ["unless", scope, re.search(r'code=~?"([a-z|-]+)"', unless)[1],
                 (re.search(r'severity="(\w+)"', unless) or [0, "any"])[1]]
    return " ".join(line)


def own_line(rule):
    """A rule on the sidecar itself. A range over which something is asked for all the time comes before
    the `for`."""
    asked = rule["expr"].split("unless")[0]
    held = re.search(r"(?:max|min)_over_time\([^\[]*\[(\w+)\]", asked)
    limit = re.search(r"> ([\d.]+)", asked)
    return " ".join(["own", rule["alert"], rule["labels"].get("reason", "-"),
                     rule["labels"]["severity"], rule["for"], "held", held[1] if held else "0m",
                     "limit", f"{float(limit[1]):g}" if limit else "0"])


def test_the_sidecars_own_alerts_are_those_of_the_rules():
    expected = {finding_line(rule) if OPEN_FINDINGS in rule["expr"] else own_line(rule)
                for rule in ALERTS
                if (rule["alert"], rule["labels"].get("reason")) not in NOT_IN_THE_SIDECAR}
    table = (REPOSITORY / "tests" / "golden" / "alerts.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(table)) == len(table)
    assert set(table) == expected


def test_the_sidecar_looks_back_as_far_as_the_rules():
    source = (REPOSITORY / "exporters" / "alertmanager" / "alert_table.h").read_text(encoding="utf-8")
    assert f"kAlertLookBackMillis = {LOOK_BACK_MINUTES}LL * 60 * 1000" in source
    rate = next(rule for rule in ALERTS if rule["labels"].get("reason") == "requests")
    range_ = re.search(r"\[(\d+m)\]", rate["expr"])[1]
    assert f"kRequestShareMillis = {minutes(range_)}LL * 60 * 1000" in source
