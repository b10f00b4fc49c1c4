"""The list of all that is in the image: SPDX 2.3, JSON."""

import datetime
import hashlib
import json
import posixpath
import re
import urllib.parse
import uuid

from . import licences, tree

IMAGE = "SPDXRef-Image"
PROGRAM = "SPDXRef-Program"
MADE = "SPDXRef-Made"
NOASSERTION = "NOASSERTION"


def timestamp(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def package_id(name):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def _purl(package):
    quoted = [urllib.parse.quote(text, safe="") for text in (package.name, package.version)]
    query = {"arch": package.architecture, "distro": "debian-12"}
    if (package.source, package.source_version) != (package.name, package.version):
        query["upstream"] = f"{package.source}@{package.source_version}"
    return "pkg:deb/debian/" + "@".join(quoted) + "?" + urllib.parse.urlencode(
        query, quote_via=urllib.parse.quote, safe="")


def _reference(purl):
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
             "referenceLocator": purl}]


def _copyright_of(package, entries):
    """Its copyright file; a package's folder of documentation may be a link to another's."""
    folder = f"usr/share/doc/{package.name}"
    entry = entries.get(folder)
    if entry and entry.target:
        folder = posixpath.normpath(posixpath.join("usr/share/doc", entry.target))
    found = entries.get(folder + "/copyright")
    return found.data.decode("utf-8", "replace") if found and found.data else ""


def _debian(package, entries, references):
    names = licences.names_in(_copyright_of(package, entries))
    described = {
        "SPDXID": package_id(package.name), "name": package.name, "versionInfo": package.version,
        "supplier": "Organization: Debian", "downloadLocation": NOASSERTION, "filesAnalyzed": False,
        "sourceInfo": f"built from Debian's source package {package.source} {package.source_version}",
        "checksums": [{"algorithm": "SHA256", "checksumValue": package.sha256}],
        "licenseConcluded": NOASSERTION,
        "licenseDeclared": licences.expression(names, references) if names else NOASSERTION,
        "licenseComments": "Of the whole source package, as its copyright file in the image says."
                           if names else "See its copyright file in the image.",
        "copyrightText": NOASSERTION, "externalRefs": _reference(_purl(package))}
    return described


def _file(path, entry):
    return {"SPDXID": "SPDXRef-File-" + re.sub(r"[^A-Za-z0-9.-]", "-", path),
            "fileName": "./" + path,
            "checksums": [
                {"algorithm": "SHA1",
                 "checksumValue": hashlib.sha1(entry.data, usedforsecurity=False).hexdigest()},
                {"algorithm": "SHA256", "checksumValue": hashlib.sha256(entry.data).hexdigest()}],
            "licenseConcluded": NOASSERTION, "copyrightText": NOASSERTION}


def _all_of(files):
    """The fields of a package whose files all stand in the document."""
    sha1 = sorted(file["checksums"][0]["checksumValue"] for file in files)
    code = hashlib.sha1("".join(sha1).encode(), usedforsecurity=False).hexdigest()
    return {"filesAnalyzed": True, "downloadLocation": NOASSERTION, "copyrightText": NOASSERTION,
            "packageVerificationCode": {"packageVerificationCodeValue": code}}


def _program(version, entries, files):
    binary = entries[tree.PROGRAM].data
    return {"SPDXID": PROGRAM, "name": "flink-state-sidecar", "versionInfo": version,
            "primaryPackagePurpose": "APPLICATION", **_all_of(files),
            "checksums": [{"algorithm": "SHA256",
                           "checksumValue": hashlib.sha256(binary).hexdigest()}],
            "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
            "externalRefs": _reference(f"pkg:generic/flink-state-sidecar@{version}")}


def _related(subject, relation, others):
    return [{"spdxElementId": subject, "relationshipType": relation, "relatedSpdxElement": other}
            for other in others]


def document(version, packages, asked, entries, owners, seconds):
    """The document's bytes. `entries` are all files of the image but this one; those without an owner
    were made by the build and stand in the document one by one, a package's stand in
    /var/lib/dpkg/status.d/<package>.md5sums. `asked` are the packages that the program itself needs."""
    references = {}
    described = [_debian(package, entries, references) for package in packages]
    made = {path: entry for path, entry in sorted(entries.items())
            if entry.data is not None and path not in owners}
    files = [_file(path, entry) for path, entry in made.items()]
    of_program = [f for f in files if f["fileName"][2:] in (tree.PROGRAM, f"{tree.DOCS}/LICENSE")]
    others = [f for f in files if f not in of_program]
    ids = [package["SPDXID"] for package in described]
    content = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"flink-state-sidecar-{version}-image",
        "creationInfo": {"created": timestamp(seconds),
                         "creators": ["Tool: flink-state-sidecar-deploy-image-build"]},
        "packages": [{"SPDXID": IMAGE, "name": "flink-state-sidecar-image", "versionInfo": version,
                      "primaryPackagePurpose": "CONTAINER", "downloadLocation": NOASSERTION,
                      "filesAnalyzed": False, "licenseConcluded": NOASSERTION,
                      "licenseDeclared": NOASSERTION, "copyrightText": NOASSERTION},
                     _program(version, entries, of_program),
                     {"SPDXID": MADE, "name": "flink-state-sidecar-image-files", **_all_of(others),
                      "licenseConcluded": NOASSERTION, "licenseDeclared": NOASSERTION,
                      "comment": "What the image's build makes out of the packages."}, *described],
        "files": files,
        "hasExtractedLicensingInfos": [
            {"licenseId": reference, "name": name,
             "extractedText": f"Debian calls it {name}; the text is in the copyright files, "
                              "/usr/share/doc/*/copyright."}
            for reference, name in sorted(references.items())],
        "relationships": [
            *_related("SPDXRef-DOCUMENT", "DESCRIBES", [IMAGE]),
            *_related(IMAGE, "CONTAINS", [PROGRAM, MADE, *ids]),
            *_related(PROGRAM, "CONTAINS", [file["SPDXID"] for file in of_program]),
            *_related(MADE, "CONTAINS", [file["SPDXID"] for file in others]),
            *_related(PROGRAM, "DEPENDS_ON", [package_id(name) for name in asked])]}
    # A name of its own for each content: SPDX asks for it.
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    content["documentNamespace"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}"
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
