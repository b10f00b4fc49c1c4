"""An image in the layout of the Open Container Initiative, as a folder and as a tar file."""

import hashlib
import io
import json
import pathlib
import tarfile
import zlib

from .sbom import timestamp

_TYPE = "application/vnd.oci.image."
# Debian's name → Go's, which images use, and a variant.
_MACHINES = {"amd64": ("amd64", None), "arm64": ("arm64", "v8"), "armhf": ("arm", "v7"),
             "i386": ("386", None), "ppc64el": ("ppc64le", None), "s390x": ("s390x", None)}


def _sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def tar(entries):
    """A layer: sorted by path, all owned by root, so that the same entries are the same bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, entry in sorted(entries.items()):
            info = tarfile.TarInfo(path)
            info.mode, info.mtime = entry.mode, entry.mtime
            if entry.is_folder:
                info.type = tarfile.DIRTYPE
            elif entry.target is not None:
                info.type, info.linkname = tarfile.SYMTYPE, entry.target
            else:
                info.size = len(entry.data)
            archive.addfile(info, io.BytesIO(entry.data) if entry.data is not None else None)
    return out.getvalue()


def gzip(data):
    """Without a name and a time in it."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    return compressor.compress(data) + compressor.flush()


def machine(debian):
    """The fields "architecture" and "variant" of an image."""
    architecture, variant = _MACHINES.get(debian, (debian, None))
    return {"architecture": architecture, **({"variant": variant} if variant else {})}


class Image:
    """Blobs by digest, and the manifest that ties them together."""

    def __init__(self, layers, execution, platform, seconds, annotations):
        """`layers`: (entries, what it is) each; `execution`: the field "config" of an image."""
        self.blobs = {}
        tars = [tar(entries) for entries, _ in layers]
        created = timestamp(seconds)
        config = {"created": created, **platform, "os": "linux", "config": execution,
                  "rootfs": {"type": "layers", "diff_ids": [_sha256(data) for data in tars]},
                  "history": [{"created": created, "created_by": f"deploy/image/build: {what}"}
                              for _, what in layers]}
        self._layers = [self._add(gzip(data), _TYPE + "layer.v1.tar+gzip") for data in tars]
        self._config = self._add(_json(config), _TYPE + "config.v1+json")
        manifest = {"schemaVersion": 2, "mediaType": _TYPE + "manifest.v1+json",
                    "config": self._config, "layers": self._layers, "annotations": annotations}
        self._manifest = self._add(_json(manifest), manifest["mediaType"])
        self._platform = {**platform, "os": "linux"}

    @property
    def digest(self):
        return self._manifest["digest"]

    @property
    def compressed_bytes(self):
        return sum(layer["size"] for layer in self._layers)

    def _add(self, data, media_type):
        digest = _sha256(data)
        self.blobs[digest] = data
        return {"mediaType": media_type, "digest": digest, "size": len(data)}

    def files(self, name, tag):
        """{path: bytes} of the layout. Its manifest.json is what `docker load` reads."""
        index = {"schemaVersion": 2, "mediaType": _TYPE + "index.v1+json",
                 "manifests": [{**self._manifest, "platform": self._platform, "annotations": {
                     "org.opencontainers.image.ref.name": tag,
                     "io.containerd.image.name": f"{name}:{tag}"}}]}
        docker = [{"Config": _place(self._config["digest"]), "RepoTags": [f"{name}:{tag}"],
                   "Layers": [_place(layer["digest"]) for layer in self._layers]}]
        return {"oci-layout": _json({"imageLayoutVersion": "1.0.0"}), "index.json": _json(index),
                "manifest.json": _json(docker),
                **{_place(digest): data for digest, data in sorted(self.blobs.items())}}


def _place(digest):
    return "blobs/" + digest.replace(":", "/")


def _json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def write_folder(files, folder):
    for path, data in files.items():
        place = pathlib.Path(folder) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def write_archive(files, path, seconds):
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode = len(data), seconds, 0o644
            archive.addfile(info, io.BytesIO(data))
