"""A real Prometheus that scrapes one address."""

import json
import pathlib
import urllib.parse

from . import rest
from .processes import Process, Started, free_port, wait_until

START_SECONDS = 60

_CONFIG = """\
global:
  scrape_interval: 2s
  scrape_timeout: 2s
scrape_configs:
  - job_name: flink-state-sidecar
    static_configs:
      - targets: [%s]
"""


class Prometheus(Started):
    """Use it in a `with`, or call stop() whatever happens."""

    def __init__(self, target, workdir):
        self._target = target
        self._workdir = pathlib.Path(workdir) / "prometheus"
        self.process = None
        self.url = None

    def start(self):
        """Starts it; wait_scraped() waits for its first scrape."""
        self._workdir.mkdir(parents=True)
        config = self._workdir / "prometheus.yml"
        config.write_text(_CONFIG % json.dumps(self._target), encoding="utf-8")
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.process = Process("prometheus", [
            "prometheus", f"--config.file={config}",
            f"--storage.tsdb.path={self._workdir / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"],
            self._workdir / "log", cwd=self._workdir)
        return self

    def stop(self):
        if self.process:
            self.process.stop()

    def query(self, expression):
        """An instant query's series: a list of (labels, value). None while it does not answer."""
        answer = rest.try_json(self.url + "/api/v1/query?query=" + urllib.parse.quote(expression))
        if answer is None or answer.get("status") != "success":
            return None
        return [(series["metric"], float(series["value"][1]))
                for series in answer["data"]["result"]]

    def wait_scraped(self, timeout=START_SECONDS):
        """Waits until a scrape of the target has succeeded."""
        def scraped():
            series = self.query('up{job="flink-state-sidecar"}')
            return bool(series) and all(value == 1 for _, value in series)
        wait_until("Prometheus' first scrape", scraped, timeout, self.process)
