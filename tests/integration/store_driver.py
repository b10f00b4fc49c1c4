"""store_driver (built beside the sidecar): opens addresses of checkpoints as `serve` does."""

import pathlib
import subprocess

from harness import sidecar

TIMEOUT_MS = 1000


def hash_of(content):
    """FNV-1a of 64 bits, as store_driver prints it."""
    value = 0xCBF29CE484222325
    for byte in content:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


class Opened:
    """One line of store_driver."""

    def __init__(self, line):
        words = line.rstrip("\n").split("\t")
        self.ok = words[0] == "ok"
        self.seconds = int(words[-1]) / 1000
        if self.ok:
            self.size, self.bytes, self.hash = map(int, words[1:4])
        else:
            self.code, self.error = words[1], words[2]

    def __repr__(self):
        return str(self.__dict__)


class Driver:
    """store_driver with an environment of its own: no AWS variable but those given."""

    def __init__(self, roots, keys=None, url="", timeout_ms=TIMEOUT_MS, region="", addressing="",
                 env=None):
        self._secrets = [keys[1]] if keys else []
        given = {"AWS_ACCESS_KEY_ID": keys[0], "AWS_SECRET_ACCESS_KEY": keys[1]} if keys else {}
        self._child = subprocess.Popen(
            [pathlib.Path(sidecar.binary()).parent / "store_driver", roots, str(timeout_ms), url,
             region, addressing],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            encoding="utf-8",
            # Nobody listens at the proxy, and nobody is to ask it.
            env={"HOME": "/nowhere", "http_proxy": "http://127.0.0.1:1",
                 "https_proxy": "http://127.0.0.1:1", **given, **(env or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _, noise = self._child.communicate(timeout=30)
        # What a sanitizer says, and nothing else, would stand there.
        assert noise == "" and self._child.returncode == 0, noise

    def tell(self, *words):
        self._child.stdin.write("\t".join(map(str, words)) + "\n")
        self._child.stdin.flush()

    def open(self, address, max_bytes=65536):
        self.tell("open", max_bytes, address)
        line = self._child.stdout.readline()
        assert line, "the driver has ended: " + self._child.stderr.read()
        assert not any(secret in line for secret in self._secrets)
        return Opened(line)
