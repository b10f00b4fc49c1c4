"""Flink's SQL gateway, which runs SQL as the SQL client does (that one has a gateway within it), without
a JVM of its own for each script."""

import json
import re
import urllib.error

from . import rest
from .processes import HarnessError, wait_until

MAIN_CLASS = "org.apache.flink.table.gateway.SqlGateway"
# Of one statement: what a JobManager takes to start a job, and a cold planner, on two busy cores.
ANSWER_SECONDS = 60

_TOKEN = re.compile(r"""
    --[^\n]*              # a comment to the line's end
  | /\*.*?\*/             # a comment, or a hint
  | '(?:[^']|'')*'        # a text
  | `[^`]*`               # a name
  | ;
""", re.VERBOSE | re.DOTALL)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_SET_BEGINS = re.compile(r"\bSTATEMENT\s+SET\s+BEGIN\b", re.IGNORECASE)
_SET_ENDS = re.compile(r"\bEND\s*$", re.IGNORECASE)


def statements_of(script):
    """The statements of a script, without the semicolons between them; the statements of a STATEMENT SET
    BEGIN … END are one with it."""
    found, begin = [], 0
    for token in _TOKEN.finditer(script):
        if token.group() != ";":
            continue
        text = script[begin:token.start()]
        if _SET_BEGINS.search(text) and not _SET_ENDS.search(text):
            continue
        found.append(text.strip())
        begin = token.end()
    found.append(script[begin:].strip())
    return [text for text in found if _COMMENT.sub("", text).strip()]


class SqlGateway:
    """Speaks to a gateway that was started. Sessions may run side by side."""

    def __init__(self, port, process):
        self._sessions = f"http://127.0.0.1:{port}/v1/sessions"
        self._info = f"http://127.0.0.1:{port}/v1/info"
        self._process = process

    def wait_ready(self, timeout):
        wait_until("the SQL gateway", lambda: rest.try_json(self._info), timeout, self._process)

    def run(self, script, timeout):
        """Runs a script in a session of its own. Raises HarnessError when a statement fails."""
        session = self._post(self._sessions, {})["sessionHandle"]
        url = f"{self._sessions}/{session}"
        try:
            for statement in statements_of(script):
                self._execute(url, statement, timeout)
        finally:
            rest.delete(url, ANSWER_SECONDS)

    def _execute(self, session, statement, timeout):
        operation = self._post(f"{session}/statements", {"statement": statement})["operationHandle"]
        url = f"{session}/operations/{operation}"

        def state():
            status = rest.get_json(f"{url}/status", ANSWER_SECONDS)["status"]
            return None if status in ("INITIALIZED", "PENDING", "RUNNING") else status
        status = wait_until(statement[:200], state, timeout, self._process, every=0.05)
        if status != "FINISHED":
            # Why it failed is said where its rows would be.
            raise HarnessError(f"{status}: {statement[:2000]}\n" + _errors(rest.body(f"{url}/result/0")))
        rest.delete(f"{url}/close", ANSWER_SECONDS)

    def _post(self, url, body):
        try:
            return rest.post_json(url, body, ANSWER_SECONDS)
        except urllib.error.HTTPError as error:
            raise HarnessError(f"the SQL gateway: {error.code}: {_errors(error.read())}") from error


def _errors(body):
    """What the gateway says in an answer, its stack traces included."""
    try:
        return "\n".join(json.loads(body)["errors"])
    except (ValueError, KeyError, TypeError):
        return body.decode("utf-8", "replace")[:20_000]
