"""GET with a time-out, JSON or text."""

import json
import urllib.error
import urllib.request

TIMEOUT_SECONDS = 5

# Loopback is never asked through a proxy that the environment names.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(url, timeout=TIMEOUT_SECONDS):
    """The body as text. Raises OSError (urllib's errors are among these)."""
    with _opener.open(url, timeout=timeout) as answer:
        return answer.read().decode("utf-8")


def get_json(url, timeout=TIMEOUT_SECONDS):
    return json.loads(get(url, timeout))


def try_json(url, timeout=TIMEOUT_SECONDS):
    """The answer, or None when there is none to be had now."""
    try:
        return get_json(url, timeout)
    except (OSError, ValueError):
        return None


def post_json(url, body, timeout=TIMEOUT_SECONDS):
    request = urllib.request.Request(url, data=json.dumps(body).encode("utf-8"),
                                     headers={"Content-Type": "application/json"}, method="POST")
    with _opener.open(request, timeout=timeout) as answer:
        return json.loads(answer.read().decode("utf-8"))


def patch(url, timeout=TIMEOUT_SECONDS):
    return _without_body(url, "PATCH", timeout)


def delete(url, timeout=TIMEOUT_SECONDS):
    return _without_body(url, "DELETE", timeout)


def _without_body(url, method, timeout):
    request = urllib.request.Request(url, method=method)
    with _opener.open(request, timeout=timeout) as answer:
        return answer.read()


def body(url, timeout=TIMEOUT_SECONDS):
    """The body's bytes, whatever the code, as `curl -s` saves them."""
    try:
        with _opener.open(url, timeout=timeout) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        return error.read()
