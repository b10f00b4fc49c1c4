"""Checkpoints in object storage, read by signed requests from a server that checks signatures.

store_driver (built beside the sidecar) opens addresses as `serve` does. The server is versitygw over
a plain folder, so that the names of objects are those of files, written past all escaping. Where it
must misbehave, a few lines of Python stand in for it.
"""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading

import pytest

from harness import sidecar
from harness.object_store import ROOT_KEYS, ObjectStore
from store_driver import TIMEOUT_MS, Driver, hash_of

HERE = pathlib.Path(__file__).resolve().parent
BIG = 100_000_000


def open_once(roots, address, keys=ROOT_KEYS, url="", max_bytes=65536, **more):
    with Driver(roots, keys, url, **more) as driver:
        return driver.open(address, max_bytes)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with ObjectStore(tmp_path_factory.mktemp("store")) as server:
        server.make_bucket("flink")
        server.make_bucket("private")
        server.put("private", "ckpts/secret", b"not for everyone")
        server.put("flink", "ckpts/job/chk-7/_metadata", bytes(range(256)) * 4)
        server.put("flink", "ckpts/empty", b"")
        server.put("flink", "other/file", b"beside the root")
        yield server


@pytest.fixture(scope="module")
def reader(store):
    """A user who may do what docs/configuration.md says is needed, and no more."""
    return store.make_user("reader", ("s3:GetObject", "arn:aws:s3:::flink/ckpts/*"))


@pytest.mark.parametrize("max_bytes", [1, 100, 1023, 1024, 1025, 10**12])
def test_no_more_than_the_bytes_wanted_come(store, reader, max_bytes):
    content = bytes(range(256)) * 4
    opened = open_once("s3://flink/ckpts", "s3://flink/ckpts/job/chk-7/_metadata", reader,
                       store.url, max_bytes)
    assert (opened.size, opened.bytes) == (1024, min(max_bytes, 1024))
    assert opened.hash == hash_of(content[:max_bytes])


def test_an_empty_object_is_no_trouble(store, reader):
    opened = open_once("s3://flink/ckpts", "s3://flink/ckpts/empty", reader, store.url)
    assert (opened.ok, opened.size, opened.bytes) == (True, 0, 0)


def test_a_hundred_megabytes(store, reader):
    content = os.urandom(1 << 20)
    store.put("flink", "ckpts/big", content * (BIG >> 20))
    opened = open_once("s3://flink/ckpts", "s3://flink/ckpts/big", reader, store.url, BIG,
                       timeout_ms=10_000)
    assert opened.ok and opened.bytes == opened.size == (BIG >> 20) << 20
    head = open_once("s3://flink/ckpts", "s3://flink/ckpts/big", reader, store.url, 65536)
    assert head.size == opened.size and head.hash == hash_of(content[:65536])
    (store.folder / "flink/ckpts/big").unlink()


# As people name jobs, and as URLs and signatures stumble over them.
NAMES = ["a b", "a+b", "k=v", "Zähler/größe", "日本語", "100%", "%41", "a%20b", "x&y?z#w", "~-._",
         "(1)*'!", "a,b;c:d@e$f", '"<>[]{}|^`', "back\\slash", "trailing ", "é" * 60]


@pytest.mark.parametrize("scheme", ["s3", "s3a", "s3p"])
def test_every_name_is_signed_as_it_is_sent(store, reader, scheme):
    with Driver("s3://flink/ckpts", reader, store.url) as driver:
        for name in NAMES:
            content = name.encode()
            store.put("flink", f"ckpts/names/{name}/_metadata", content)
            opened = driver.open(f"{scheme}://flink/ckpts/names/{name}/_metadata")
            assert opened.ok and opened.hash == hash_of(content), (name, opened)


def test_escapes_are_undone_where_nothing_lies_as_written(store, reader):
    store.put("flink", "ckpts/esc/a b+ü", b"found")
    with Driver("s3://flink/ckpts", reader, store.url) as driver:
        assert driver.open("s3://flink/ckpts/esc/a%20b+%C3%BC").hash == hash_of(b"found")
        assert driver.open("s3://flink/ckpts/esc/a%20c").code == "not-found"
        gone = driver.open("s3://flink/ckpts/esc/%2e%2e/x")
        assert gone.code == "not-found"  # the second meaning is no address at all


def test_a_bucket_may_be_part_of_the_host_name(tmp_path):
    options = ["--virtual-domain", "localhost"]
    with ObjectStore(tmp_path, options=options) as server:
        server.make_bucket("flink")
        server.put("flink", "a b/_metadata", b"by host")
        by_host = open_once("s3://flink", "s3://flink/a b/_metadata", url=server.url,
                            addressing="virtual")
        assert by_host.ok and by_host.hash == hash_of(b"by host"), by_host
    with Scripted(part(b"", 0, 0)) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        open_once("s3://flink", "s3://flink/a", url=url, addressing="virtual")
        # A dot does not fit into the host name of a certificate.
        open_once("s3://a.b.c", "s3://a.b.c/a", url=url, addressing="virtual")
        first, second = server.seen
        assert first.startswith("GET /a HTTP/1.1\r\nHost: flink.localhost:")
        assert second.startswith("GET /a.b.c/a HTTP/1.1\r\nHost: localhost:")


def test_one_bucket_stands_in_for_another(store, reader):
    """And the root with the longest prefix decides."""
    roots = "hdfs://nn:8020/flink=s3://flink/ckpts, hdfs://nn:8020/flink/private=s3://private/ckpts"
    with Driver(roots, reader, store.url) as driver:
        assert driver.open("hdfs://nn:8020/flink/job/chk-7/_metadata").size == 1024
        assert "AccessDenied" in driver.open("hdfs://nn:8020/flink/private/secret").error


@pytest.mark.parametrize("address, code", [
    ("s3://flink/ckpts/gone/_metadata", "not-found"),
    ("s3://flink/other/file", "invalid-argument"),       # a bucket that is readable, but no root
    ("s3://flink/ckpts2/x", "invalid-argument"),
    ("s3://flink/ckpts/../other/file", "invalid-argument"),
    ("s3://flink/ckpts", "invalid-argument"),
    ("s3://private/ckpts/secret", "invalid-argument"),
    ("hdfs://nn/flink/ckpts/x", "invalid-argument"),
    ("file:/etc/passwd", "invalid-argument"),
    ("/etc/passwd", "invalid-argument"),
    ("ckpts/job", "invalid-argument"),
])
def test_only_what_lies_below_a_root_is_asked_for(store, address, code):
    opened = open_once("s3://flink/ckpts", address, url=store.url)
    assert not opened.ok and opened.code == code and opened.error.startswith(address), opened


def refusal(store, keys, roots="s3://flink", address="s3://flink/ckpts/empty", **more):
    opened = open_once(roots, address, keys, store.url, **more)
    assert not opened.ok and opened.code == "http-status", opened
    assert opened.error.startswith(address + ": HTTP status "), opened
    return opened.error


def test_refusals_are_told_in_the_stores_words(store, reader):
    assert "403: SignatureDoesNotMatch" in refusal(store, (reader[0], "wrong-secret"))
    assert "403: InvalidAccessKeyId" in refusal(store, ("AKIANOBODY", "no-secret"))
    denied = refusal(store, reader, "s3://private", "s3://private/ckpts/secret")
    assert "403: AccessDenied" in denied and len(denied) < 400
    assert "404: NoSuchBucket" in refusal(store, ROOT_KEYS, "s3://nowhere", "s3://nowhere/x")
    # A session token that nobody gave out.
    assert "InvalidToken" in refusal(store, reader, env={"AWS_SESSION_TOKEN": "made-up"})


def test_another_region_is_named(store):
    told = refusal(store, ROOT_KEYS, region="eu-west-1")
    assert "AuthorizationHeaderMalformed" in told
    assert told.endswith("(the bucket is in region us-east-1)")


def test_a_clock_that_is_wrong_is_told(store, tmp_path):
    """As it is on a machine whose time is an hour off: time() says so to libcurl."""
    (tmp_path / "late.c").write_text(
        "#include <sys/time.h>\n#include <time.h>\n"
        "time_t time(time_t* t) { struct timeval now; gettimeofday(&now, 0);\n"
        "  time_t late = now.tv_sec - 3600; if (t) *t = late; return late; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "late.so", tmp_path / "late.c"],
                   check=True)
    assert "RequestTimeTooSkewed" in refusal(store, ROOT_KEYS,
                                             env={"LD_PRELOAD": str(tmp_path / "late.so")})


def test_the_endpoint_and_region_come_from_the_environment(store, reader):
    env = {"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_ENDPOINT_URL_S3": store.url,
           "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "eu-west-1"}
    assert open_once("s3://flink/ckpts", "s3://flink/ckpts/empty", reader, env=env).ok


def test_a_credentials_file_is_read_again_when_it_changes(store, reader, tmp_path):
    file = tmp_path / "credentials"
    env = {"AWS_SHARED_CREDENTIALS_FILE": str(file), "AWS_PROFILE": "team"}

    def write(keys):
        fresh = tmp_path / "fresh"
        fresh.write_text(f"[default]\naws_access_key_id = nobody\naws_secret_access_key = x\n\n"
                         f"[team]\naws_access_key_id = {keys[0]}\n"
                         f"aws_secret_access_key = {keys[1]}\n")
        fresh.replace(file)

    with Driver("s3://flink/ckpts", None, store.url, env=env) as driver:
        address = "s3://flink/ckpts/empty"
        missing = driver.open(address)
        assert missing.code == "io" and str(file) in missing.error, missing
        write((reader[0], "old-secret"))
        assert "SignatureDoesNotMatch" in driver.open(address).error
        write(reader)
        assert driver.open(address).ok
        file.write_text("[default]\n")
        assert "has no profile 'team'" in driver.open(address).error


def test_without_credentials_nothing_is_sent(tmp_path):
    with Scripted(b"") as server:
        opened = open_once("s3://flink", "s3://flink/x", None, server.url,
                           env={"HOME": str(tmp_path)})
        assert opened.code == "io" and ".aws/credentials" in opened.error
        assert server.seen == []


# --- servers that misbehave ------------------------------------------------------------------------

class Scripted:
    """Takes connections, reads the head of a request, sends `answer` (bytes, or pairs of bytes and
    seconds to wait thereafter), and keeps the connection open for `linger` seconds."""

    def __init__(self, answer, linger=0.0, tls=None):
        self._answer = [(answer, 0)] if isinstance(answer, bytes) else answer
        self._linger = linger
        self._server = socket.create_server(("127.0.0.1", 0))
        self._tls = tls
        self._end = threading.Event()
        self.seen = []
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._end.set()
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                more = connection.recv(65536)
                if not more:
                    return
                head += more
            self.seen.append(head.decode())
            for content, pause in self._answer:
                connection.sendall(content)
                if self._end.wait(pause):
                    return
            self._end.wait(self._linger)


def part(content, total, length=None):
    head = (f"HTTP/1.1 206 Partial Content\r\nContent-Length: {length or len(content)}\r\n"
            f"Content-Range: bytes 0-{(length or len(content)) - 1}/{total}\r\n\r\n")
    return head.encode() + content


def scripted(answer, linger=0.0, max_bytes=65536, timeout_ms=TIMEOUT_MS):
    with Scripted(answer, linger) as server:
        return open_once("s3://flink", "s3://flink/x", url=server.url, max_bytes=max_bytes,
                         timeout_ms=timeout_ms), server.seen


def test_a_request_has_what_it_must_and_no_more():
    opened, [head] = scripted(part(b"hello", 5))
    assert opened.ok and opened.hash == hash_of(b"hello")
    lines = head.split("\r\n")
    assert lines[0] == "GET /flink/x HTTP/1.1"
    names = {line.split(":")[0].lower() for line in lines[1:] if line}
    assert names == {"host", "authorization", "x-amz-date", "x-amz-content-sha256", "range",
                     "user-agent", "accept"}
    assert "Range: bytes=0-65535" in lines and ROOT_KEYS[1] not in head
    assert "/us-east-1/s3/aws4_request" in head


@pytest.mark.parametrize("answer, linger, code, within", [
    pytest.param(b"", 60, "timeout", 5, id="hangs before the head"),
    pytest.param(b"HTTP/1.1 206 Partial", 60, "timeout", 5, id="hangs in the head"),
    pytest.param([(b"HTTP/1.1 200 OK\r\n", 0)] + [(b"X-A: b\r\n", 0.1)] * 200, 0, "timeout", 5,
                 id="drips its head"),
    pytest.param(part(b"abc", 60_000, 60_000), 60, "timeout", 5, id="hangs in the body"),
    pytest.param([(part(b"a" * 50_000, 60_000, 60_000), 0)] + [(b"b", 0.05)] * 200, 0, "timeout",
                 8, id="drips its body after a good start"),
    pytest.param(b"", 0, "unreachable", 5, id="closes at once"),
    pytest.param(part(b"abc", 60_000, 60_000), 0, "unreachable", 5, id="closes in the body"),
    pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", 0, "unreachable", 5, id="speaks another protocol"),
    pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 0,
                 "malformed", 5, id="tells no size"),
    pytest.param(b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-7/8\r\n"
                 b"Content-Length: 3\r\n\r\nabc", 0, "malformed", 5, id="sends another part"),
    pytest.param(b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-2/99\r\n"
                 b"Content-Length: 3\r\n\r\nabc", 0, "io", 5, id="sends less than it says"),
    pytest.param(b"HTTP/1.1 503 Slow Down\r\nContent-Length: 60\r\n\r\n"
                 b"<Error><Code>SlowDown</Code><Message>Later</Message></Error>", 0, "http-status",
                 5, id="refuses"),
])
def test_a_bad_server_ends_soon_and_clearly(answer, linger, code, within):
    opened, seen = scripted(answer, linger)
    assert not opened.ok and opened.code == code, opened
    assert opened.seconds < within and len(seen) == 1, opened
    assert "\n" not in opened.error and len(opened.error) < 400


def test_a_slow_server_is_waited_for_as_long_as_something_comes():
    """About 80 KB/s, for more than twice the time-out."""
    answer = [(part(b"", 180_000, 180_000), 0)] + [(b"x" * 4_000, 0.05)] * 45
    opened, _ = scripted(answer, max_bytes=180_000)
    assert opened.ok and opened.bytes == 180_000 and opened.seconds > 2 * TIMEOUT_MS / 1000, opened


def test_but_not_for_ever():
    answer = [(part(b"", 10**9, 10**9), 0)] + [(b"x" * 4_000, 0.02)] * 2000
    opened, _ = scripted(answer, max_bytes=10**9, timeout_ms=500)
    assert opened.code == "timeout" and 2.5 < opened.seconds < 10, opened
    assert "not read within 3 s" in opened.error


def test_an_endless_answer_is_left_after_the_bytes_wanted():
    """It does not know ranges, and says that it is huge."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n"
    opened, _ = scripted([(head, 0), (b"y" * 10_000_000, 0)], 60, max_bytes=65536)
    assert (opened.size, opened.bytes) == (10**12, 65536) and opened.seconds < 5, opened


def test_an_endless_refusal_is_cut():
    body = b"<Error><Code>" + b"A" * 1_000_000
    opened, _ = scripted([(b"HTTP/1.1 403 No\r\nContent-Length: 1000000000\r\n\r\n" + body, 0)], 60)
    assert opened.error == "s3://flink/x: HTTP status 403" and opened.seconds < 5
    long_words = b"<Error><Code>" + b"C" * 9000 + b"</Code><Message>" + b"M" * 9000 + b"</Message>"
    opened, _ = scripted(b"HTTP/1.1 403 No\r\nContent-Length: %d\r\n\r\n" % len(long_words)
                         + long_words)
    assert len(opened.error) < 400


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_credentials_do_not_follow_a_redirect(status):
    with Scripted(part(b"hello", 5)) as other:
        head = (f"HTTP/1.1 {status} Moved\r\nLocation: {other.url}/flink/x\r\n"
                "x-amz-bucket-region: eu-west-1\r\n")
        body = "<Error><Code>PermanentRedirect</Code><Message>Elsewhere.</Message></Error>"
        opened, _ = scripted(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        assert opened.error == (f"s3://flink/x: HTTP status {status}: PermanentRedirect: Elsewhere. "
                                "(the bucket is in region eu-west-1)")
        assert other.seen == []


def test_a_refusal_that_repeats_credentials_is_not_shown():
    body = (f"<Error><Code>SignatureDoesNotMatch</Code><Message>bad: {ROOT_KEYS[1]}</Message>"
            f"<AWSAccessKeyId>{ROOT_KEYS[0]}</AWSAccessKeyId></Error>").encode()
    opened, _ = scripted(b"HTTP/1.1 403 No\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    assert opened.error == "s3://flink/x: HTTP status 403: SignatureDoesNotMatch"


def test_nobody_listens():
    opened = open_once("s3://flink", "s3://flink/x", url="http://127.0.0.1:1")
    assert opened.code == "unreachable" and "127.0.0.1" in opened.error


@pytest.mark.parametrize("answer", [b"", part(b"abc", 60_000, 60_000)], ids=["head", "body"])
def test_a_cancel_ends_what_is_under_way(answer):
    with Scripted(answer, 60) as server, Driver("s3://flink", ROOT_KEYS, server.url,
                                                timeout_ms=30_000) as driver:
        driver.tell("cancel", 300)
        opened = driver.open("s3://flink/x")
        assert opened.code == "timeout" and opened.error.endswith("broken off")
        assert 0.2 < opened.seconds < 5
        assert driver.open("s3://flink/x").seconds < 2  # and what comes later


# --- https -----------------------------------------------------------------------------------------

def test_https_by_a_private_authority(localhost_certificate, tmp_path):
    with ObjectStore(tmp_path, localhost_certificate) as server:
        (server.folder / "flink").mkdir()
        server.put("flink", "a b", b"private")
        trusting = {"AWS_CA_BUNDLE": str(localhost_certificate[0])}
        opened = open_once("s3://flink", "s3://flink/a b", url=server.url, env=trusting)
        assert opened.ok and opened.hash == hash_of(b"private"), opened
        refused = open_once("s3://flink", "s3://flink/a b", url=server.url)
        assert refused.code == "unreachable" and "certificate" in refused.error
        other = open_once("s3://flink", "s3://flink/a b", env=trusting,
                          url=server.url.replace("localhost", "127.0.0.1"))
        assert other.code == "unreachable", other


# --- web identity ----------------------------------------------------------------------------------

def test_a_web_identity_gets_temporary_keys(tmp_path):
    """From a real token service, for a token of a real issuer: web_identity_lab.py says how."""
    lab = [sys.executable, "-B", HERE / "web_identity_lab.py", tmp_path]
    if subprocess.run(["unshare", "-Urn", "true"], check=False).returncode != 0:
        pytest.skip("this machine does not let us make a network of our own (unshare -Urn)")
    done = subprocess.run(["unshare", "-Urn", "--", *lab], capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    told = json.loads(done.stdout)
    assert told["good"][0] == "ok", told
    assert told["bad_token"][0] == "error" and "ExpiredTokenException" in told["bad_token"][2]
    assert told["unknown_role"][0] == "error" and "AccessDenied" in told["unknown_role"][2]
    assert told["denied"][0] == "error" and "403: AccessDenied" in told["denied"][2]
    assert told["no_token_file"][0] == "error" and "No such file" in told["no_token_file"][2]
    assert told["new_token"][0] == "ok", told  # the file was read again


# --- the start -------------------------------------------------------------------------------------

@pytest.mark.parametrize("roots, more, named", [
    ("ckpts", {}, "--checkpoint_root: 'ckpts': is no absolute path and no URL"),
    ("hdfs://nn/x", {}, "--checkpoint_root: 'hdfs://nn/x': hdfs: cannot be read; give the folder"),
    ("s3://flink,/etc/passwd", {}, "--checkpoint_root: /etc/passwd: is no folder"),
    ("file:/a=b", {}, "written %3D"),
    ("/shared/../etc", {}, "has the name '..' in its path"),
    ("s3://", {}, "--checkpoint_root"),
    ("s3://flink", {"url": "minio:9000"}, "--s3_endpoint: not an http:// or https:// URL"),
    ("s3://flink", {"url": "http://anna:secret@minio"}, "--s3_endpoint: a URL without a user"),
    ("s3://flink", {"region": "Ireland, west"}, "--s3_region: 'Ireland, west' is no name"),
    ("s3://flink", {"addressing": "host"}, "--s3_addressing: 'host' is not auto, path or virtual"),
    ("s3://flink", {"env": {"AWS_ACCESS_KEY_ID": "x"}}, "AWS_SECRET_ACCESS_KEY: is not set"),
    ("s3://flink", {"env": {"AWS_CA_BUNDLE": "/nowhere.pem"}}, "AWS_CA_BUNDLE: /nowhere.pem"),
    ("s3://flink", {"env": {"AWS_ENDPOINT_URL_STS": "sts"}}, "AWS_ENDPOINT_URL_STS: not an http"),
])
def test_bad_values_end_the_start(roots, more, named):
    given = {"url": "", "region": "", "addressing": "", "env": {}, **more}
    done = subprocess.run(
        [pathlib.Path(sidecar.binary()).parent / "store_driver", roots, "1000", given["url"],
         given["region"], given["addressing"]], env={"HOME": "/nowhere", **given["env"]},
        input="", capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 2
    [line] = done.stdout.splitlines()
    assert line.startswith("bad\t") and named in line and "secret" not in line


def test_files_need_no_libcurl(tmp_path):
    (tmp_path / "libcurl.so.4").write_bytes(b"")  # found first, and no library
    (tmp_path / "ckpts").mkdir()
    (tmp_path / "ckpts" / "_metadata").write_bytes(b"hello")
    env = {"LD_LIBRARY_PATH": str(tmp_path)}
    with Driver(f"file:/ckpts={tmp_path}/ckpts", env=env) as driver:
        assert driver.open("file:/ckpts/_metadata").hash == hash_of(b"hello")
    done = subprocess.run(
        [pathlib.Path(sidecar.binary()).parent / "store_driver", "s3://flink", "1000"], env=env,
        input="", capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 2
    assert done.stdout.startswith("bad\t--checkpoint_root: libcurl4 is not installed")
