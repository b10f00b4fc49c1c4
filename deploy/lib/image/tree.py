"""The files of the image: what is kept of each package, and what is made here."""

import hashlib
import posixpath
import re

from .debian import ImageError

USER = GROUP = 65532
PROGRAM = "usr/local/bin/flink-state-sidecar"
DOCS = "usr/share/doc/flink-state-sidecar"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"

# What a program that runs may read: libraries, the loader, what says which Debian this is, and the
# licences. No shell, no tools, no documentation, no character sets (gconv), no Debian scripts.
KEPT = re.compile(r"""
    (usr/)?lib/[^/]+-linux-gnu[^/]*/[^/]+\.so[^/]*
  | lib(64)?/ld-linux[^/]*
  | usr/lib/[^/]+-linux-gnu[^/]*/ossl-modules/[^/]+\.so
  | usr/share/doc/[^/]+(/copyright)?
  | usr/share/common-licenses/[^/]+
  | etc/(debian_version|os-release)
  | usr/lib/os-release
""", re.VERBOSE)


class Entry:
    """A file (data), a link (target) or a folder (neither). All belong to root."""

    def __init__(self, data=None, target=None, mode=0o644, mtime=0):
        self.data, self.target, self.mode, self.mtime = data, target, mode, mtime

    @property
    def is_folder(self):
        return self.data is None and self.target is None


def clean(path):
    return posixpath.normpath(path).lstrip("/")


def of_package(package):
    """{path: Entry} of what is kept of it."""
    kept = {}
    for member, data in package.members:
        path = clean(member.name)
        if member.isdir() or not KEPT.fullmatch(path):
            continue
        if data is None and not member.issym():
            raise ImageError(f"{package.name}: {path} is neither a file nor a link")
        if member.mode & 0o6000:
            raise ImageError(f"{package.name}: {path} is setuid or setgid")
        target = member.linkname if member.issym() else None
        kept[path] = Entry(data, target, 0o777 if target else member.mode & 0o755,
                           int(member.mtime))
    return kept


def from_debian(packages):
    """{path: Entry} of the packages and of what Debian's scripts would have made of them, and
    {path: package's name} of those that come out of packages as they are."""
    entries, owners = {}, {}
    for package in packages:
        kept = of_package(package)
        if twice := kept.keys() & entries.keys():
            raise ImageError(f"{package.name}: {min(twice)} is another's, too")
        entries |= kept
        owners |= dict.fromkeys(kept, package.name)
        for name, text in {package.name: package.control,
                           package.name + ".md5sums": _md5sums(kept)}.items():
            # Where scanners look for packages in an image that has no dpkg.
            entries[f"var/lib/dpkg/status.d/{name}"] = Entry(text.encode())
    # As old as the newest package: the same packages are the same layer, whatever the program's age.
    newest = max(entry.mtime for entry in entries.values())
    for entry in entries.values():
        entry.mtime = entry.mtime or newest
    entries |= {path: Entry(mtime=newest, mode=mode) for path, mode in
                {"dev": 0o755, "proc": 0o755, "sys": 0o755, "tmp": 0o1777}.items()}
    made = {
        CERTIFICATES: Entry(_bundle(packages)),
        # Where OpenSSL looks by itself, for those that do not ask for the file above.
        "usr/lib/ssl/cert.pem": Entry(target="/" + CERTIFICATES, mode=0o777),
        "etc/passwd": Entry(f"root:x:0:0:root:/:/sbin/nologin\nnonroot:x:{USER}:{GROUP}:nonroot:/:"
                            "/sbin/nologin\n".encode()),
        "etc/group": Entry(f"root:x:0:\nnonroot:x:{GROUP}:\n".encode()),
        "etc/nsswitch.conf": Entry(b"passwd: files\ngroup: files\nhosts: files dns\n"),
    }
    for path, entry in made.items():
        entry.mtime = newest
        entries[path] = entry
    return entries, owners


def _md5sums(kept):
    return "".join(f"{hashlib.md5(entry.data, usedforsecurity=False).hexdigest()}  {path}\n"
                   for path, entry in sorted(kept.items()) if entry.data is not None)


def _bundle(packages):
    """What update-ca-certificates makes: all authorities, in one file."""
    [package] = [p for p in packages if p.name == "ca-certificates"]
    files = {path: data for path, data in ((clean(m.name), data) for m, data in package.members)
             if re.fullmatch(r"usr/share/ca-certificates/.+\.crt", path) and data}
    if not files:
        raise ImageError("ca-certificates: no certificate in it")
    return b"".join(files[path].rstrip(b"\n") + b"\n" for path in sorted(files))


def of_program(binary, licence, mtime):
    """{path: Entry} of the program's own layer, without the list of what is in the image."""
    return {PROGRAM: Entry(binary, mode=0o755, mtime=mtime),
            f"{DOCS}/LICENSE": Entry(licence, mtime=mtime)}


def with_folders(entries, mtime):
    """The same with the folders that these are in; a folder that is given keeps its mode."""
    folders = {}
    for path in entries:
        while path := posixpath.dirname(path):
            folders[path] = Entry(mode=0o755, mtime=mtime)
    return folders | entries
