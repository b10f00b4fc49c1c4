"""Child processes, free loopback ports, waiting."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time

# Below Linux' ephemeral range (32768 up), so that no outgoing connection takes a port between our
# looking and its owner's listening. Ports must be known beforehand: a JobManager that is killed
# and restarted has to come back where its TaskManagers and the sidecar look for it.
FIRST_PORT = 20000
LAST_PORT = 31999

STOP_SECONDS = 10  # from SIGTERM to SIGKILL


class HarnessError(Exception):
    """What failed, in words for a person; the log's end included where there is one."""


def say(text):
    """A line of progress for a person."""
    print(text, file=sys.stderr, flush=True)


def free_port():
    """A port of 127.0.0.1 that nobody listens on."""
    for port in random.sample(range(FIRST_PORT, LAST_PORT), 200):
        with contextlib.closing(socket.socket()) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise HarnessError("no free port between %d and %d" % (FIRST_PORT, LAST_PORT))


def tail(path, lines=30):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return "".join(file.readlines()[-lines:])
    except OSError as error:
        return str(error)


def wait_until(what, condition, timeout, process=None, every=0.2):
    """Calls condition() until it returns something true, which is returned.

    Raises HarnessError after `timeout` seconds, or at once when `process` has ended.
    """
    deadline = time.monotonic() + timeout
    while True:
        result = condition()
        if result:
            return result
        if process is not None and process.poll() is not None:
            raise HarnessError("%s: the process ended with %s\n%s"
                               % (what, process.poll(), tail(process.log)))
        if time.monotonic() > deadline:
            log = "" if process is None else "\n" + tail(process.log)
            raise HarnessError("%s: not within %d s%s" % (what, timeout, log))
        time.sleep(every)


class Process:
    """One child process with its output in a log file.

    It runs in a session of its own, so that a Ctrl-C at the terminal reaches only us, and we stop
    things in order. When we die it gets SIGKILL (setpriv is part of util-linux).
    """

    def __init__(self, name, command, log, env=None, cwd=None):
        self.name = name
        self.log = str(log)
        with open(self.log, "ab") as output:
            self._child = subprocess.Popen(
                [shutil.which("setpriv") or "/usr/bin/setpriv", "--pdeathsig", "KILL", "--",
                 *map(str, command)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env=env, cwd=cwd, start_new_session=True)

    @property
    def pid(self):
        return self._child.pid

    def poll(self):
        """The exit code, or None while it runs."""
        return self._child.poll()

    def wait(self, timeout):
        try:
            return self._child.wait(timeout)
        except subprocess.TimeoutExpired as error:
            raise HarnessError("%s: still running after %d s\n%s"
                               % (self.name, timeout, tail(self.log))) from error

    def terminate(self):
        """Asks it to leave; does not wait."""
        self._signal(signal.SIGTERM)

    def kill(self):
        """Ends it at once, as a crash or the OOM killer would."""
        self._signal(signal.SIGKILL)
        self._child.wait()

    def pause(self):
        """Stops it in its tracks: connections stay open, nothing answers."""
        self._signal(signal.SIGSTOP)

    def resume(self):
        self._signal(signal.SIGCONT)

    def stop(self, timeout=STOP_SECONDS):
        """Ends it: politely, then not. Returns its exit code."""
        if self._child.poll() is None:
            self.resume()
            self.terminate()
            try:
                self._child.wait(timeout)
            except subprocess.TimeoutExpired:
                pass
        # Also what the process may have started itself and left behind.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        return self._child.wait()

    def _signal(self, number):
        # poll() first: once the exit code was fetched the pid may belong to somebody else.
        if self._child.poll() is None:
            self._child.send_signal(number)


class Started:
    """Something with start() and stop(), for a `with`: what a failed start began is stopped too."""

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_):
        self.stop()
