"""The sidecar as `serve --kubernetes`, and the objects that it finds."""

import itertools
import pathlib
import re

from harness import rest, sidecar
from harness.kube import DISCOVERY_RULES, EVENT_RULES, LEASE_RULES
from harness.processes import Process, Started, wait_until

WAIT_SECONDS = 40
_PORT = re.compile(r'"?\bport"?[=:]"?(\d+)')


class FleetSidecar(Started):
    """`serve --kubernetes` with a service account of its own; its rights are named by `rights`."""

    _numbers = itertools.count(1)

    def __init__(self, kube, workdir, *flags, rights=("discovery",), poll_interval="1s"):
        self.kube = kube
        self.name = f"sidecar-{next(self._numbers)}"
        self._workdir = pathlib.Path(workdir)
        self._log = self._workdir / f"{self.name}.log"
        self.token_file = self._workdir / f"{self.name}.token"
        self._flags = [f"--kubernetes_api_server={kube.url}",
                       f"--kubernetes_ca_file={kube.ca_file}",
                       f"--kubernetes_token_file={self.token_file}", "--listen=127.0.0.1:0",
                       f"--poll_interval={poll_interval}", "--request_timeout=2s", *flags]
        self._rights = rights
        self.process = None
        self.url = None

    @property
    def subject(self):
        return ("default", self.name)

    def binding(self, right):
        return f"{self.name}-{right}"

    def make_account(self):
        rules = {"discovery": DISCOVERY_RULES, "events": EVENT_RULES, "leases": LEASE_RULES}
        self.kube.service_account(*self.subject)
        for right in rules:
            if right in self._rights:
                self.kube.allow(self.binding(right), self.subject, rules[right])

    def start(self):
        self.make_account()
        self.rotate_token()
        self.process = Process(self.name, [sidecar.binary(), "serve", "--kubernetes",
                                           *self._flags], self._log)
        port = wait_until("the port", self._logged_port, WAIT_SECONDS, self.process)
        self.url = f"http://127.0.0.1:{port}"
        return self

    def rotate_token(self):
        self.token_file.write_text(self.kube.token(*self.subject))

    def stop(self):
        return self.process.stop() if self.process else None

    def log(self):
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _logged_port(self):
        for line in self.log().splitlines():
            if "serving" in line and (found := _PORT.search(line)):
                return int(found.group(1))
        return None

    def metrics(self):
        return rest.get(self.url + "/metrics")

    def series(self, name):
        """{labels as text: value} of one metric."""
        found = re.findall(rf"^{name}(?:{{(.*)}})? (\S+)$", self.metrics(), re.MULTILINE)
        return {labels: float(value) for labels, value in found}

    def up(self):
        """{cluster: 1 or 0}."""
        return {labels.removeprefix('cluster="').removesuffix('"'): value
                for labels, value in self.series("flink_state_up").items()}

    def ready(self):
        try:
            return rest.get(self.url + "/readyz") == "ok\n"
        except OSError:
            return False

    def healthy(self):
        """What collector_success says of discovery; None before it is known."""
        return self.series("flink_state_sidecar_collector_success").get('collector="kubernetes"')

    def api(self, path):
        return rest.get_json(self.url + "/api/v1/" + path)

    def wait(self, what, condition, seconds=WAIT_SECONDS):
        return wait_until(what, condition, seconds, self.process)


def service(name, url=None, labels=None, annotations=None):
    annotations = dict(annotations or {})
    if url:
        annotations["flink-state-sidecar/rest-url"] = url
    return {"metadata": {"name": name, "labels": labels or {"component": "jobmanager"},
                         "annotations": annotations},
            "spec": {"ports": [{"name": "rest", "port": 8081}], "clusterIP": "None"}}


def deployment(name, url=None, **spec):
    annotations = {"flink-state-sidecar/rest-url": url} if url else {}
    return {"apiVersion": "flink.apache.org/v1beta1", "kind": "FlinkDeployment",
            "metadata": {"name": name, "annotations": annotations}, "spec": spec}


def plan_map(name, plans=None, packed=None, cluster=None):
    annotations = {"flink-state-sidecar/cluster": cluster} if cluster else {}
    return {"metadata": {"name": name, "labels": {"flink-state-sidecar/plan": "true"},
                         "annotations": annotations},
            "data": plans or {}, "binaryData": packed or {}}
