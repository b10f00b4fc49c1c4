"""Where the tests find the program: FSS_BINARY, else the release build."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from kustomize import REPOSITORY  # noqa: E402


@pytest.fixture(scope="session")
def binary():
    path = pathlib.Path(
        os.environ.get("FSS_BINARY", REPOSITORY / "build" / "release" / "flink-state-sidecar")
    )
    if not path.is_file():
        pytest.fail(f"no program at {path}: build it, or set FSS_BINARY")
    return path.resolve()
