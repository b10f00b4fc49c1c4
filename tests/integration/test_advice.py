"""The advice of findings, applied: what it says is taken out of its text, put into the SQL, compiled
anew by a real Flink, and the finding is gone.

Each case has the SQL before and after; `@1@`, `@2@`, … in the latter stand for what the case's
pattern finds in the advice, in its order: a hint, a table's primary key, a whole query.
"""

import dataclasses
import json
import pathlib
import re

import pytest

from harness import demo_jobs, sidecar

HINT = r"/\*\+ STATE_TTL\([^)]*\) \*/"
SET = r"^    (SET 'table\.[^;]*;)"  # not the one of the query that measures
# What follows the list of columns in the query that is advised.
FROM = r"^    SELECT [^;]*?(FROM [^;]*);"
INTO = "COMPILE PLAN 'file://{folder}/{name}.json' FOR INSERT INTO "

TABLES = """
SET 'table.exec.sink.require-on-conflict' = 'false';
CREATE TABLE texts (k STRING, v STRING) WITH ('connector' = 'blackhole');
CREATE TABLE shipments (order_id BIGINT, carrier STRING) WITH ('connector' = 'datagen');
CREATE VIEW arrivals AS SELECT order_id, user_id, amount, PROCTIME() AS arrived FROM orders;
CREATE VIEW order_totals AS
SELECT user_id, order_id, SUM(amount) AS total FROM orders GROUP BY user_id, order_id;
"""


@dataclasses.dataclass
class Case:
    code: str
    place: str      # operator and state, "Join leftState"
    pattern: str    # what is taken from the advice
    before: str     # SQL; the last statement is compiled
    after: str
    kind: str = ""  # of an operator that the plan has after it
    since: str = "1.20"
    fill: tuple = ()  # words in angle brackets, and what stands for them


JOIN = "user_totals SELECT orders.user_id, orders.amount FROM orders "
ON = "ON orders.order_id = payments.order_id"
SINK = ("CREATE TABLE {table} (region STRING, user_id BIGINT, total DECIMAL(38, 2), "
        "PRIMARY KEY ({key}) NOT ENFORCED) WITH ('connector' = 'blackhole');")
BY_REGION = ("SELECT u.region, u.user_id, SUM(o.amount) FROM orders o "
             "JOIN users u ON o.user_id = u.user_id GROUP BY u.region, u.user_id;")
FIRST = ("first_orders SELECT order_id, user_id, amount FROM (SELECT *, ROW_NUMBER() OVER "
         "(PARTITION BY order_id ORDER BY arrived) AS rn FROM arrivals) WHERE rn = 1;")
TOP = ("top_orders SELECT user_id, order_id, amount, rn FROM (SELECT *, ROW_NUMBER() OVER "
       "({partition} ORDER BY amount DESC) AS rn FROM orders) WHERE rn <= 10;")
TOP_COLUMNS = "top_orders SELECT user_id, order_id, amount, rn "
THREE = ("SELECT payments.pay_method, shipments.carrier FROM orders JOIN payments " + ON +
         " JOIN shipments ON orders.order_id = shipments.order_id;")
CASCADE = ("FROM orders JOIN payments " + ON)

CASES = {
    "join-hint": Case(
        "forever-state", "Join leftState", f"({HINT})",
        INTO + JOIN + "JOIN payments " + ON + ";",
        INTO + JOIN.replace("SELECT", "SELECT @1@") + "JOIN payments " + ON + ";"),
    "outer-join-hint": Case(
        "forever-state", "Join rightState", f"({HINT})",
        INTO + JOIN + "LEFT JOIN payments " + ON + ";",
        INTO + JOIN.replace("SELECT", "SELECT @1@") + "LEFT JOIN payments " + ON + ";"),
    "group-hint": Case(
        "forever-state", "GroupAggregate groupAggregateState", f"({HINT})",
        INTO + "user_totals SELECT user_id, SUM(amount) FROM orders GROUP BY user_id;",
        INTO + "user_totals SELECT @1@ user_id, SUM(amount) FROM orders GROUP BY user_id;"),
    "job-wide": Case(
        "forever-state", "Rank rankState", SET,
        INTO + TOP.format(partition="PARTITION BY user_id"),
        "@1@" + INTO + TOP.format(partition="PARTITION BY user_id")),
    "window-deduplication": Case(
        "forever-state", "Deduplicate deduplicateState", FROM,
        INTO + FIRST, INTO + "first_orders SELECT order_id, user_id, amount @1@;",
        kind="window-deduplicate"),
    "window-top-n": Case(
        "forever-state", "Rank rankState", FROM,
        INTO + TOP.format(partition=""), INTO + TOP_COLUMNS + "@1@;", kind="window-rank"),
    "window-top-n-per-user": Case(
        "forever-state", "Rank rankState", FROM,
        INTO + TOP.format(partition="PARTITION BY user_id"), INTO + TOP_COLUMNS + "@1@;",
        kind="window-rank"),
    "window-limit": Case(
        "forever-state", "SortLimit rankState", FROM,
        INTO + "large_orders SELECT order_id, amount FROM orders ORDER BY amount DESC LIMIT 3;",
        INTO + "large_orders SELECT order_id, amount @1@;", kind="window-rank"),
    "sink-key": Case(
        "forever-state", "by_region sinkMaterializeState", r"PRIMARY KEY \(([^)]*)\) NOT ENFORCED",
        SINK.format(table="by_region", key="region") + INTO + "by_region " + BY_REGION,
        SINK.format(table="by_both", key="@1@") + INTO + "by_both " + BY_REGION, kind="sink"),
    "sink-lost-key": Case(
        "forever-state", "by_name sinkMaterializeState", r"PRIMARY KEY \(([^)]*)\) NOT ENFORCED",
        SINK.format(table="by_name", key="region") + INTO + "by_name SELECT "
        "CONCAT('user ', CAST(user_id AS STRING)), 0, SUM(amount) FROM orders GROUP BY user_id;",
        SINK.format(table="by_user", key="@1@") + INTO + "by_user SELECT "
        "CONCAT('user ', CAST(user_id AS STRING)), user_id, SUM(amount) FROM orders "
        "GROUP BY user_id;", kind="sink"),
    "sink-one-row": Case(
        "forever-state", "grouped sinkMaterializeState", r"(GROUP BY [^;]*);",
        SINK.format(table="grouped", key="region") + INTO + "grouped " + BY_REGION,
        SINK.format(table="grouped", key="region") + INTO +
        "grouped SELECT u.region, MAX(u.user_id), SUM(o.amount) FROM orders o "
        "JOIN users u ON o.user_id = u.user_id @1@;", kind="sink"),
    "sink-no-materializer": Case(
        "forever-state", "plain sinkMaterializeState",
        r"^    (SET 'table.exec.sink.upsert-materialize' = 'NONE';)",
        SINK.format(table="plain", key="region") + INTO + "plain " + BY_REGION,
        "@1@" + SINK.format(table="plain", key="region") + INTO + "plain " + BY_REGION,
        kind="sink"),
    "interval-join": Case(
        "time-bound-possible", "Join", FROM,
        INTO + JOIN + "JOIN payments " + ON + ";",
        INTO + "user_totals SELECT l.user_id, l.amount @1@;", kind="interval-join"),
    "window-aggregation": Case(
        "time-bound-possible", "GroupAggregate", FROM,
        INTO + "user_totals SELECT user_id, SUM(amount) FROM orders GROUP BY user_id;",
        INTO + "user_totals SELECT user_id, SUM(amount) @1@;", kind="global-window-aggregate"),
    "window-deduplication-possible": Case(
        "time-bound-possible", "Deduplicate", FROM,
        INTO + FIRST, INTO + "first_orders SELECT order_id, user_id, amount @1@;",
        kind="window-deduplicate"),
    "view-between-joins": Case(
        "ttl-from-job-default", "Join leftState", f"({HINT})",
        INTO + "paid_by_region SELECT "
        "/*+ STATE_TTL('orders' = '1d', 'payments' = '2h', 'users' = '7d') */ users.region, "
        "orders.amount " + CASCADE + " JOIN users ON orders.user_id = users.user_id;",
        "CREATE VIEW below AS SELECT @1@ orders.user_id, orders.amount " + CASCADE + ";" +
        INTO + "paid_by_region SELECT @2@ users.region, below.amount FROM below "
        "JOIN users ON below.user_id = users.user_id;", kind="join"),
    "sides": Case(
        "ttl-mismatch", "Join rightState", f"({HINT})",
        INTO + JOIN.replace("SELECT", "SELECT /*+ STATE_TTL('orders' = '1d', 'payments' = '30s') "
                            "*/") + "JOIN payments " + ON + ";",
        INTO + JOIN.replace("SELECT", "SELECT @1@") + "JOIN payments " + ON + ";", kind="join"),
    "path": Case(
        "ttl-mismatch", "Join leftState", f"({HINT})",
        INTO + "user_totals SELECT /*+ STATE_TTL('j' = '7d') */ user_id, SUM(amount) FROM (SELECT "
        "/*+ STATE_TTL('orders' = '1h', 'payments' = '1h') */ orders.user_id, orders.amount " +
        CASCADE + ") j GROUP BY user_id;",
        INTO + "user_totals SELECT /*+ STATE_TTL('j' = '7d') */ user_id, SUM(amount) FROM (SELECT "
        "@1@ orders.user_id, orders.amount " + CASCADE + ") j GROUP BY user_id;", kind="join"),
    "windows-below-max": Case(
        "heavy-aggregate", "GroupAggregate groupAggregateState",
        r"^    SELECT (<key>[^;]*);",
        INTO + "user_totals SELECT user_id, MAX(total) FROM order_totals GROUP BY user_id;",
        INTO + "user_totals SELECT @1@;", kind="global-window-aggregate",
        fill=(("<key>", "user_id"), ("<value>", "amount"), ("<table>", "orders"),
              ("<time column>", "ts"))),
    "hint-on-max": Case(
        "heavy-aggregate", "GroupAggregate groupAggregateState", f"({HINT})",
        INTO + "user_totals SELECT user_id, MAX(total) FROM order_totals t GROUP BY user_id;",
        INTO + "user_totals SELECT @1@ user_id, MAX(total) FROM order_totals t GROUP BY user_id;",
        fill=(("<alias of input 1>", "t"),)),
    "multi-join": Case(
        "joinable-chain", "Join", SET,
        INTO + "texts " + THREE, "@1@" + INTO + "texts " + THREE, kind="multi-join", since="2.1"),
    "multi-join-hint": Case(
        "joinable-chain", "Join", r"(/\*\+ MULTI_JOIN\([^)]*\) \*/)",
        INTO + "texts " + THREE, INTO + "texts " + THREE.replace("SELECT", "SELECT @1@"),
        kind="multi-join", since="2.3"),
}
OPTIONS = ("table.exec.state.ttl", "table.exec.sink.upsert-materialize",
           "table.optimizer.multi-join.enabled")


def numbers(version):
    return [int(part) for part in version.split(".")[:2]]


def judge(lab, folder, statements):
    """Compiles each case's SQL and returns what lint says of its plan."""
    folder.mkdir()
    script = [TABLES]
    for name, sql in statements.items():
        # The client takes a statement for each line that ends with a semicolon.
        sql = re.sub(r";(?=\S)", ";\n", sql)
        script.append(sql.replace("{folder}", str(folder)).replace("{name}", name))
        script += [f"RESET '{option}';" for option in OPTIONS if option in sql]
    lab.cluster.sql("\n".join(script), init=demo_jobs.tables())
    code, out, err = sidecar.run("lint", "--format=json", "--fail_on=never", folder)
    assert code == 0, err
    return {pathlib.Path(plan["file"]).stem: plan for plan in json.loads(out)["plans"]}


def the_finding(case, plan):
    found = [finding for finding in plan["findings"] if finding["code"] == case.code and
             f"{finding['operator'].split('[')[0]} {finding.get('state', '')}".strip() == case.place]
    return found[0] if found else None


def applied(case, advice):
    """The SQL after the change, with the parts of the advice in their places."""
    parts = re.findall(case.pattern, advice, re.MULTILINE)
    sql = case.after
    for place, part in enumerate(parts, start=1):
        for word, meant in case.fill:
            part = part.replace(word, meant)
        sql = sql.replace(f"@{place}@", part)
    assert not re.search(r"@\d@", sql), f"the advice does not hold {case.pattern}:\n{advice}"
    assert "<" not in sql.replace("<=", "").replace("<>", ""), sql
    return sql


@pytest.fixture(scope="module")
def outcomes(lab, tmp_path_factory):
    """Case → (the plan before, the plan after), for the cases that this version has."""
    folder = tmp_path_factory.mktemp(f"advice-{lab.cluster.version}")
    cases = {name: case for name, case in CASES.items()
             if numbers(case.since) <= numbers(lab.cluster.version)}
    before = judge(lab, folder / "before", {name: case.before for name, case in cases.items()})
    after = {}
    for name, case in cases.items():
        finding = the_finding(case, before[name])
        assert finding, (name, [(f["code"], f["operator"], f.get("state"))
                                for f in before[name]["findings"]])
        after[name] = applied(case, finding["advice"])
    judged = judge(lab, folder / "after", after)
    return {name: (before[name], judged[name]) for name in cases}


@pytest.mark.parametrize("name", CASES)
def test_the_finding_is_gone_after_its_advice(outcomes, lab, name):
    case = CASES[name]
    if name not in outcomes:
        assert numbers(lab.cluster.version) < numbers(case.since)
        return
    plan = outcomes[name][1]
    assert the_finding(case, plan) is None
    kinds = {op["kind"] for op in plan["operators"]}
    assert not case.kind or case.kind in kinds, kinds
