"""Debian packages: which ones, fetched and verified by apt, and what is in them.

apt runs as on this machine (mirrors, proxies and keys of /etc/apt), but with lists, archives and an
empty list of installed packages in a folder of its own. Nothing on the machine changes; no root.
"""

import hashlib
import io
import os
import pathlib
import re
import subprocess
import tarfile

CODENAME = "bookworm"

# What a dependency asks for that only matters while packages are installed, or for what is never
# used. What only these need stays out, too.
LEFT_OUT = {
    "debconf",  # asks questions at the installation
    "mawk",  # for base-files' scripts
    "openssl",  # for ca-certificates' scripts
    "libsasl2-modules-db",  # passwords of LDAP servers, in a Berkeley DB
}


class ImageError(Exception):
    """What failed, in words for a person."""


class Package:
    """A .deb: its control fields, and its members as (TarInfo, bytes or None)."""

    def __init__(self, path, sha256):
        self.sha256 = sha256
        with tarfile.open(fileobj=_dpkg_deb("--ctrl-tarfile", path)) as control:
            self.control = control.extractfile("./control").read().decode("utf-8")
        self.fields = stanza(self.control)
        self.name = self.fields["Package"]
        self.version = self.fields["Version"]
        self.architecture = self.fields["Architecture"]
        # "Source: gcc-12 (12.2.0-14)"; without the field, or the version in it, the package's own.
        source = re.fullmatch(r"(\S+)(?: \((.+)\))?", self.fields.get("Source", self.name))
        self.source, self.source_version = source[1], source[2] or self.version
        with tarfile.open(fileobj=_dpkg_deb("--fsys-tarfile", path)) as data:
            self.members = [(member, data.extractfile(member).read()
                             if member.isfile() or member.islnk() else None) for member in data]


def _dpkg_deb(what, path):
    done = subprocess.run(["dpkg-deb", what, path], capture_output=True, check=False)
    if done.returncode:
        raise ImageError(f"{path}: {done.stderr.decode(errors='replace').strip()}")
    return io.BytesIO(done.stdout)


def stanza(text):
    """The fields of one paragraph of a control file; continued lines joined."""
    fields = {}
    for line in re.sub(r"\n[ \t]", " ", text).splitlines():
        name, colon, value = line.partition(":")
        if colon:
            fields[name] = value.strip()
    return fields


class Apt:
    """apt with a folder of its own."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder).resolve()
        self._archives = self._folder / "archives"
        for part in ("lists/partial", "archives/partial", "empty"):
            (self._folder / part).mkdir(parents=True, exist_ok=True)
        (self._folder / "status").write_text("")
        # Packages of Debian 12 alone, whatever else the machine may install.
        pins = [f"Package: *\nPin: release o=Debian,n={CODENAME}{suite}\nPin-Priority: 900\n"
                for suite in ("", "-updates", "-security")]
        pins.append("Package: *\nPin: release *\nPin-Priority: -1\n")
        (self._folder / "preferences").write_text("\n".join(pins))
        (self._folder / "apt.conf").write_text(self._configuration())

    def _configuration(self):
        try:
            dumped = subprocess.run(["apt-config", "dump"], capture_output=True, text=True,
                                    check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise ImageError(f"needs Debian's apt: {error}") from error
        # Not the hooks of the machine, and no indexes but those of packages.
        left_out = re.compile(r"APT::Update::|DPkg::|Acquire::IndexTargets::deb::DEP-11")
        lines = [line for line in dumped.splitlines() if not left_out.match(line)]
        own = {"Dir::State::Lists": self._folder / "lists",
               "Dir::State::status": self._folder / "status",
               "Dir::State::extended_states": self._folder / "extended_states",
               "Dir::Cache": self._folder, "Dir::Cache::archives": self._archives,
               "Dir::Etc::preferences": self._folder / "preferences",
               "Dir::Etc::preferencesparts": self._folder / "empty",
               "Dir::Etc::parts": self._folder / "empty", "Dir::Etc::main": "/dev/null",
               "APT::Sandbox::User": "", "APT::Install-Recommends": "false",
               "Acquire::Languages": "none", "Acquire::Retries": "3"}
        return "\n".join(lines + [f'{key} "{value}";' for key, value in own.items()]) + "\n"

    def _run(self, *command, cwd=None):
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False,
                              stdin=subprocess.DEVNULL,
                              env={**os.environ, "APT_CONFIG": str(self._folder / "apt.conf"),
                                   "LC_ALL": "C.UTF-8"})
        if done.returncode:
            tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
            raise ImageError(f"{' '.join(map(str, command[:3]))} … failed:\n{tail}")
        return done.stdout

    def update(self):
        """Fetches the lists of packages. Raises ImageError when one of the machine's sources, Debian's
        or another, does not answer."""
        self._run("apt-get", "-q", "update")

    def closure(self, names):
        """What Debian's lists say of `names` and of all that they need at run time, in the order of names."""
        simulated = self._run("apt-get", "-s", "-q", "install", *names)
        versions = dict(re.findall(r"^Inst (\S+) \((\S+) ", simulated, re.MULTILINE))
        shown = self._run("apt-cache", "show", *(f"{n}={v}" for n, v in versions.items()))
        known = {fields["Package"]: fields for fields in map(stanza, shown.split("\n\n")) if fields}
        provided = {}
        for name, fields in known.items():
            for other in _names(fields.get("Provides", "")):
                provided.setdefault(other, set()).add(name)
        wanted, left = set(), set(names)
        while left:
            name = left.pop()
            wanted.add(name)
            fields = known[name]
            asked = _names(f"{fields.get('Pre-Depends', '')}, {fields.get('Depends', '')}")
            found = {n for a in asked for n in ({a} & known.keys()) | provided.get(a, set())}
            left |= found - wanted - LEFT_OUT
        return [known[name] for name in sorted(wanted)]

    def fetch(self, listed):
        """The packages of which Debian's lists say that."""
        missing = [f"{fields['Package']}={fields['Version']}" for fields in listed
                   if not self._path(fields)]
        if missing:
            self._run("apt-get", "-q", "download", *missing, cwd=self._archives)
        packages = []
        for fields in listed:
            if not self._path(fields):
                raise ImageError(f"{fields['Package']}: not the file that Debian's lists name")
            packages.append(Package(self._path(fields), fields["SHA256"]))
        return packages

    def _path(self, fields):
        """Of the file, once it is there and the right one."""
        version = fields["Version"].replace(":", "%3a")
        path = self._archives / f"{fields['Package']}_{version}_{fields['Architecture']}.deb"
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == fields["SHA256"]:
            return path
        return None


def _names(relations):
    """The names in "libc6 (>= 2.36), debconf | debconf-2.0, python3:any"."""
    parts = (re.match(r"[a-z0-9][a-z0-9+.-]+", part.strip()) for part in re.split(r"[,|]", relations))
    return {part[0] for part in parts if part}
