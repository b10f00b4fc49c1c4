"""deploy/image/build for real: what is in the image, and that it is enough to run.

The image is built out of Debian packages (downloaded once, then out of the cache), read by skopeo and
umoci, which had no part in making it, and run by bubblewrap.
"""

import hashlib
import json
import os
import pathlib
import re
import socket
import ssl
import stat
import subprocess
import tarfile
import threading

import pytest

import image_lab as lab
from fake_jobmanager import FakeJobManager
from harness import rest
from harness.processes import free_port, wait_until

GOLDEN = lab.ROOT / "tests" / "golden" / "plans" / "cascade.json"
# Measured: 14.2 MiB to download, 35.6 MiB unpacked. Room for updates of Debian's, not for a shell.
MOST_COMPRESSED = 17 << 20
MOST_UNPACKED = 42 << 20
MIB = 1 << 20


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    lab.need_tools()
    return lab.Built(tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="module")
def rootfs(built, tmp_path_factory):
    return lab.unpack(built, tmp_path_factory.mktemp("bundle") / "bundle")


@pytest.fixture(scope="module")
def bom(rootfs):
    return json.loads((rootfs / lab.SBOM).read_bytes())


def everything(rootfs):
    """{path: pathlib.Path} of all that is in it, folders too."""
    return {str(path.relative_to(rootfs)): path for path in sorted(rootfs.rglob("*"))}


def files(rootfs):
    return {name: path for name, path in everything(rootfs).items()
            if path.is_file() and not path.is_symlink()}


def digest(algorithm, data):
    return hashlib.new(algorithm, data).hexdigest()


# --- as others read it ---------------------------------------------------------------------------

def test_size(built, rootfs):
    compressed = sum(layer["size"] for layer in built.manifest["layers"])
    unpacked = sum(path.stat().st_size for path in files(rootfs).values())
    print(f"image: {compressed / MIB:.1f} MiB, unpacked {unpacked / MIB:.1f} MiB")
    assert compressed < MOST_COMPRESSED and unpacked < MOST_UNPACKED


def test_every_blob_is_what_its_name_says(built):
    for path in (built.layout / "blobs" / "sha256").iterdir():
        assert digest("sha256", path.read_bytes()) == path.name
    described = [*built.index["manifests"], built.manifest["config"], *built.manifest["layers"]]
    for descriptor in described:
        assert built.blob(descriptor).stat().st_size == descriptor["size"]
    assert len(described) == len(list((built.layout / "blobs" / "sha256").iterdir()))
    assert built.digest == built.index["manifests"][0]["digest"]


def test_configuration(built):
    config = built.config
    assert config["os"] == "linux" and config["architecture"]
    assert config["created"] == "2030-03-17T17:46:40Z"
    run = config["config"]
    assert run["User"] == "65532:65532"
    assert run["Entrypoint"] == ["/" + lab.PROGRAM] and run["Cmd"] == ["serve"]
    assert run["ExposedPorts"] == {"9249/tcp": {}}
    assert run["Healthcheck"]["Test"] == ["CMD", "/" + lab.PROGRAM, "health"]
    assert len(config["history"]) == len(config["rootfs"]["diff_ids"]) == len(built.manifest["layers"])


def test_labels_and_annotations(built):
    version = lab.checked(lab.BINARY, "--version").split()[1]
    labels = built.config["config"]["Labels"]
    assert labels == built.manifest["annotations"]
    assert labels.pop("flink-state-sidecar.sbom") == "/" + lab.SBOM
    named = {key.removeprefix("org.opencontainers.image."): value for key, value in labels.items()}
    assert named.pop("description")
    assert named == {"title": "flink-state-sidecar", "version": version, "licenses": "Apache-2.0",
                     "revision": lab.COMMIT, "source": lab.SOURCE, "base.name": "scratch"}


def test_skopeo_reads_folder_and_archive_alike(built):
    seen = [json.loads(lab.checked("skopeo", "inspect", "--config", source)) for source in (
        f"oci:{built.layout}:{lab.TAG}", f"oci-archive:{built.archive}:{lab.TAG}",
        f"docker-archive:{built.archive}:flink-state-sidecar:{lab.TAG}")]
    assert seen[0] == seen[1]
    assert seen[0]["rootfs"] == seen[2]["rootfs"]
    assert {**seen[2]["config"], "Healthcheck": None} == {**seen[0]["config"], "Healthcheck": None}
    assert seen[0]["rootfs"] == built.config["rootfs"]


def test_skopeo_copies_it_to_another_place(built, tmp_path):
    """As to a registry: the digest is the one that the build printed."""
    lab.checked("skopeo", "--insecure-policy", "copy", f"oci:{built.layout}:{lab.TAG}",
                f"oci:{tmp_path}/copy:{lab.TAG}")
    [copied] = json.loads((tmp_path / "copy" / "index.json").read_bytes())["manifests"]
    assert copied["digest"] == built.digest


def test_the_same_inputs_are_the_same_bytes_for_another_user(built, tmp_path):
    """The second build has no capability and is user 1000 in a namespace of its own, without a network:
    a build needs no root, and what was fetched is enough."""
    around = ["bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL",
              "--unshare-net", "--dev-bind", "/", "/"]
    again = lab.Built(tmp_path, "--no-update", around=around)
    assert again.digest == built.digest
    for name in ("flink-state-sidecar.tar", "sbom.spdx.json"):
        assert (again.output / name).read_bytes() == (built.output / name).read_bytes()


def test_layers_are_roots_alone_and_say_nothing_of_this_machine(built):
    told = [str(lab.ROOT).encode(), str(built.output).encode()]
    for layer in built.manifest["layers"]:
        with tarfile.open(built.blob(layer)) as archive:
            for member in archive:
                assert (member.uid, member.gid, member.uname, member.gname) == (0, 0, "", "")
                assert member.mtime <= lab.BUILD_TIME
                assert member.isdir() or member.isfile() or member.issym(), member.name
                if member.isfile() and member.name.startswith(("etc/", "var/", lab.PROGRAM)):
                    data = archive.extractfile(member).read()
                    assert not [text for text in told if text in data], member.name


# --- what is in it -------------------------------------------------------------------------------

def test_no_setuid_no_shell_no_tools(rootfs):
    for name, path in everything(rootfs).items():
        mode = path.lstat().st_mode
        assert not mode & (stat.S_ISUID | stat.S_ISGID), name
        if not path.is_symlink() and name != "tmp":
            assert not mode & 0o022, f"{name} may be written by others"
    assert (rootfs / "tmp").stat().st_mode & 0o7777 == 0o1777
    # Of executable files that are no libraries there is the program alone.
    executable = [name for name, path in files(rootfs).items()
                  if path.stat().st_mode & 0o111 and not re.search(r"\.so(\.|$)", name)]
    assert executable == [lab.PROGRAM]
    assert not [name for name, path in files(rootfs).items() if path.read_bytes()[:2] == b"#!"]
    assert not [name for name in everything(rootfs)
                if pathlib.PurePath(name).name in ("sh", "bash", "dash", "busybox", "apt", "dpkg-deb")]


def test_it_says_which_debian_it_is_and_has_the_licences(rootfs):
    """Scanners read these."""
    assert "VERSION_CODENAME=bookworm" in (rootfs / "etc/os-release").read_text()
    assert (rootfs / "usr/share/common-licenses/GPL-3").stat().st_size > 10_000
    for sums in (rootfs / "var/lib/dpkg/status.d").glob("*.md5sums"):
        # A folder, or a link to another package's in the same place.
        assert (rootfs / "usr/share/doc" / sums.stem / "copyright").is_file(), sums.stem
    assert "nonroot:x:65532:65532:" in (rootfs / "etc/passwd").read_text()


def test_certificate_authorities_are_mozillas(rootfs):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(rootfs / "etc/ssl/certs/ca-certificates.crt")
    assert context.cert_store_stats()["x509_ca"] > 100
    assert os.readlink(rootfs / "usr/lib/ssl/cert.pem") == "/etc/ssl/certs/ca-certificates.crt"


def loaded(rootfs, path):
    """The libraries that the image's own loader finds for a program or library of it."""
    [loader] = [f"/{name}" for name in everything(rootfs) if re.fullmatch(r"lib(64)?/ld-linux[^/]*", name)]
    shown = lab.checked(*lab.inside(rootfs, "--list", path, program=loader))
    assert "not found" not in shown
    return set(re.findall(r"=> (/\S+)", shown))


def test_the_loader_finds_all_libraries(rootfs):
    needed = loaded(rootfs, "/" + lab.PROGRAM)
    assert any("libcpprest" in path for path in needed)
    [curl] = [f"/{name}" for name in everything(rootfs) if name.endswith("/libcurl.so.4")]
    assert any("libssl" in path for path in loaded(rootfs, curl))
    assert curl not in needed


def test_every_file_belongs_to_a_package_or_was_made_by_the_build(rootfs, bom):
    owned = {}
    for sums in (rootfs / "var/lib/dpkg/status.d").glob("*.md5sums"):
        for line in sums.read_text().splitlines():
            md5, name = line.split("  ", 1)
            assert name not in owned
            owned[name] = sums.stem
            assert digest("md5", (rootfs / name).read_bytes()) == md5, name
    made = {file["fileName"].removeprefix("./"): file for file in bom["files"]}
    assert not owned.keys() & made.keys()
    assert set(files(rootfs)) == owned.keys() | made.keys() | {lab.SBOM}
    names = {package["name"] for package in bom["packages"]}
    assert set(owned.values()) <= names
    for name, file in made.items():
        data = (rootfs / name).read_bytes()
        sums = {sum_["algorithm"]: sum_["checksumValue"] for sum_ in file["checksums"]}
        assert sums == {"SHA1": digest("sha1", data), "SHA256": digest("sha256", data)}, name
    for name, path in everything(rootfs).items():
        if path.is_symlink():
            target = os.readlink(path)
            place = rootfs / target.lstrip("/") if target.startswith("/") else path.parent / target
            assert place.exists(), f"{name} leads nowhere"


# --- the SBOM ------------------------------------------------------------------------------------

def test_sbom_beside_the_image_is_the_one_in_it(built, rootfs):
    assert (built.output / "sbom.spdx.json").read_bytes() == (rootfs / lab.SBOM).read_bytes()


def test_sbom_holds_what_spdx_2_3_asks_for(bom):
    assert bom["spdxVersion"] == "SPDX-2.3" and bom["dataLicense"] == "CC0-1.0"
    assert bom["SPDXID"] == "SPDXRef-DOCUMENT" and bom["name"]
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bom["documentNamespace"])
    assert bom["creationInfo"]["created"] == "2030-03-17T17:46:40Z"
    assert all(re.match(r"(Tool|Person|Organization): \S", c) for c in bom["creationInfo"]["creators"])
    elements = [bom, *bom["packages"], *bom["files"]]
    ids = [element["SPDXID"] for element in elements]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", i) for i in ids)
    for related in bom["relationships"]:
        assert {related["spdxElementId"], related["relatedSpdxElement"]} <= set(ids)
        assert related["relationshipType"] in ("DESCRIBES", "CONTAINS", "DEPENDS_ON")
    assert [r["relatedSpdxElement"] for r in bom["relationships"]
            if r["relationshipType"] == "DESCRIBES"] == ["SPDXRef-Image"]
    by_id = {package["SPDXID"]: package for package in bom["packages"]}
    for package in by_id.values():
        assert package["name"] and package["downloadLocation"]
        contained = [r["relatedSpdxElement"] for r in bom["relationships"]
                     if r["relationshipType"] == "CONTAINS" and r["spdxElementId"] == package["SPDXID"]
                     and r["relatedSpdxElement"] not in by_id]
        # Files are told for a package exactly where all of them are.
        assert bool(contained) == package["filesAnalyzed"]
        if contained:
            sums = sorted(sum_["checksumValue"] for file in bom["files"] for sum_ in file["checksums"]
                          if file["SPDXID"] in contained and sum_["algorithm"] == "SHA1")
            code = package["packageVerificationCode"]["packageVerificationCodeValue"]
            assert code == digest("sha1", "".join(sums).encode())


def test_sbom_lists_the_packages_with_version_source_and_licence(rootfs, bom):
    listed = {p["name"]: p for p in bom["packages"] if "sourceInfo" in p}
    status = {path.name: path.read_text() for path in (rootfs / "var/lib/dpkg/status.d").iterdir()
              if path.suffix != ".md5sums"}
    assert listed.keys() == status.keys() and len(listed) > 30
    declared = set()
    for name, package in listed.items():
        version = re.search(r"^Version: (.+)$", status[name], re.MULTILINE)[1]
        assert package["versionInfo"] == version
        [checksum] = package["checksums"]
        assert re.fullmatch(r"[0-9a-f]{64}", checksum["checksumValue"])
        [reference] = package["externalRefs"]
        assert re.fullmatch(r"pkg:deb/debian/[a-z0-9.+%-]+@[\w.~%+-]+\?arch=\w+&distro=debian-12"
                            r"(&upstream=[\w.~%+-]+)?",
                            reference["referenceLocator"], re.ASCII | re.IGNORECASE)
        source = re.search(r"^Source: (\S+)", status[name], re.MULTILINE)
        assert (source[1] if source else name) in package["sourceInfo"].split()
        declared |= set(re.split(r"[ ()]+", package["licenseDeclared"])) - {"", "AND", "OR"}
    assert listed["libcurl4"]["licenseDeclared"].startswith("curl AND ")
    assert listed["zlib1g"]["licenseDeclared"] == "Zlib"
    assert listed["libc6"]["licenseDeclared"] == "NOASSERTION"  # not written for machines
    told = {info["licenseId"] for info in bom["hasExtractedLicensingInfos"]}
    assert {name for name in declared if name.startswith("LicenseRef-")} == told


def test_sbom_lists_the_program_and_what_it_needs(built, rootfs, bom):
    [program] = [p for p in bom["packages"] if p["SPDXID"] == "SPDXRef-Program"]
    labels = built.config["config"]["Labels"]
    assert program["versionInfo"] == labels["org.opencontainers.image.version"]
    assert program["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest(
        "sha256", (rootfs / lab.PROGRAM).read_bytes())}]
    names = {p["SPDXID"]: p["name"] for p in bom["packages"]}
    needed = {names[r["relatedSpdxElement"]] for r in bom["relationships"]
              if r["relationshipType"] == "DEPENDS_ON" and r["spdxElementId"] == "SPDXRef-Program"}
    text = (lab.ROOT / "deploy/image/packages").read_text()
    assert needed == set(re.sub(r"#.*", "", text).split())


# --- the program in it ---------------------------------------------------------------------------

def test_it_answers_as_outside(rootfs):
    for arguments in (["--version"], ["--help"], ["health", "--help"]):
        assert lab.checked(*lab.inside(rootfs, *arguments)) == lab.checked(lab.BINARY, *arguments)


def test_it_judges_a_plan(rootfs):
    outside = lab.run(lab.BINARY, "lint", "--format=json", GOLDEN)
    done = lab.run(*lab.inside(rootfs, "lint", "--format=json", "/tmp/plan.json",
                               binds=[(GOLDEN, "/tmp/plan.json")]))
    assert (done.returncode, done.stderr) == (outside.returncode, "") == (1, "")
    assert done.stdout == outside.stdout.replace(str(GOLDEN), "/tmp/plan.json")


def test_nothing_can_be_written(rootfs):
    done = lab.run(*lab.inside(rootfs, "serve", "--listen=127.0.0.1:0", "--record_dir=/recorded"))
    assert done.returncode == 2 and "Read-only file system" in done.stderr


def test_it_serves_and_checks_its_own_health(rootfs, tmp_path):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    health = lab.inside(rootfs, "health", f"--url={url}/readyz", "--request_timeout=2s")
    refused = lab.run(*health)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert re.fullmatch(rf"flink-state-sidecar: {url}/readyz: .*connect.*\n", refused.stderr)
    with FakeJobManager(jobs=2) as jobmanager, open(tmp_path / "log", "wb") as log:
        serving = subprocess.Popen(
            lab.inside(rootfs, "serve", f"--listen=127.0.0.1:{port}", "--poll_interval=500ms",
                       f"--jobmanager_url={jobmanager.url}"), stdout=log, stderr=log)
        try:
            wait_until("health in the image", lambda: lab.run(*health).returncode == 0, 20)
            assert rest.get(url + "/readyz")
            assert 'flink_state_up{cluster="default"} 1' in rest.get(url + "/metrics")
            assert len(rest.get_json(url + "/api/v1/jobs")["jobs"]) == 2
            done = lab.run(*health)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            # Another path than those two is answered 404: no health.
            other = lab.run(*lab.inside(rootfs, "health", f"--url={url}/nothing"))
            assert other.returncode == 1
            assert other.stderr == f"flink-state-sidecar: {url}/nothing: answers 404\n"
            pid = lab.program_below(serving.pid)
            assert pid and lab.status_of(pid)["CapEff"] == "0" * 16
            os.kill(pid, 15)
            assert serving.wait(timeout=20) == 0
        finally:
            serving.kill()
            serving.wait()


def https_server(certificate, key):
    """Answers 200 to whoever trusts the certificate; its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(connection, server_side=True) as secured:
                    secured.recv(4096)
                    secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            except OSError:
                continue
    threading.Thread(target=serve, daemon=True).start()
    return listener


def test_https_goes_by_the_images_own_authorities(rootfs, localhost_certificate):
    certificate, key = localhost_certificate
    with https_server(certificate, key) as listener:
        url = f"https://localhost:{listener.getsockname()[1]}"
        trusting = [(certificate, "/etc/ssl/certs/ca-certificates.crt")]
        health = ["health", f"--url={url}"]  # over libcurl
        refused = lab.run(*lab.inside(rootfs, *health))
        assert refused.returncode == 1 and "certificate" in refused.stderr
        assert lab.checked(*lab.inside(rootfs, *health, binds=trusting)) == ""
        scan = ["scan", f"--jobmanager_url={url}", "--log_level=error"]  # over cpprestsdk
        refused = lab.run(*lab.inside(rootfs, *scan))
        assert refused.returncode == 2 and "the TLS handshake failed" in refused.stderr
        answered = lab.run(*lab.inside(rootfs, *scan, binds=trusting))
        assert answered.returncode == 2 and "not a Flink answer" in answered.stderr


def test_what_is_no_sidecar_is_refused(tmp_path):
    done = lab.run(lab.ROOT / "deploy/image/build", "--binary=/bin/true", f"--output={tmp_path}")
    assert done.returncode == 1 and done.stdout == ""
    assert "/bin/true: not a flink-state-sidecar that runs here" in done.stderr
