"""Which parts may know which: read from the text of every module, with the imports that stand inside of functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STATIC = (
    "tfrewrite.analyses",
    "tfrewrite.engine",
    "tfrewrite.facts",
    "tfrewrite.loops",
    "tfrewrite.ops",
    "tfrewrite.rounding",
    "tfrewrite.transforms",
    "tfrewrite.worth",
)
"""What reads and rewrites a text, and runs nothing."""
pytestmark = pytest.mark.smoke


def _modules() -> Iterator[tuple[str, Path]]:
    for folder, package in ((ROOT / "tfrewrite", "tfrewrite"), (ROOT / "transforms", "tfrewrite.transforms")):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join((package, *parts))
            yield name.removesuffix(".__init__"), path


MODULES = dict(_modules())


def _imports(name: str, path: Path) -> Iterator[str]:
    """The modules that a module imports, wherever in its text; nothing for names that are only there for types."""
    for node in _executed(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (one.name for one in names)
            case ast.ImportFrom(module=module, names=names, level=0):
                assert module is not None
                yield from (full if (full := f"{module}.{one.name}") in MODULES else module for one in names)
            case ast.ImportFrom():
                raise AssertionError(f"{name} has a relative import")


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=others):
            for other in others:
                yield from _executed(other)
            return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _executed(child)


GRAPH: Mapping[str, frozenset[str]] = {name: frozenset(_imports(name, path)) & MODULES.keys() for name, path in MODULES.items()}


def _is_part(name: str, *packages: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in packages)


def _ways(starts: tuple[str, ...], end: str) -> list[str]:
    """How modules of some packages come to import one of another, by way of which others."""
    found = []
    for start in (name for name in GRAPH if _is_part(name, *starts)):
        ways, met = [[start]], {start}
        while ways:
            way = ways.pop(0)
            if _is_part(way[-1], end):
                found.append(" -> ".join(way))
                break
            ways += [[*way, one] for one in sorted(GRAPH[way[-1]] - met)]
            met |= GRAPH[way[-1]]
    return found


def test_the_graph_is_that_of_the_program() -> None:
    """Else nothing below would say anything."""
    assert all(any(_is_part(name, one) for name in GRAPH) for one in (*STATIC, "tfrewrite.report", "tfrewrite.verify"))
    assert "tfrewrite.verify.verdict" in GRAPH["tfrewrite.report.comparison"]
    assert "tfrewrite.verify.in_process" in GRAPH["tfrewrite.live.trials"]  # inside of a function
    assert "tfrewrite.live.decorator" not in GRAPH["tfrewrite"]  # for types alone
    assert _ways(("tfrewrite.report.comparison_html",), "tfrewrite.verify")


def test_what_judges_knows_nothing_of_reports() -> None:
    assert _ways(("tfrewrite.verify",), "tfrewrite.report") == []


def test_what_reads_a_text_knows_nothing_of_what_runs_it() -> None:
    assert _ways(STATIC, "tfrewrite.verify") == []
