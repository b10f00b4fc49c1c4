"""The command deploy/image/build."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from . import oci, sbom, tree
from .debian import Apt, ImageError

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGES = ROOT / "deploy" / "image" / "packages"
NAME = "flink-state-sidecar"
# What every Debian image has: which Debian it is, and the licences' texts.
BASE = "base-files"
SECOND = 1_000_000_000  # Docker counts in nanoseconds


def say(text):
    print(f"image: {text}", file=sys.stderr, flush=True)


def listed_packages():
    lines = (line.partition("#")[0].strip() for line in PACKAGES.read_text().splitlines())
    return [line for line in lines if line]


def _git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def revision():
    """The commit that is checked out, with a word when it is not what lies here; "" without git."""
    commit = _git("rev-parse", "HEAD")
    if not commit:
        say("git knows no commit here: an image without a revision")
    return commit + ("-dirty" if commit and _git("status", "--porcelain") else "")


def build_time():
    """SOURCE_DATE_EPOCH, else the time of the commit, else the beginning of time."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not given.isdigit():
        raise ImageError(f"SOURCE_DATE_EPOCH: '{given}' is no number of seconds")
    return int(given or _git("log", "-1", "--format=%ct") or 0)


def build_program(folder):
    """The program, as tests/run builds it, without tests. Returns its path."""
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    for command in (["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja",
                     "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DFSS_BUILD_TESTS=OFF", *launcher],
                    ["cmake", "--build", folder, "--target", NAME]):
        say(" ".join(map(str, command)))
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
            raise ImageError("the program could not be built")
    return folder / NAME


def version_of(program):
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ImageError(f"{program}: {error.strerror}") from error
    found = re.fullmatch(rf"{NAME} (\d[\w.+-]*)\n", done.stdout)
    if not found:
        raise ImageError(f"{program}: not a {NAME} that runs here")
    return found[1]


def stripped(program, folder):
    out = folder / "stripped"
    if subprocess.run(["strip", "-o", out, program], check=False).returncode:
        raise ImageError(f"{program}: could not be stripped")
    data = out.read_bytes()
    out.unlink()
    return data


def labels(version, commit, source):
    facts = {"title": NAME, "version": version, "licenses": "Apache-2.0", "revision": commit,
             "description": "State, TTL and growth of every operator of Flink SQL jobs",
             "source": source, "base.name": "scratch"}
    named = {f"org.opencontainers.image.{key}": value for key, value in facts.items() if value}
    return {**named, f"{NAME}.sbom": f"/{tree.DOCS}/sbom.spdx.json"}


def execution(described):
    program = "/" + tree.PROGRAM
    return {"User": f"{tree.USER}:{tree.GROUP}", "Entrypoint": [program], "Cmd": ["serve"],
            "Env": ["PATH=/usr/local/bin"], "WorkingDir": "/", "ExposedPorts": {"9249/tcp": {}},
            "StopSignal": "SIGTERM", "Labels": described,
            # Docker's, which OCI does not know and passes on. Kubernetes has its own probes.
            "Healthcheck": {"Test": ["CMD", program, "health"], "Interval": 30 * SECOND,
                            "Timeout": 10 * SECOND, "StartPeriod": 30 * SECOND, "Retries": 3}}


def arguments(given):
    cache = os.environ.get("FSS_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), NAME)
    parser = argparse.ArgumentParser(
        prog="deploy/image/build", description="Builds the image out of Debian 12 packages, for this "
        "machine's architecture: without a daemon, without root. Prints the image's digest.")
    parser.add_argument("--binary", type=pathlib.Path,
                        help="a program that is built already; else it is built, below --output")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "image",
                        help="where the layout (oci/), the archive and the SBOM go (%(default)s)")
    parser.add_argument("--name", default=NAME, help="the image's name in the archive (%(default)s)")
    parser.add_argument("--tag", help="its tag; else the program's version")
    parser.add_argument("--revision", help="the commit, for the label; else what git says")
    parser.add_argument("--source", default="", help="URL of the source, for the label; else none")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(cache) / "image",
                        help="folder for Debian's lists and packages (%(default)s)")
    parser.add_argument("--no-update", action="store_true",
                        help="use the lists of packages of the last time")
    return parser.parse_args(given)


def assemble(options):
    seconds = build_time()
    options.output.mkdir(parents=True, exist_ok=True)
    program = options.binary or build_program(options.output / "cmake")
    version = version_of(program.resolve())
    asked = listed_packages()

    apt = Apt(options.cache)
    if not options.no_update:
        say("fetching Debian's lists of packages")
        apt.update()
    packages = apt.fetch(apt.closure([*asked, BASE]))
    say(f"{len(packages)} packages")

    debian, owners = tree.from_debian(packages)
    own = tree.of_program(stripped(program, options.output), (ROOT / "LICENSE").read_bytes(), seconds)
    bom = sbom.document(version, packages, asked, debian | own, owners, seconds)
    own[f"{tree.DOCS}/sbom.spdx.json"] = tree.Entry(bom, mtime=seconds)

    described = labels(version, revision() if options.revision is None else options.revision,
                       options.source)
    newest = max(entry.mtime for entry in debian.values())
    image = oci.Image(
        [(tree.with_folders(debian, newest), f"{len(packages)} Debian packages"),
         (tree.with_folders(own, newest), f"{NAME} {version}")],
        execution(described), oci.machine(native()), seconds, described)
    return image, bom, options.tag or version, sum(
        len(e.data) for e in (debian | own).values() if e.data is not None)


def native():
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True,
                          check=True).stdout.strip()


def main(given=None):
    options = arguments(given)
    begin = time.monotonic()
    try:
        image, bom, tag, unpacked = assemble(options)
    except ImageError as error:
        say(str(error))
        return 1
    layout = options.output / "oci"
    shutil.rmtree(layout, ignore_errors=True)
    files = image.files(options.name, tag)
    oci.write_folder(files, layout)
    archive = options.output / f"{NAME}.tar"
    oci.write_archive(files, archive, build_time())
    (options.output / "sbom.spdx.json").write_bytes(bom)
    say(f"{image.compressed_bytes / 2**20:.1f} MiB, unpacked {unpacked / 2**20:.1f} MiB, "
        f"in {time.monotonic() - begin:.0f} s")
    say(f"layout {layout}, archive {archive}, SBOM {options.output / 'sbom.spdx.json'}")
    print(image.digest)
    return 0
