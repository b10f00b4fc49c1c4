"""Events about findings, written to a real API server."""

import json
import time

import pytest
from fake_jobmanager import FakeJobManager

from fleet import FleetSidecar, deployment, plan_map, service

# Fits nothing: a job with state beside it is one whose plan is missing.
OTHER_PLAN = json.dumps({"flinkVersion": "2.3", "edges": [], "nodes": [
    {"id": 7, "type": "stream-exec-values_1", "description": "Values(x)"}]})


@pytest.fixture
def jobmanager():
    with FakeJobManager(jobs=1, vertices=1) as fake:
        yield fake


def events(kube, namespace):
    return {event["reason"]: event for event in kube.list("events", namespace)}


def fleet(kube, namespace, tmp_path, rights):
    return FleetSidecar(kube, tmp_path, f"--kubernetes_namespaces={namespace}",
                        "--kubernetes_events", rights=rights)


def test_a_finding_that_appears_and_ends(kube, namespace, jobmanager, tmp_path):
    made = kube.create("flinkdeployments", namespace, deployment("orders", jobmanager.url))
    kube.create("configmaps", namespace, plan_map("other", {"o.json": OTHER_PLAN}))
    with fleet(kube, namespace, tmp_path, ("discovery", "events")) as side:
        side.wait("the Event", lambda: "PlanMissing" in events(kube, namespace))
        event = events(kube, namespace)["PlanMissing"]
        assert event["type"] == "Warning"
        assert event["regarding"]["kind"] == "FlinkDeployment"
        assert event["regarding"]["uid"] == made["metadata"]["uid"]
        assert event["reportingController"] == "flink-state-sidecar"
        assert "job-1" in event["note"]
        time.sleep(3)
        assert len(kube.list("events", namespace)) == 1, "not one for each poll"

        names, jobmanager.names = jobmanager.names, []
        side.wait("its end", lambda: "PlanMissingOver" in events(kube, namespace))
        assert events(kube, namespace)["PlanMissingOver"]["type"] == "Normal"

        # Again: counted in the same Event.
        jobmanager.names = names
        side.wait("the series", lambda: events(kube, namespace)["PlanMissing"].get(
            "series", {}).get("count") == 2)
    # A restart finds its Event there, and counts on.
    with fleet(kube, namespace, tmp_path, ("discovery", "events")) as side:
        side.wait("a poll", lambda: side.up() == {f"{namespace}/orders": 1})
        time.sleep(2)
        assert len([e for e in kube.list("events", namespace)
                    if e["reason"] == "PlanMissing"]) == 1
        assert "Events cannot be written" not in side.log()


def test_a_services_events(kube, namespace, jobmanager, tmp_path):
    kube.create("services", namespace, service("jm", jobmanager.url))
    kube.create("configmaps", namespace, plan_map("other", {"o.json": OTHER_PLAN}))
    with fleet(kube, namespace, tmp_path, ("discovery", "events")) as side:
        side.wait("the Event", lambda: "PlanMissing" in events(kube, namespace))
        assert events(kube, namespace)["PlanMissing"]["regarding"]["kind"] == "Service"


def test_without_the_right_all_else_goes_on(kube, namespace, jobmanager, tmp_path):
    kube.create("services", namespace, service("jm", jobmanager.url))
    kube.create("configmaps", namespace, plan_map("other", {"o.json": OTHER_PLAN}))
    with fleet(kube, namespace, tmp_path, ("discovery",)) as side:
        side.wait("the line", lambda: "Events cannot be written" in side.log())
        assert "403" in side.log()
        polls = side.metrics()
        time.sleep(3)
        assert side.metrics() != polls and side.up() == {f"{namespace}/jm": 1}
        assert side.log().count("Events cannot be written") == 1
        assert kube.list("events", namespace) == []


def test_without_the_flag_nothing_is_written(kube, namespace, jobmanager, tmp_path):
    kube.create("services", namespace, service("jm", jobmanager.url))
    kube.create("configmaps", namespace, plan_map("other", {"o.json": OTHER_PLAN}))
    with FleetSidecar(kube, tmp_path, f"--kubernetes_namespaces={namespace}",
                      rights=("discovery", "events")) as side:
        side.wait("readiness", side.ready)
        side.wait("the finding", lambda: any(
            finding["code"] == "plan-missing" for finding in side.api("findings")["findings"]))
        time.sleep(2)
        assert kube.list("events", namespace) == []
