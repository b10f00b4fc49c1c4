"""A real kube-apiserver for the tests of a file, a namespace for each test."""

import re

import pytest

from harness.chart import MATRIX, render
from harness.kube import KubeCluster


@pytest.fixture(scope="module")
def kube(tmp_path_factory):
    with KubeCluster(tmp_path_factory.mktemp("kube"), forgetful=True) as cluster:
        cluster.namespace("default")
        cluster.install_flink_crds()
        yield cluster


@pytest.fixture
def namespace(kube, request):
    """A namespace of the test's own."""
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")[:60].strip("-")
    kube.namespace(name)
    return name


@pytest.fixture(params=MATRIX)
def name(request):
    """Each set of the chart's values that is tried."""
    return request.param


@pytest.fixture
def objects(name, tmp_path):
    """What the chart renders with them."""
    return render(tmp_path, MATRIX[name])
