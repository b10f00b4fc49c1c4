"""An S3 server that checks signatures (versitygw, over a plain folder), with its own users, roles
and session keys.

deploy/setup versitygw builds it. Objects are files: DIR/bucket/key.
"""

import datetime
import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import socket
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from .processes import HarnessError, Process, Started, free_port, wait_until

VERSION = "1.8.0"
REGION = "us-east-1"
ROOT_KEYS = ("sidecar-root", "sidecar-root-secret")
START_SECONDS = 30


def binary():
    """The server that deploy/setup built."""
    cache = os.environ.get("FSS_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "flink-state-sidecar")
    path = pathlib.Path(cache) / f"versitygw-{VERSION}" / "versitygw"
    if not path.is_file():
        raise HarnessError(f"{path} is missing: run deploy/setup versitygw")
    return path


def signed(method, url, service, keys, body=b"", token=None):
    """The headers of a request with AWS' signature, version 4, made apart from the sidecar's."""
    parts = urllib.parse.urlsplit(url)
    now = datetime.datetime.now(datetime.timezone.utc)
    stamp, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
    headers = {"host": parts.netloc, "x-amz-date": stamp,
               "x-amz-content-sha256": hashlib.sha256(body).hexdigest()}
    if token:
        headers["x-amz-security-token"] = token
    names = ";".join(sorted(headers))
    query = "&".join(sorted(parts.query.split("&"))) if parts.query else ""
    canonical = "\n".join([method, parts.path or "/", query,
                           *(f"{name}:{headers[name]}" for name in sorted(headers)), "", names,
                           headers["x-amz-content-sha256"]])
    scope = f"{day}/{REGION}/{service}/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope,
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + keys[1]).encode()
    for part in (day, REGION, service, "aws4_request", text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    headers["Authorization"] = (f"AWS4-HMAC-SHA256 Credential={keys[0]}/{scope}, "
                                f"SignedHeaders={names}, Signature={key.hex()}")
    del headers["host"]
    return headers


def text_of(xml, name):
    found = re.search(f"<{name}>(.*?)</{name}>", xml)
    return found.group(1) if found else None


class ObjectStore(Started):
    """versitygw and its IAM service on free loopback ports, empty at the start."""

    def __init__(self, workdir, certificate=None, options=()):
        self._workdir = pathlib.Path(workdir)
        self.folder = self._workdir / "buckets"
        # (certificate, key): then the store speaks https.
        self._certificate = certificate
        self._options = list(options)
        self._processes = []
        self._socket_folder = None

    def start(self):
        self.folder.mkdir(parents=True)
        (self._workdir / "iam").mkdir()
        # A socket's path is short.
        self._socket_folder = tempfile.mkdtemp(prefix="fss-iam-")
        private = pathlib.Path(self._socket_folder) / "s"
        self.iam_url = f"http://127.0.0.1:{free_port()}"
        self.port = free_port()
        self.url = f"{'https' if self._certificate else 'http'}://localhost:{self.port}"
        self._run("iam", self.iam_url.rsplit(":", 1)[1],
                  ["iam", "--dir", self._workdir / "iam", "--private-ports", private])
        tls = ["--cert", self._certificate[0], "--key", self._certificate[1]] \
            if self._certificate else []
        self._run("gateway", self.port, ["posix", self.folder],
                  ["--iam-standalone-endpoint", private, *tls, *self._options])
        return self

    def stop(self):
        for process in reversed(self._processes):
            process.stop()
        if self._socket_folder:
            shutil.rmtree(self._socket_folder, ignore_errors=True)

    def make_bucket(self, name):
        self.call("PUT", f"/{name}", b"")

    def put(self, bucket, key, content):
        """An object by a file of its name: no URL and no escape in between."""
        path = self.folder / bucket / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def call(self, method, path, body=b""):
        """A request of S3, as root; the path is percent-encoded."""
        return self._ask(method, self.url + path, "s3", body)

    def iam(self, action, keys=ROOT_KEYS, **parameters):
        """An action of IAM: the answer's XML."""
        return self._form("iam", "2010-05-08", action, keys, parameters)

    def sts(self, action, keys=ROOT_KEYS, **parameters):
        return self._form("sts", "2011-06-15", action, keys, parameters)

    def make_user(self, name, *statements):
        """A user with one policy: (key id, secret)."""
        self.iam("CreateUser", UserName=name)
        if statements:
            self.iam("PutUserPolicy", UserName=name, PolicyName="own",
                     PolicyDocument=policy(*statements))
        xml = self.iam("CreateAccessKey", UserName=name)
        return text_of(xml, "AccessKeyId"), text_of(xml, "SecretAccessKey")

    def _run(self, name, port, command, options=()):
        log = self._workdir / f"{name}.log"
        process = Process(name, [binary(), "--health", "/healthz", "--port", f"127.0.0.1:{port}",
                                 "--region", REGION, "--keep-alive", *options, *command], log,
                          env={**os.environ, "ROOT_ACCESS_KEY": ROOT_KEYS[0],
                               "ROOT_SECRET_KEY": ROOT_KEYS[1]})
        self._processes.append(process)
        wait_until(name, lambda: _listens(port), START_SECONDS, process)

    def _form(self, service, version, action, keys, parameters):
        body = urllib.parse.urlencode({"Action": action, "Version": version, **parameters})
        return self._ask("POST", self.iam_url + "/", service, body.encode(), keys)

    @staticmethod
    def _ask(method, url, service, body, keys=ROOT_KEYS):
        headers = signed(method, url, service, keys, body)
        if service != "s3":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        request = urllib.request.Request(url, data=body, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            raise HarnessError(f"{method} {url}: {error.code}: {text}") from error


def policy(*statements):
    """A policy document of statements (action, resource) that allow."""
    return json.dumps({"Version": "2012-10-17",
                       "Statement": [{"Effect": "Allow", "Action": action, "Resource": resource}
                                     for action, resource in statements]})


def _listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0
