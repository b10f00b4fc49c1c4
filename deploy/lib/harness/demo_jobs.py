"""The demo's jobs: their SQL lies in deploy/demo-sql."""

import pathlib
import string

SQL_DIR = pathlib.Path(__file__).resolve().parents[2] / "demo-sql"

# Job name → how its operators are matched to a plan; None: no plan is saved.
JOBS = {
    "user-totals": "uid",
    "cascade": "uid",
    "cascade-plain": "description",
    "order-board": "uid",
    "method-counts": None,
    "large-orders": "uid",
}


def tables():
    """The SQL that creates the demo's tables."""
    return (SQL_DIR / "tables.sql").read_text(encoding="utf-8")


def statements(plan_dir, names=None):
    """The SQL that compiles and runs the jobs (all, or those named), plans going to plan_dir."""
    parts = []
    for path in sorted(SQL_DIR.glob("[0-9]*.sql")):
        name = path.stem.split("-", 1)[1]
        if names is None or name in names:
            text = path.read_text(encoding="utf-8")
            parts.append(string.Template(text).substitute(PLAN_DIR=plan_dir))
    return "\n".join(parts)


def start(cluster, names=None):
    """Begins to create the tables, compile the plans and run the jobs, in one session of the SQL client.

    cluster.finish_sql() waits for it.
    """
    return cluster.start_sql(statements(cluster.plan_dir, names), init=tables())


def submit(cluster, names=None):
    """The same by the SQL gateway, to the end."""
    cluster.sql(statements(cluster.plan_dir, names), init=tables())
