"""The image as deploy/image/build makes it, unpacked by another's tool, and programs run out of it."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("FSS_BINARY") or str(ROOT / "build/release/flink-state-sidecar")
PROGRAM = "usr/local/bin/flink-state-sidecar"
SBOM = "usr/share/doc/flink-state-sidecar/sbom.spdx.json"
USER = 65532
COMMIT = "0123456789abcdef0123456789abcdef01234567"
SOURCE = "https://git.example.com/flink-state-sidecar"
# Later than every package, as a commit is.
BUILD_TIME = 1_900_000_000
TAG = "under-test"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=options.pop("timeout", 120), check=False,
                          **options)
    return done


def checked(*command, **options):
    done = run(*command, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def need_tools():
    missing = [tool for tool in ("umoci", "skopeo", "bwrap") if not shutil.which(tool)]
    if missing:
        pytest.fail(f"no {', '.join(missing)}: deploy/setup image")


class Built:
    """One build's output."""

    def __init__(self, output, *flags, around=()):
        self.output = pathlib.Path(output)
        self.layout = self.output / "oci"
        self.archive = self.output / "flink-state-sidecar.tar"
        done = run(*around, ROOT / "deploy/image/build", f"--binary={BINARY}", f"--output={output}",
                   f"--tag={TAG}", f"--revision={COMMIT}", f"--source={SOURCE}", *flags, timeout=400,
                   env={**os.environ, "SOURCE_DATE_EPOCH": str(BUILD_TIME)})
        self.said = done.stderr
        assert done.returncode == 0, done.stderr
        self.digest = done.stdout.strip()

    def blob(self, descriptor):
        return self.layout / "blobs" / descriptor["digest"].replace(":", "/")

    def document(self, descriptor):
        return json.loads(self.blob(descriptor).read_bytes())

    @property
    def index(self):
        return json.loads((self.layout / "index.json").read_bytes())

    @property
    def manifest(self):
        return self.document(self.index["manifests"][0])

    @property
    def config(self):
        return self.document(self.manifest["config"])


def unpack(built, bundle):
    """The root file system, by umoci."""
    rootless = ["--rootless"] if os.geteuid() else []
    checked("umoci", "unpack", *rootless, "--image", f"{built.layout}:{TAG}", bundle)
    return pathlib.Path(bundle) / "rootfs"


def inside(rootfs, *arguments, binds=(), program="/" + PROGRAM):
    """The command line that runs the program in the image as a pod of the restricted kind would: its
    root file system read-only, user 65532, no capabilities. Network and /proc are this machine's: where
    these tests run in a container themselves, they may not mount another /proc. `binds`: (here,
    there), read-only too; as every runtime does, /etc/hosts is one."""
    # Piece by piece, so that there may be more in /etc and /tmp than in the image.
    pieces = [path for top in sorted(rootfs.iterdir()) if top.name not in ("proc", "dev")
              for path in (sorted(top.iterdir()) if top.name in ("etc", "tmp") else [top])]
    mounts = [(path, "/" + str(path.relative_to(rootfs))) for path in pieces]
    mounts += [("/etc/hosts", "/etc/hosts"), *binds]
    mounted = [part for here, there in mounts for part in ("--ro-bind", here, there)]
    return [str(part) for part in (
        "bwrap", "--unshare-user", "--uid", USER, "--gid", USER, "--cap-drop", "ALL",
        "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--clearenv", "--setenv", "PATH",
        "/usr/local/bin", *mounted, "--dir", "/tmp", "--ro-bind", "/proc", "/proc", "--dev", "/dev",
        "--remount-ro", "/", "--chdir", "/", program, *arguments)]


def status_of(pid):
    """Uid and Gid lines and capabilities of a process, as the kernel tells them here."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return dict(re.findall(r"^(\w+):\s+(.*)$", text, re.MULTILINE))


def program_below(pid):
    """The pid of the program that a bwrap started."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and status_of(entry.name)["Name"].startswith("flink-state") and \
                    pathlib.Path(f"/proc/{status_of(entry.name)['PPid']}/status").exists() and \
                    pid in ancestors(entry.name):
                return int(entry.name)
        except (OSError, KeyError):
            continue
    return None


def ancestors(pid):
    found = []
    while int(pid) > 1:
        pid = int(status_of(pid)["PPid"])
        found.append(pid)
    return found
