"""A real Flink of the given version: JobManager, TaskManagers, SQL client, on loopback."""

import glob
import json
import os
import pathlib
import urllib.error

from . import java, rest
from .processes import HarnessError, Process, Started, free_port, tail, wait_until
from .sql_gateway import MAIN_CLASS as _SQL_GATEWAY_CLASS
from .sql_gateway import SqlGateway

START_SECONDS = 120       # a cold page cache and two busy cores included
SQL_SECONDS = 180
CHECKPOINT_SECONDS = 120

# All live for seconds or minutes: compile little, start fast. It halves what a JobManager and a
# TaskManager take of the cores in the tests.
SHORT_LIVED_JVM = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]
# JobManager and TaskManager together stay below 2 GiB. The SQL client comes and goes.
JOBMANAGER_JVM = ["-Xms128m", "-Xmx448m", "-XX:MaxMetaspaceSize=320m", *SHORT_LIVED_JVM]
TASKMANAGER_JVM = ["-Xms192m", "-Xmx448m", "-XX:MaxMetaspaceSize=320m",
                   "-XX:MaxDirectMemorySize=192m", *SHORT_LIVED_JVM]
SQL_CLIENT_JVM = ["-Xms128m", "-Xmx512m", *SHORT_LIVED_JVM]

# What Flink's own script would compute; heap and direct memory match TASKMANAGER_JVM.
TASKMANAGER_MEMORY = {
    "taskmanager.cpu.cores": "1.0",
    "taskmanager.memory.framework.heap.size": "128m",
    "taskmanager.memory.task.heap.size": "320m",
    "taskmanager.memory.framework.off-heap.size": "64m",
    "taskmanager.memory.task.off-heap.size": "64m",
    "taskmanager.memory.network.min": "64m",
    "taskmanager.memory.network.max": "64m",
    "taskmanager.memory.managed.size": "256m",
    "taskmanager.memory.jvm-metaspace.size": "320m",
    "taskmanager.memory.jvm-overhead.min": "192m",
    "taskmanager.memory.jvm-overhead.max": "192m",
}

# RocksDB's sizes per state entry: off by default, and all that tells the inputs of a join apart.
ROCKSDB_METRICS = {f"state.backend.rocksdb.metrics.{name}": "true" for name in
                   ("estimate-num-keys", "estimate-live-data-size", "total-sst-files-size")}

_JOBMANAGER_CLASS = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"
_TASKMANAGER_CLASS = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"
_SQL_CLIENT_CLASS = "org.apache.flink.table.client.SqlClient"

_LOG4J = """\
rootLogger.level = INFO
rootLogger.appenderRef.file.ref = File
appender.file.name = File
appender.file.type = FILE
appender.file.fileName = ${sys:log.file}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{HH:mm:ss,SSS} %-5p %-60c %x - %m%n
"""


def cache_dir():
    """Where deploy/setup puts what it downloads."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(os.environ.get("FSS_CACHE") or os.path.join(base, "flink-state-sidecar"))


def flink_home(version, must_exist=True):
    """The unpacked distribution of a version. Raises HarnessError when deploy/setup has not run."""
    home = cache_dir() / f"flink-{version}"
    if must_exist and not home.is_dir():
        raise HarnessError(f"{home} is not there: run deploy/setup flink {version}")
    return home


class FlinkCluster(Started):
    """One cluster in `workdir`. Use it in a `with`, or call stop() whatever happens.

    `options` go to config.yaml over the defaults below. The ports stay the same for the cluster's
    life, so a JobManager that was killed comes back at the same URL (with no jobs: a standalone
    session cluster without high availability forgets them, as a real one does).
    """

    def __init__(self, version, workdir, options=None, taskmanagers=1, slots=24,
                 checkpoint_interval="2 s"):
        self.version = version
        self.home = flink_home(version)
        self.workdir = pathlib.Path(workdir).resolve()
        self.plan_dir = self.workdir / "plans"
        self.checkpoint_dir = self.workdir / "checkpoints"
        self._conf = self.workdir / "conf"
        self._logs = self.workdir / "log"
        self._tmp = self.workdir / "tmp"
        self._rest_port = free_port()
        self._rpc_port = free_port()
        self._blob_port = free_port()
        self.url = f"http://127.0.0.1:{self._rest_port}"
        self.jobmanager = None
        self.taskmanagers = [None] * taskmanagers
        self._sql_clients = []
        self._sql_runs = 0
        self._gateway_process = None
        self._gateway = None
        self._options = {
            "jobmanager.rpc.address": "127.0.0.1",
            "jobmanager.bind-host": "127.0.0.1",
            "jobmanager.rpc.port": self._rpc_port,
            "taskmanager.host": "127.0.0.1",
            "taskmanager.bind-host": "127.0.0.1",
            "blob.server.port": self._blob_port,
            "rest.address": "127.0.0.1",
            "rest.bind-address": "127.0.0.1",
            "rest.port": self._rest_port,
            "parallelism.default": 1,
            "taskmanager.numberOfTaskSlots": slots,
            "io.tmp.dirs": self._tmp,
            "state.backend.type": "rocksdb",
            # A slot has 10 MiB of managed memory here. With the usual 64 MiB of write buffer RocksDB
            # of Flink 1.20 then flushes 50 times a second, and each flush adds to its MANIFEST: the
            # checkpoints of a bounded state grow by 6 KiB/s.
            "state.backend.rocksdb.writebuffer.size": "4 mb",
            "execution.checkpointing.interval": checkpoint_interval,
            "execution.checkpointing.incremental": "true",
            "execution.checkpointing.dir": self.checkpoint_dir.as_uri(),
            "execution.checkpointing.savepoint-dir": (self.workdir / "savepoints").as_uri(),
            # A TaskManager that came up before its JobManager tries again soon, not after 10 s.
            "cluster.registration.initial-timeout": 200,
            "cluster.registration.error-delay": 500,
            # Lost TaskManagers are noticed, and jobs come back, within seconds instead of a minute.
            "heartbeat.interval": 2000,
            "heartbeat.timeout": 10000,
            "restart-strategy.type": "fixed-delay",
            "restart-strategy.fixed-delay.attempts": 2147483647,
            "restart-strategy.fixed-delay.delay": "1 s",
        }
        self._options.update(options or {})

    # --- life ---------------------------------------------------------------------------------

    def start(self):
        """Starts all and waits until the slots are there."""
        self.launch()
        self.wait_ready()
        return self

    def configure(self):
        """Writes the configuration: all that the SQL client needs to compile plans."""
        for folder in (self._conf, self._logs, self._tmp, self.plan_dir):
            folder.mkdir(parents=True, exist_ok=True)
        config = "".join(f"{key}: {json.dumps(str(value))}\n" for key, value in
                         self._options.items())
        (self._conf / "config.yaml").write_text(config, encoding="utf-8")
        (self._conf / "log4j.properties").write_text(_LOG4J, encoding="utf-8")

    def launch(self):
        """Starts all without waiting."""
        self.configure()
        self.start_jobmanager()
        for index in range(len(self.taskmanagers)):
            self.start_taskmanager(index)

    def start_jobmanager(self):
        self.jobmanager = self._java(
            "jobmanager", JOBMANAGER_JVM, self._classpath(), _JOBMANAGER_CLASS,
            ["--configDir", self._conf, "--executionMode", "cluster"])

    def start_taskmanager(self, index=0):
        memory = [item for key, value in TASKMANAGER_MEMORY.items()
                  for item in ("-D", f"{key}={self._options.get(key, value)}")]
        self.taskmanagers[index] = self._java(
            f"taskmanager-{index}", TASKMANAGER_JVM, self._classpath(), _TASKMANAGER_CLASS,
            ["--configDir", self._conf, *memory])

    def wait_ready(self, timeout=START_SECONDS):
        """Waits until the JobManager answers and all TaskManagers have registered."""
        def ready():
            overview = rest.try_json(self.url + "/overview")
            return overview is not None and overview["taskmanagers"] >= len(self.taskmanagers)
        wait_until(f"Flink {self.version}", ready, timeout, self.jobmanager)

    def stop(self):
        """Stops what this object started, and nothing else. May be called twice."""
        running = [p for p in [*self._sql_clients, self._gateway_process, *self.taskmanagers,
                               self.jobmanager] if p]
        # All at once, then each is waited for. Nothing of theirs is worth a slow goodbye.
        for process in running:
            process.resume()
            process.terminate()
        for process in running:
            process.stop(timeout=3)
        self._sql_clients.clear()

    # --- SQL ----------------------------------------------------------------------------------

    def sql(self, statements, init="", timeout=SQL_SECONDS):
        """Runs SQL in a session of its own, each statement within `timeout`.

        Raises HarnessError, with all that Flink says, when a statement fails. The gateway starts with the
        first call: it needs the configuration, not the cluster, as long as nothing is executed.
        """
        if self._gateway is None:
            port = free_port()
            self._gateway_process = self._java(
                "sql-gateway", SQL_CLIENT_JVM, self._classpath(self._sql_jars()), _SQL_GATEWAY_CLASS,
                ["-Dsql-gateway.endpoint.rest.address=127.0.0.1",
                 f"-Dsql-gateway.endpoint.rest.port={port}"])
            self._gateway = SqlGateway(port, self._gateway_process)
            self._gateway.wait_ready(START_SECONDS)
        self._gateway.run(init + "\n" + statements, timeout)

    def print_sql(self, statements, init="", timeout=SQL_SECONDS):
        """As a user in the SQL client: returns what it printed. Takes a JVM of its own, five seconds of a
        core."""
        return self.finish_sql(self.start_sql(statements, init), timeout)

    def start_sql(self, statements, init=""):
        """Begins to run SQL in the SQL client; finish_sql() waits for it."""
        self._sql_runs += 1
        base = self.workdir / f"sql-{self._sql_runs}"
        base.mkdir()
        (base / "init.sql").write_text(init, encoding="utf-8")
        (base / "run.sql").write_text(statements, encoding="utf-8")
        jar = self._sql_jars()[0]
        arguments = ["-hist", base / "history", "-f", base / "run.sql", "--jar", jar]
        if init:
            arguments = ["-i", base / "init.sql", *arguments]
        client = self._java(base.name, SQL_CLIENT_JVM, self._classpath(self._sql_jars()),
                            _SQL_CLIENT_CLASS, arguments, log=base / "out")
        self._sql_clients.append(client)
        return client

    def finish_sql(self, client, timeout=SQL_SECONDS):
        code = client.wait(timeout)
        self._sql_clients.remove(client)
        output = pathlib.Path(client.log).read_text(encoding="utf-8", errors="replace")
        # The client may leave with 0 although a statement failed.
        if code != 0 or "[ERROR]" in output:
            raise HarnessError(f"the SQL client left with {code}\n" + tail(client.log, 60))
        return output

    # --- jobs ---------------------------------------------------------------------------------

    def get(self, path):
        """A JobManager's answer to GET. Of a job that was just submitted it says for a while 500 or 503,
        "Unable to get JobMasterGateway for initializing job": that is waited for."""
        def answer():
            try:
                return (rest.get_json(self.url + path),)
            except urllib.error.HTTPError as error:
                if b"initializing job" not in error.read():
                    raise
            return None
        return wait_until(f"an answer to {path}", answer, START_SECONDS, self.jobmanager)[0]

    def jobs(self):
        """/jobs/overview's jobs by name (the youngest, where a name occurs twice)."""
        jobs = self.get("/jobs/overview")["jobs"]
        return {job["name"]: job for job in sorted(jobs, key=lambda job: job["start-time"])}

    def wait_checkpoints(self, names, count=1, timeout=CHECKPOINT_SECONDS):
        """Waits until each of the named jobs has completed `count` checkpoints. Returns its ids."""
        def completed():
            jobs = self.jobs()
            for name in names:
                if name not in jobs:
                    return None
                answer = self.get(f"/jobs/{jobs[name]['jid']}/checkpoints")
                if answer["counts"]["completed"] < count or not answer["latest"]["completed"]:
                    return None
            return {name: jobs[name]["jid"] for name in names}

        def quietly():
            try:
                return completed()
            except OSError:
                return None
        return wait_until("checkpoints of " + ", ".join(sorted(names)), quietly, timeout,
                          self.jobmanager, every=0.5)

    def savepoint(self, job_id, cancel=False, timeout=60, native=False):
        """Takes a savepoint, in Flink's canonical format or the backend's own; returns its path."""
        trigger = rest.post_json(f"{self.url}/jobs/{job_id}/savepoints", {
            "target-directory": (self.workdir / "savepoints").as_uri(), "cancel-job": cancel,
            "formatType": "NATIVE" if native else "CANONICAL"})
        path = f"{self.url}/jobs/{job_id}/savepoints/{trigger['request-id']}"

        def done():
            answer = rest.get_json(path)
            if answer["status"]["id"] != "COMPLETED":
                return None
            return answer["operation"]
        operation = wait_until("savepoint", done, timeout, self.jobmanager)
        if "location" not in operation:
            raise HarnessError("savepoint failed: " + json.dumps(operation)[:2000])
        return operation["location"]

    def cancel(self, *job_ids, timeout=60):
        """Cancels jobs and waits until they have ended."""
        for job_id in job_ids:
            rest.patch(f"{self.url}/jobs/{job_id}?mode=cancel")

        def ended():
            states = {job["jid"]: job["state"] for job in self.get("/jobs/overview")["jobs"]}
            return all(states[job_id] == "CANCELED" for job_id in job_ids)
        wait_until("the end of cancelled jobs", ended, timeout, self.jobmanager)

    # ------------------------------------------------------------------------------------------

    def _sql_jars(self):
        """The SQL client's jar, and what it needs beside lib/."""
        return [path for pattern in ("opt/flink-sql-client-*.jar", "opt/flink-python-*.jar",
                                     "gateway/*.jar")
                for path in sorted(glob.glob(str(self.home / pattern)))]

    def _classpath(self, more=()):
        return ":".join([*sorted(glob.glob(str(self.home / "lib" / "*.jar"))), *more])

    def _java(self, name, jvm, classpath, main_class, arguments, log=None):
        environment = dict(os.environ, FLINK_CONF_DIR=str(self._conf),
                           FLINK_PLUGINS_DIR=str(self.home / "plugins"),
                           FLINK_LIB_DIR=str(self.home / "lib"))
        for variable in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"):
            environment.pop(variable, None)
        command = [java.find(), *jvm, *java.OPTIONS, f"-Djava.io.tmpdir={self._tmp}",
                   f"-Dlog.file={self._logs / (name + '.log')}",
                   f"-Dlog4j.configurationFile={(self._conf / 'log4j.properties').as_uri()}",
                   "-cp", classpath, main_class, *arguments]
        return Process(name, command, log or self._logs / f"{name}.out", env=environment,
                       cwd=self.workdir)
