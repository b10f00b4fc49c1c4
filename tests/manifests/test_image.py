"""deploy/image: its run-time packages are those that the program is linked with, and the Dockerfile
installs them. What deploy/image/build makes of them: tests/integration/test_image_build.py.
"""

import json
import re
import shutil
import subprocess
import sys

import pytest

from kustomize import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "deploy" / "lib"))

from image import main  # noqa: E402

DOCKERFILE = REPOSITORY / "deploy" / "image" / "Dockerfile"
LIST = DOCKERFILE.parent / "packages"

# Every other library depends on them.
NOT_LISTED = {"libc6", "libgcc-s1", "libstdc++6", "zlib1g"}
# Read at run time, linked with nothing: the certificate authorities for https, and the library that
# is loaded when it is needed.
NOT_LINKED = {"ca-certificates", "libcurl4"}


def stages():
    """The Dockerfile's stages, comments left out and continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", DOCKERFILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = re.sub(r"\\\n", " ", text)
    return ["FROM " + stage for stage in re.split(r"^FROM ", text, flags=re.MULTILINE)[1:]]


def runtime_packages():
    """deploy/image/packages, as the Dockerfile's sed and xargs read it."""
    return re.sub(r"#.*", "", LIST.read_text(encoding="utf-8")).split()


def packages(stage):
    [install] = re.findall(r"apt-get install -y --no-install-recommends (.*?) &&", stage)
    return install.split()


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def owner(library):
    """The Debian package of a file; usr-merged machines know it by either path."""
    for path in (library, library.removeprefix("/usr"), "/usr" + library):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, timeout=60)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise AssertionError(f"{library} belongs to no package")


def depends_of(package):
    text = run("dpkg-query", "-W", "-f", "${Pre-Depends}, ${Depends}", package)
    names = (re.split(r"[ :(|]", part.strip())[0] for part in text.split(","))
    return {name for name in names if name}


def closure(names):
    """`names` and the libraries' packages that they depend on."""
    seen, left = set(), set(names)
    while left:
        name = left.pop()
        seen.add(name)
        left |= {d for d in depends_of(name) if d.startswith("lib") or d == "zlib1g"} - seen
    return seen


@pytest.fixture(scope="module")
def linked(binary):
    """The packages of all libraries that the loader maps for the program."""
    if shutil.which("dpkg") is None:
        pytest.fail("needs Debian: dpkg tells which package a library is from")
    shown = run("ldd", str(binary))
    assert "not found" not in shown
    return {owner(path) for path in re.findall(r"(/\S+\.so\S*) \(0x", shown)
            if "asan" not in path and "tsan" not in path}


def test_runtime_packages_suffice(linked):
    provided = closure(set(runtime_packages()) - NOT_LINKED)
    assert linked <= provided, f"missing in the image: {sorted(linked - provided)}"


def test_what_is_loaded_at_run_time_is_there_too(linked):
    """`ldd` does not show it: the names that the code gives to dlopen."""
    source = (REPOSITORY / "sidecar" / "base" / "curl.cc").read_text(encoding="utf-8")
    names = set(re.findall(r'"(lib[\w.+-]+\.so\.\d+)"', source))
    assert names == {"libcurl.so.4"}
    cached = dict(re.findall(r"^\s*(\S+) \(.*\) => (\S+)$", run("/sbin/ldconfig", "-p"), re.MULTILINE))
    loaded = {owner(cached[name]) for name in names}
    assert loaded | {"ca-certificates"} == NOT_LINKED <= set(runtime_packages())
    assert not loaded & linked, "linked all the same"
    setup = (REPOSITORY / "deploy" / "setup").read_text(encoding="utf-8")
    assert all(re.search(rf"^  {name}$", setup, re.MULTILINE) for name in loaded)


def test_no_runtime_package_is_superfluous(linked):
    listed = set(runtime_packages()) - NOT_LINKED
    assert listed <= linked, f"not linked: {sorted(listed - linked)}"
    assert not listed & NOT_LISTED
    assert len(runtime_packages()) == len(set(runtime_packages()))
    for name in listed:
        implied = closure(listed - {name})
        assert name not in implied, f"{name} comes with another one already"


def test_both_ways_to_an_image_install_the_list():
    last = stages()[-1]
    [mount] = re.findall(r"--mount=type=bind,source=(\S+),target=(\S+)", last)
    assert REPOSITORY / mount[0] == LIST
    assert f"sed 's/#.*//' {mount[1]} | xargs apt-get install -y --no-install-recommends" in last
    assert main.listed_packages() == runtime_packages()


def test_both_ways_agree_on_what_is_run():
    """Labels, user, port and health check of the Dockerfile are those of deploy/image/build."""
    last = stages()[-1]
    labels = dict(re.findall(r'(org\.opencontainers\.image\.\w+)="([^"]*)"', last))
    version = labels["org.opencontainers.image.version"]
    built = main.labels(version, "", "")
    assert labels.items() <= built.items() and len(labels) == 4
    config = main.execution(built)
    assert f"USER {config['User']}\n" in last
    assert [f"{port}/tcp" for port in re.findall(r"^EXPOSE (\d+)$", last, re.MULTILINE)] == \
        list(config["ExposedPorts"])
    check = config["Healthcheck"]
    flags = {"interval": "Interval", "timeout": "Timeout", "start-period": "StartPeriod"}
    for flag, key in flags.items():
        assert f"--{flag}={check[key] // main.SECOND}s " in last
    [health] = re.findall(r"^HEALTHCHECK .*--retries=(\d+) +CMD (\[.*\])$", last, re.MULTILINE)
    assert [int(health[0]), ["CMD", *json.loads(health[1])]] == [check["Retries"], check["Test"]]


def test_runtime_stage_runs_as_a_numbered_user_without_shell_forms():
    last = stages()[-1]
    assert last.startswith("FROM debian:12-slim")
    [user] = re.findall(r"^USER (\d+):(\d+)$", last, re.MULTILINE)
    assert int(user[0]) > 0 and int(user[1]) > 0
    # JSON forms: started without a shell, so that SIGTERM reaches the program.
    assert re.search(r'^ENTRYPOINT \["/usr/local/bin/flink-state-sidecar"\]$', last, re.MULTILINE)
    assert re.search(r'^CMD \["serve"\]$', last, re.MULTILINE)
    assert last.rindex("USER") > last.rindex("RUN"), "packages are installed as root"


def test_development_packages_stay_in_the_builder():
    builder, last = stages()
    assert [p for p in packages(builder) if p.endswith("-dev")]
    assert "-dev" not in last and not [p for p in runtime_packages() if p.endswith("-dev")]


def test_what_is_copied_exists_and_is_not_ignored():
    ignore = (DOCKERFILE.parent / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    allowed = re.findall(r"^!(.+)$", ignore, re.MULTILINE)
    assert re.search(r"^\*$", ignore, re.MULTILINE), "everything else is ignored"
    sources = []
    for stage in stages():
        for line in re.findall(r"^COPY (?!--from)(.+)$", stage, re.MULTILINE):
            sources += line.split()[:-1]
        sources += re.findall(r"--mount=type=bind,source=([^,\s]+)", stage)
    assert sorted(sources) == sorted(allowed)
    for source in sources:
        assert (REPOSITORY / source).exists(), source


def test_builder_has_what_deploy_setup_installs_for_the_build():
    """A library that the build gains must not be forgotten here: both lists are compared."""
    setup = (REPOSITORY / "deploy" / "setup").read_text(encoding="utf-8")
    installed = set(re.findall(r"\blib[\w.+-]+-dev\b|\b\w[\w-]*-dev\b", setup))
    builder = {p for p in packages(stages()[0]) if p.endswith("-dev")}
    assert builder <= installed, f"not in deploy/setup: {sorted(builder - installed)}"
    cmake = (REPOSITORY / "CMakeLists.txt").read_text(encoding="utf-8")
    wanted = set(re.findall(r"find_package\((\w[\w-]*)", cmake))
    known = {"Threads", "PkgConfig", "ZLIB", "OpenSSL", "cpprestsdk", "prometheus-cpp", "civetweb",
             "gflags", "spdlog", "GTest", "SQLite3", "yaml-cpp", "CURL"}
    assert wanted <= known, f"add the Debian packages of {sorted(wanted - known)} to the image"


def test_image_is_built_as_the_tests_build():
    presets = (REPOSITORY / "CMakePresets.json").read_text(encoding="utf-8")
    release = re.search(r'"name": "release".*?"CMAKE_BUILD_TYPE": "(\w+)"', presets, re.DOTALL)[1]
    assert f"-DCMAKE_BUILD_TYPE={release} " in stages()[0]
