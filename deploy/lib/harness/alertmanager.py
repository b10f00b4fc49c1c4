"""A real Alertmanager, and a receiver for what it sends."""

import http.server
import json
import pathlib
import subprocess
import threading

from . import rest
from .processes import Process, Started, free_port, wait_until

START_SECONDS = 60

_CONFIG = """\
route:
  receiver: test
  group_by: ["..."]
  group_wait: 100ms
  group_interval: 1s
  repeat_interval: 1h
receivers:
  - name: test
    webhook_configs:
      - url: %s
        send_resolved: true
"""


class WebhookReceiver(Started):
    """Takes Alertmanager's webhook; alerts() is what it was told, oldest first."""

    def __init__(self):
        self._alerts = []
        self._lock = threading.Lock()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with receiver._lock:
                    receiver._alerts += body["alerts"]
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/" % self._server.server_address[1]

    def start(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def alerts(self, name=None, status=None):
        with self._lock:
            return [alert for alert in self._alerts
                    if name in (None, alert["labels"]["alertname"])
                    and status in (None, alert["status"])]


class Alertmanager(Started):
    """Use it in a `with`, or call stop() whatever happens. It notifies `webhook_url`."""

    def __init__(self, webhook_url, workdir, name="alertmanager", path=""):
        self._webhook_url = webhook_url
        self._workdir = pathlib.Path(workdir) / name
        self._port = free_port()
        self._path = path
        self.process = None
        self.url = f"http://127.0.0.1:{self._port}{path}"

    def start(self):
        self._workdir.mkdir(parents=True, exist_ok=True)
        config = self._workdir / "alertmanager.yml"
        config.write_text(_CONFIG % json.dumps(self._webhook_url), encoding="utf-8")
        self.process = Process("alertmanager", [
            "prometheus-alertmanager", f"--config.file={config}",
            f"--storage.path={self._workdir / 'data'}",
            f"--web.listen-address=127.0.0.1:{self._port}",
            f"--web.external-url={self.url}", "--cluster.listen-address=", "--log.level=warn"],
            self._workdir / "log", cwd=self._workdir)
        wait_until("Alertmanager", self._ready, START_SECONDS, self.process)
        return self

    def stop(self):
        if self.process:
            self.process.stop()

    def alerts(self):
        """All that it knows, by alertname: active ones, and resolved ones not yet collected."""
        return {alert["labels"]["alertname"]: alert
                for alert in rest.get_json(self.url + "/api/v2/alerts")}

    def amtool(self, *arguments):
        """What amtool prints when asked about this Alertmanager."""
        return subprocess.run(["amtool", f"--alertmanager.url={self.url}", *arguments],
                              capture_output=True, text=True, timeout=30, check=True).stdout

    def _ready(self):
        try:
            rest.get(self.url + "/-/ready")
            return True
        except OSError:
            return False
