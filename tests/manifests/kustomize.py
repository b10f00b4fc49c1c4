"""Reads deploy/manifests as kustomize would, far enough for the checks: no kubectl is needed."""

import pathlib

import yaml

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MANIFESTS = REPOSITORY / "deploy" / "manifests"

# What a kustomization here may hold; anything else would be applied by kustomize and missed by us.
KNOWN_KEYS = {"apiVersion", "kind", "resources", "configMapGenerator", "generatorOptions"}


class UniqueKeyLoader(yaml.SafeLoader):
    """A key that occurs twice is a mistake that YAML readers hide: the last one wins."""


def _mapping(loader, node, deep=False):
    seen = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=deep)
        if key in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"duplicate key {key!r}", key_node.start_mark
            )
        seen.add(key)
    return yaml.SafeLoader.construct_mapping(loader, node, deep)


UniqueKeyLoader.add_constructor(
    yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping
)


def load_all(path):
    """The documents of one file."""
    with open(path, encoding="utf-8") as file:
        return list(yaml.load_all(file, Loader=UniqueKeyLoader))


def build(folder):
    """All objects of the kustomization in `folder`, those of its bases and generators included."""
    [kustomization] = load_all(folder / "kustomization.yaml")
    unknown = set(kustomization) - KNOWN_KEYS
    assert not unknown, f"{folder}: teach tests/manifests/kustomize.py about {unknown}"
    objects = []
    for resource in kustomization.get("resources", []):
        path = (folder / resource).resolve()
        assert path.exists(), f"{folder}: no such resource: {resource}"
        if path.is_dir():
            objects += build(path)
        else:
            # kustomize refuses files (not bases) outside of the kustomization's folder.
            assert path.is_relative_to(folder.resolve()), f"{folder}: {resource} lies outside"
            objects += load_all(path)
    hashed = not kustomization.get("generatorOptions", {}).get("disableNameSuffixHash", False)
    for generator in kustomization.get("configMapGenerator", []):
        objects.append(_config_map(folder, generator, hashed))
    return objects


def _config_map(folder, generator, hashed):
    assert set(generator) <= {"name", "files"}, generator
    data = {}
    for name in generator["files"]:
        data[name] = (folder / name).read_text(encoding="utf-8")
    suffix = "-<hash>" if hashed else ""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": generator["name"] + suffix},
        "data": data,
    }


def named(objects, kind, name):
    """The one object of that kind and name."""
    found = [o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name]
    assert len(found) == 1, f"{len(found)} objects {kind}/{name}"
    return found[0]
