"""Links between the project's own pages lead somewhere."""

import re

import pytest

from kustomize import REPOSITORY

PAGES = sorted(p for p in REPOSITORY.rglob("*.md")
               if "build" not in p.relative_to(REPOSITORY).parts)


def anchors(page):
    """The anchors of a page's headings, as code hosts make them."""
    text = re.sub(r"^( {4}|```)[\s\S]*?$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_there_are_pages():
    assert PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(REPOSITORY)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"no such file: {target}"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"no such heading: {target}"
