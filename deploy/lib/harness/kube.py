"""A private kube-apiserver with RBAC, over an etcd of its own, on free loopback ports.

deploy/setup kube builds both. There are no nodes, no controllers and no DNS: objects are what is
tested, and an address that nobody serves is given by annotation.
"""

import base64
import json
import os
import pathlib
import secrets
import shutil
import ssl
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from .processes import HarnessError, Process, Started, free_port, wait_until

VERSION = "1.37.2"  # and the next: those of deploy/setup
PROMETHEUS_OPERATOR = "0.85.0"
START_SECONDS = 90
TIMEOUT_SECONDS = 20
TOOL_SECONDS = 120
GROUPS = {"flinkdeployments": "/apis/flink.apache.org/v1beta1",
          "flinksessionjobs": "/apis/flink.apache.org/v1beta1",
          "leases": "/apis/coordination.k8s.io/v1", "events": "/apis/events.k8s.io/v1",
          "roles": "/apis/rbac.authorization.k8s.io/v1",
          "rolebindings": "/apis/rbac.authorization.k8s.io/v1",
          "clusterroles": "/apis/rbac.authorization.k8s.io/v1",
          "clusterrolebindings": "/apis/rbac.authorization.k8s.io/v1",
          "deployments": "/apis/apps/v1", "statefulsets": "/apis/apps/v1",
          "podmonitors": "/apis/monitoring.coreos.com/v1",
          "servicemonitors": "/apis/monitoring.coreos.com/v1",
          "prometheusrules": "/apis/monitoring.coreos.com/v1",
          "customresourcedefinitions": "/apis/apiextensions.k8s.io/v1"}


# Who asked what, and what was answered; watches when they begin.
AUDIT_POLICY = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
                "rules": [{"level": "Metadata"}]}


def cached(name):
    """A folder that deploy/setup kube fills."""
    cache = os.environ.get("FSS_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "flink-state-sidecar")
    folder = pathlib.Path(cache) / name
    if not folder.is_dir():
        raise HarnessError(f"{folder} is missing: run deploy/setup kube")
    return folder


def binaries():
    """The folder with kube-apiserver, etcd, kubectl and helm."""
    return cached(f"kube-{VERSION}")


def run_tool(name, *arguments, check=True, stdin=None, kubeconfig="/dev/null"):
    """kubectl or helm: (exit code, stdout, stderr)."""
    home = tempfile.gettempdir()  # neither reads nor writes the settings of who runs the tests
    environment = {"PATH": os.environ["PATH"], "HOME": home, "KUBECONFIG": str(kubeconfig),
                   "HELM_CACHE_HOME": home, "HELM_CONFIG_HOME": home, "HELM_DATA_HOME": home}
    done = subprocess.run([binaries() / name, *map(str, arguments)], check=False, input=stdin,
                          capture_output=True, text=True, timeout=TOOL_SECONDS, env=environment)
    if check and done.returncode != 0:
        raise HarnessError(f"{name} {' '.join(map(str, arguments))[:200]}: {done.stderr}{done.stdout}")
    return done.returncode, done.stdout, done.stderr


class ApiError(Exception):
    def __init__(self, status, body):
        super().__init__(f"HTTP {status}: {body[:500]}")
        self.status = status


class KubeCluster(Started):
    """etcd and kube-apiserver in `workdir`. With `forgetful` a compaction is felt by watches of
    ConfigMaps at once (no watch cache); with `audit` requests() knows what was asked."""

    def __init__(self, workdir, forgetful=False, audit=False):
        self.folder = pathlib.Path(workdir) / "kube"
        self._audit = audit
        self._pki = self.folder / "pki"
        self._forgetful = forgetful
        self._etcd = self._apiserver = None
        self._port, self._etcd_port, self._peer_port = free_port(), free_port(), free_port()
        self.url = f"https://127.0.0.1:{self._port}"
        self.ca_file = self._pki / "ca.crt"
        self._admin_token = secrets.token_hex(16)

    def start(self):
        self._pki.mkdir(parents=True)
        self._make_certificates()
        (self._pki / "tokens.csv").write_text(
            f'{self._admin_token},admin,uid-admin,"system:masters"\n')
        (self.folder / "audit-policy.json").write_text(json.dumps(AUDIT_POLICY))
        self._write_kubeconfig()
        self._context = ssl.create_default_context(cafile=str(self.ca_file))
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self._context))
        self._etcd = Process("etcd", [
            binaries() / "etcd", "--name=t", f"--data-dir={self.folder}/etcd",
            f"--listen-client-urls=http://127.0.0.1:{self._etcd_port}",
            f"--advertise-client-urls=http://127.0.0.1:{self._etcd_port}",
            f"--listen-peer-urls=http://127.0.0.1:{self._peer_port}",
            f"--initial-advertise-peer-urls=http://127.0.0.1:{self._peer_port}",
            f"--initial-cluster=t=http://127.0.0.1:{self._peer_port}", "--unsafe-no-fsync"],
            self.folder / "etcd.log")
        self.start_apiserver()
        return self

    def start_apiserver(self):
        extra = ["--watch-cache-sizes=configmaps#0"] if self._forgetful else []
        if self._audit:
            extra += [f"--audit-policy-file={self.folder}/audit-policy.json",
                      f"--audit-log-path={self.folder}/audit.log", "--audit-log-mode=blocking"]
        self._apiserver = Process("kube-apiserver", [
            binaries() / "kube-apiserver",
            f"--etcd-servers=http://127.0.0.1:{self._etcd_port}",
            "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
            f"--secure-port={self._port}", "--endpoint-reconciler-type=none",
            f"--cert-dir={self._pki}", f"--tls-cert-file={self._pki}/apiserver.crt",
            f"--tls-private-key-file={self._pki}/apiserver.key",
            f"--client-ca-file={self.ca_file}", f"--token-auth-file={self._pki}/tokens.csv",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--api-audiences=https://kubernetes.default.svc",
            f"--service-account-key-file={self._pki}/sa.pub",
            f"--service-account-signing-key-file={self._pki}/sa.key",
            "--service-cluster-ip-range=10.96.0.0/16", "--authorization-mode=RBAC",
            "--profiling=false", *extra], self.folder / "apiserver.log")
        wait_until("the API server", self._ready, START_SECONDS, self._apiserver)

    def kill_apiserver(self):
        self._apiserver.kill()

    def stop(self):
        for process in (self._apiserver, self._etcd):
            if process is not None:
                process.stop()
        shutil.rmtree(self.folder / "etcd", ignore_errors=True)

    def requests(self, user):
        """What a user asked, from the audit log: {(group, resource, verb): {HTTP status, …}}."""
        asked = {}
        log = (self.folder / "audit.log").read_text(encoding="utf-8")
        for line in log[:log.rfind("\n") + 1].splitlines():
            entry = json.loads(line)
            reference = entry.get("objectRef")
            if reference and entry["user"]["username"] == user:
                key = (reference.get("apiGroup", ""), reference["resource"], entry["verb"])
                asked.setdefault(key, set()).add(entry["responseStatus"]["code"])
        return asked

    def compact(self):
        """etcd forgets all revisions but the present one: old resource versions are gone."""
        def ask(path, body):
            request = urllib.request.Request(
                f"http://127.0.0.1:{self._etcd_port}{path}", json.dumps(body).encode(),
                {"Content-Type": "application/json"})
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return json.load(answer)
        key = base64.b64encode(b"/").decode()
        revision = ask("/v3/kv/range", {"key": key})["header"]["revision"]
        ask("/v3/kv/compaction", {"revision": revision, "physical": True})

    # --- objects -------------------------------------------------------------------------------

    def request(self, method, path, body=None, content_type="application/json", token=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method, headers={
            "Authorization": f"Bearer {token or self._admin_token}", "Content-Type": content_type})
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            raise ApiError(error.code, error.read().decode("utf-8", "replace")) from error

    @staticmethod
    def path(resource, namespace=None, name=None):
        where = f"/namespaces/{namespace}" if namespace else ""
        return (GROUPS.get(resource, "/api/v1") + where + "/" + resource
                + (f"/{name}" if name else ""))

    def create(self, resource, namespace, manifest):
        return self.request("POST", self.path(resource, namespace), manifest)

    def patch(self, resource, namespace, name, change):
        return self.request("PATCH", self.path(resource, namespace, name), change,
                            "application/merge-patch+json")

    def delete(self, resource, namespace, name):
        return self.request("DELETE", self.path(resource, namespace, name))

    def get(self, resource, namespace, name):
        return self.request("GET", self.path(resource, namespace, name))

    def list(self, resource, namespace=None):
        return self.request("GET", self.path(resource, namespace))["items"]

    def namespace(self, name, labels=None):
        """Makes it; `default` the server makes itself, soon after its start."""
        try:
            self.create("namespaces", None, {"metadata": {"name": name, "labels": labels or {}}})
        except ApiError as error:
            if error.status != 409:
                raise

    def install_flink_crds(self):
        """FlinkDeployment and FlinkSessionJob, without the operator's schemas."""
        for kind, plural in (("FlinkDeployment", "flinkdeployments"),
                             ("FlinkSessionJob", "flinksessionjobs")):
            self.create("customresourcedefinitions", None, {
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": f"{plural}.flink.apache.org"},
                "spec": {"group": "flink.apache.org", "scope": "Namespaced",
                         "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
                         "versions": [{"name": "v1beta1", "served": True, "storage": True,
                                       "schema": {"openAPIV3Schema": {
                                           "type": "object",
                                           "x-kubernetes-preserve-unknown-fields": True}}}]}})
        for plural in ("flinkdeployments", "flinksessionjobs"):
            wait_until(plural, lambda p=plural: self._served(p), 30)

    def install_prometheus_crds(self):
        """PodMonitor, ServiceMonitor and PrometheusRule, as the Prometheus operator has them."""
        plurals = []
        for file in sorted(cached(f"prometheus-operator-crds-{PROMETHEUS_OPERATOR}").glob("*.yaml")):
            self.kubectl("create", "-f", file)
            plurals.append(file.stem)
        for plural in plurals:
            wait_until(plural, lambda p=plural: self._served(p), 30)

    def kubectl(self, *arguments, check=True, stdin=None):
        """(exit code, stdout, stderr); with `check` a failure is an error."""
        return run_tool("kubectl", *arguments, check=check, stdin=stdin, kubeconfig=self.kubeconfig)

    def helm(self, *arguments, check=True):
        return run_tool("helm", *arguments, check=check, kubeconfig=self.kubeconfig)

    def _served(self, plural):
        try:
            self.list(plural)
            return True
        except ApiError:
            return False

    # --- who may what --------------------------------------------------------------------------

    def service_account(self, namespace, name):
        self.create("serviceaccounts", namespace, {"metadata": {"name": name}})

    def token(self, namespace, name, seconds=3600):
        answer = self.request("POST", self.path("serviceaccounts", namespace, name) + "/token", {
            "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
            "spec": {"expirationSeconds": seconds}})
        return answer["status"]["token"]

    def allow(self, name, subject, rules):
        """A ClusterRole and its binding to (namespace, service account)."""
        self.create("clusterroles", None, {"metadata": {"name": name}, "rules": rules})
        self.bind(name, subject)

    def bind(self, name, subject):
        self.create("clusterrolebindings", None, {
            "metadata": {"name": name},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                        "name": name},
            "subjects": [{"kind": "ServiceAccount", "namespace": subject[0],
                          "name": subject[1]}]})

    def unbind(self, name):
        self.delete("clusterrolebindings", None, name)

    # --- start ---------------------------------------------------------------------------------

    def _ready(self):
        try:
            request = urllib.request.Request(self.url + "/readyz", headers={
                "Authorization": f"Bearer {self._admin_token}"})
            with self._opener.open(request, timeout=2) as answer:
                return answer.read() == b"ok"
        except OSError:
            return False

    def _write_kubeconfig(self):
        """For kubectl and helm, as the administrator."""
        self.kubeconfig = self.folder / "kubeconfig"
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [{"name": "test", "cluster": {
                "server": self.url, "certificate-authority": str(self.ca_file)}}],
            "users": [{"name": "admin", "user": {"token": self._admin_token}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}]}))

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *map(str, arguments)], cwd=self._pki, check=False,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise HarnessError(f"openssl {arguments[0]}: {done.stderr}")

    def _make_certificates(self):
        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        self._openssl("req", "-x509", *key, "-days", 2, "-subj", "/CN=test-ca", "-keyout", "ca.key",
                      "-out", "ca.crt", "-addext", "basicConstraints=critical,CA:TRUE",
                      "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        self._openssl("req", *key, "-subj", "/CN=kube-apiserver", "-keyout", "apiserver.key", "-out",
                      "apiserver.csr")
        (self._pki / "extensions").write_text(
            "subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc\n"
            "extendedKeyUsage=serverAuth\n")
        self._openssl("x509", "-req", "-in", "apiserver.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                      "-CAcreateserial", "-days", 2, "-out", "apiserver.crt", "-extfile",
                      "extensions")
        self._openssl("genrsa", "-out", "sa.key", 2048)
        self._openssl("rsa", "-in", "sa.key", "-pubout", "-out", "sa.pub")


# What the sidecar needs, and no more. docs/user/kubernetes.md and deploy/chart have the same (a test
# compares them).
READ = ["list", "watch"]
DISCOVERY_RULES = [
    {"apiGroups": ["flink.apache.org"], "resources": ["flinkdeployments", "flinksessionjobs"],
     "verbs": READ},
    {"apiGroups": [""], "resources": ["services", "configmaps"], "verbs": READ}]
EVENT_RULES = [{"apiGroups": ["events.k8s.io"], "resources": ["events"],
                "verbs": ["create", "patch"]}]
LEASE_RULES = [{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"],
                "verbs": ["get", "create", "update"]}]
