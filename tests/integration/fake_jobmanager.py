"""A JobManager that misbehaves on demand: the answers of /jobs/overview and what hangs on it.

Standard library only. In a test:

    with FakeJobManager(jobs=3) as jobmanager:
        jobmanager.mode = "hang"           # every connection: accepted, never answered
        jobmanager.mode = "healthy"

By hand: fake_jobmanager.py [PORT [JOBS [MODE]]].
"""

import json
import socket
import sys
import threading
import time

START_MS = 1_700_000_000_000
VERTEX_SIZE = 1000  # the first vertex of a job; the second has twice that, and so on

HUGE_BYTES = 50 * 1000 * 1000
STACK_TRACE = "org.apache.flink.runtime.rest.handler.RestHandlerException: broken\n" + "".join(
    f"\tat org.apache.flink.runtime.Thing.method{i}(Thing.java:{i})\n" for i in range(200))


def job_id(number):
    return f"{number:032x}"


def vertex_id(number):
    return f"{0xabc0 + number:032x}"


def checkpoint_row(number, checkpoint, vertices, with_tasks=False):
    """A completed checkpoint; sizes grow with its id."""
    sizes = [VERTEX_SIZE * (v + 1) + checkpoint for v in range(vertices)]
    row = {"className": "completed", "id": checkpoint, "status": "COMPLETED",
           "is_savepoint": False, "trigger_timestamp": START_MS + checkpoint * 1000,
           "latest_ack_timestamp": START_MS + checkpoint * 1000 + 100,
           "checkpointed_size": sum(sizes) // 2, "state_size": sum(sizes),
           "external_path": f"file:/checkpoints/{job_id(number)}/chk-{checkpoint}", "tasks": {}}
    if with_tasks:
        row["tasks"] = {vertex_id(v): {"id": checkpoint, "status": "COMPLETED",
                                       "checkpointed_size": size // 2, "state_size": size}
                        for v, size in enumerate(sizes)}
    return row


def overview(names, now_ms):
    return {"jobs": [{"jid": job_id(number), "name": name, "start-time": START_MS, "end-time": -1,
                      "duration": now_ms - START_MS, "state": "RUNNING",
                      "last-modification": START_MS, "tasks": {"total": 2, "running": 2}}
                     for number, name in enumerate(names, 1)]}


def checkpoints(number, checkpoint, vertices, history=10):
    rows = [checkpoint_row(number, c, vertices)
            for c in range(checkpoint, max(0, checkpoint - history), -1)]
    return {"counts": {"restored": 0, "total": checkpoint, "in_progress": 0,
                       "completed": checkpoint, "failed": 0},
            "summary": {"state_size": {"min": 0, "max": 0, "avg": 0, "p50": "NaN"}},
            "latest": {"completed": rows[0] if rows else None, "savepoint": None, "failed": None,
                       "restored": None},
            "history": rows}


def plan(number, vertices):
    nodes = []
    for v in range(vertices):
        node = {"id": vertex_id(v), "operator": "", "parallelism": 2, "operator_strategy": "",
                "description": f"[{v + 1}]:GroupAggregate(groupBy=[k{v}], select=[k{v}, "
                               f"COUNT(*) AS EXPR$0])<br/>+- [{v + 100}]:Calc(select=[k{v}])<br/>",
                "optimizer_properties": {}}
        if v > 0:
            node["inputs"] = [{"num": 0, "id": vertex_id(v - 1), "ship_strategy": "HASH",
                               "exchange": "pipelined_bounded"}]
        nodes.append(node)
    return {"plan": {"jid": job_id(number), "name": "x", "type": "STREAMING", "nodes": nodes}}


CHECKPOINT_CONFIG = {"mode": "exactly_once", "interval": 1000, "timeout": 600000,
                     "state_backend": "EmbeddedRocksDBStateBackend",
                     "checkpoint_storage": "FileSystemCheckpointStorage",
                     "unaligned_checkpoints": False, "state_changelog_enabled": False}
CLUSTER_CONFIG = {"refresh-interval": 3000, "flink-version": "2.3.0"}


class FakeJobManager:
    """Serves on a free loopback port until closed. `mode` may be changed at any time."""

    MODES = ("healthy", "hang", "drip", "cut", "cut_chunk", "error_500", "error_503", "html",
             "garbage", "no_json", "huge", "huge_chunks", "one_huge_chunk", "endless_head", "close",
             "refuse")

    def __init__(self, jobs=1, vertices=2, port=0, names=None, tls=None):
        self.mode = "healthy"
        self.mode_below_jobs = None  # for /jobs/<id>/… alone, where it differs
        self.names = names or [f"job-{n}" for n in range(1, jobs + 1)]
        self.vertices = vertices
        self.checkpoint = 5
        self.raw_overview = None  # bytes instead of the JSON made from `names`
        self.requests = []  # "GET /path", in order
        self.heads = []
        self._tls = tls  # an ssl.SSLContext
        self._port = port
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._open = set()
        self._threads = []
        self._listener = self._listen()

    def _listen(self):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self._port))
        listener.listen(128)
        self._port = listener.getsockname()[1]
        thread = threading.Thread(target=self._accept, args=(listener,), daemon=True)
        thread.start()
        return listener

    @property
    def port(self):
        return self._port

    @property
    def url(self):
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._stop.set()
        self.go_away()

    def go_away(self):
        """Stops listening and breaks every connection, as a process that was killed."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        with self._lock:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def come_back(self):
        """Listens again on the same port."""
        self._listener = self._listen()

    def _accept(self, listener):
        while not self._stop.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            thread.start()

    def _serve(self, connection):
        with self._lock:
            self._open.add(connection)
        plain = connection
        try:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            stream = connection.makefile("rb")
            while not self._stop.is_set():
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    line = stream.readline()
                    if not line:
                        return
                    head += line
                method, path, _ = head.split(b" ", 2)
                self.requests.append(f"{method.decode()} {path.decode()}")
                self.heads.append(head.decode("latin-1"))
                if not self._reply(connection, path.decode()):
                    return
        except OSError:
            pass
        finally:
            with self._lock:
                self._open.discard(plain)
            connection.close()

    def _reply(self, connection, path):
        """False when the connection is to be closed."""
        mode = self.mode
        if self.mode_below_jobs and path.startswith("/jobs/") and path != "/jobs/overview":
            mode = self.mode_below_jobs
        return getattr(self, "_reply_" + mode)(connection, path)

    # --- one per mode -----------------------------------------------------------------------

    def _reply_healthy(self, connection, path):
        status, body = self._answer(path)
        return send(connection, status, "application/json; charset=UTF-8", body)

    def _reply_hang(self, connection, path):
        while not self._stop.is_set() and self.mode == "hang":
            time.sleep(0.02)
        return False

    def _reply_drip(self, connection, path):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not self._stop.is_set():
            connection.sendall(b"x")
            time.sleep(0.05)
        return False

    def _reply_cut(self, connection, path):
        _, body = self._answer(path)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n" % len(body) + body[:len(body) // 2])
        return False

    def _reply_cut_chunk(self, connection, path):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n{\"jobs")
        return False

    def _reply_error_500(self, connection, path):
        body = json.dumps({"errors": ["Internal server error.",
                                      "<Exception on server side:\n" + STACK_TRACE]})
        return send(connection, 500, "application/json", body.encode())

    def _reply_error_503(self, connection, path):
        body = json.dumps({"errors": ["Service temporarily unavailable due to an ongoing leader "
                                      "election. Please refresh."]})
        return send(connection, 503, "application/json", body.encode())

    def _reply_html(self, connection, path):
        return send(connection, 200, "text/html", b"<!DOCTYPE html><html>Please sign in</html>")

    def _reply_garbage(self, connection, path):
        connection.sendall(bytes(range(256)) * 8 + b"\r\n\r\n")
        return False

    def _reply_no_json(self, connection, path):
        return send(connection, 200, "application/json", b'{"jobs":[{"jid":"\xff\xfe' + b"[" * 9999)

    def _reply_huge(self, connection, path):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n" % HUGE_BYTES)
        return self._flood(connection, b" " * 65536)

    def _reply_huge_chunks(self, connection, path):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        return self._flood(connection, b"10000\r\n" + b" " * 65536 + b"\r\n")

    def _reply_one_huge_chunk(self, connection, path):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n")
        return self._flood(connection, b" " * 65536, limit=100 * HUGE_BYTES)

    def _reply_endless_head(self, connection, path):
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        return self._flood(connection, b"X-Padding: " + b"x" * 65536 + b"\r\n",
                           limit=100 * HUGE_BYTES)

    def _flood(self, connection, piece, limit=HUGE_BYTES):
        for _ in range(limit // len(piece)):
            if self._stop.is_set():
                break
            connection.sendall(piece)
        return False

    def _reply_close(self, connection, path):
        return False

    _reply_refuse = _reply_close

    # --- healthy answers ----------------------------------------------------------------------

    def _answer(self, path):
        if path == "/jobs/overview":
            if self.raw_overview is not None:
                return 200, self.raw_overview
            return 200, encode(overview(self.names, START_MS + self.checkpoint * 1000 + 500))
        if path == "/config":
            return 200, encode(CLUSTER_CONFIG)
        parts = path.strip("/").split("/")
        if len(parts) >= 3 and parts[0] == "jobs":
            number = int(parts[1], 16)
            rest = parts[2:]
            if rest == ["plan"]:
                return 200, encode(plan(number, self.vertices))
            if rest == ["checkpoints"]:
                return 200, encode(checkpoints(number, self.checkpoint, self.vertices))
            if rest == ["checkpoints", "config"]:
                return 200, encode(CHECKPOINT_CONFIG)
            if rest[:1] == ["vertices"] and rest[2:] == ["subtasks", "metrics"]:
                return 200, encode([])  # RocksDB's metrics are off
            if rest[:2] == ["checkpoints", "details"]:
                return 200, encode(checkpoint_row(number, int(rest[2]), self.vertices, True))
        return 404, encode({"errors": ["Not found: " + path]})


def encode(document):
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def send(connection, status, content_type, body):
    connection.sendall(b"HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                       % (status, content_type.encode(), len(body)) + body)
    return True


def main(arguments):
    port, jobs, mode = (arguments + [8081, 3, "healthy"][len(arguments):])[:3]
    jobmanager = FakeJobManager(jobs=int(jobs), port=int(port))
    jobmanager.mode = mode
    print(jobmanager.url, mode, flush=True)
    while True:
        time.sleep(1)
        jobmanager.checkpoint += 1


if __name__ == "__main__":
    main(sys.argv[1:])
