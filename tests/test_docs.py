"""The pages of the documentation's site, as `scripts/make_docs.py` makes them for mkdocs."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import join, normpath
from typing import Any

import pytest
from conftest import ROOT

from tfrewrite.catalogue import page, rules


def _hook() -> Any:
    """The script, as mkdocs loads it."""
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_docs = _hook()
PAGES: dict[str, str] = make_docs.pages()
PICTURES: dict[str, str] = make_docs.pictures()


def listed(entries: Any) -> Iterator[str]:
    """The places that a navigation leads to."""
    for entry in entries:
        for inner in entry.values():
            yield from [inner] if isinstance(inner, str) else listed(inner)


def test_every_page_but_the_programs_is_in_the_navigation_once() -> None:
    found = list(listed(make_docs.navigation()))
    assert len(found) == len(set(found))
    assert set(found) == {name for name in PAGES if not name.startswith("programs/")} | {"programs/index.md"}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_pages(name: str) -> None:
    text = re.sub(r"```.*?```", "", PAGES[name], flags=re.DOTALL)
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    for link in re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", text):
        assert normpath(join(name.rpartition("/")[0], link)) in {*PAGES, *PICTURES}, link


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_every_rule_has_a_page_with_all_that_its_docstring_says(rule: Any) -> None:
    text = PAGES[f"rules/{rule.name}.md"]
    assert text.startswith(f"# {rule.name}\n\n{rule.summary}\n")
    for section in page(rule).sections.values():
        assert section.strip() in text
    assert f"(rules/{rule.name}.md)" in PAGES["index.md"] or rule.reports


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    for file in make_docs.sources():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("# Page\n")
    (tmp_path / "README.md").write_text("# Page\n\n[there](docs/using.md) and [nowhere](docs/nowhere.md)\n")
    with pytest.raises(ValueError, match="README.md links to docs/nowhere.md, which is no page of the site"):
        make_docs.pages(tmp_path)


def test_the_folder_holds_the_pages_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("# A page that was")
    make_docs.write(tmp_path)
    assert {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.*")} == {*PAGES, *PICTURES, "site.css"}
    times = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.*")}
    make_docs.write(tmp_path)
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.*")} == times


def test_mkdocs_calls_what_makes_the_pages(tmp_path: Path) -> None:
    settings = (ROOT / "mkdocs.yml").read_text()
    assert "hooks: [scripts/make_docs.py]" in settings and "extra_css: [site.css]" in settings
    config = make_docs.on_config({"docs_dir": str(tmp_path)})
    assert config["nav"] == make_docs.navigation() and (tmp_path / "index.md").exists()
