"""Functions that a rewrite adds to a file: written once, above the first class or function, and found again."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.loops.outlining import top_statement
from tfrewrite.outcomes import Edit, Refusal, not_imported

_PLACES = (gast.ClassDef, gast.FunctionDef, gast.For, gast.With, gast.If)


def joined(edits: Sequence[Edit]) -> list[Edit]:
    """What is inserted at one place becomes one edit."""
    found: dict[int, Edit] = {}
    others: list[Edit] = []
    for one in dict.fromkeys(edits):
        if one.start < one.end:
            others.append(one)
        else:
            known = found.get(one.start)
            found[one.start] = one if known is None else Edit(one.start, one.start, known.text + one.text)
    return [*found.values(), *others]


def written_already(template: str, wish: str, node: gast.AST, facts: Facts, recomputed: str = "") -> str | None:
    """The function of the file that is this helper."""
    tf, keras = facts.tensorflow(node), _keras(facts)
    for function in facts.tree.body:
        if isinstance(function, gast.FunctionDef) and function.name.startswith(wish):
            text = template.format(name=function.name, tf=tf, keras=keras or f"{tf}.keras", recomputed=recomputed)
            if facts.source.text_of(function).split() == text.split():
                name: str = function.name
                return name
    return None


def helper_of(template: str, wish: str, node: gast.AST, facts: Facts, recomputed: str = "") -> tuple[str, list[Edit]] | Refusal:
    """The name of a helper in the file, and the edits that write it above the first class or function where it has none."""
    if (known := written_already(template, wish, node, facts, recomputed)) is not None:
        return known, []
    keras = _keras(facts)
    imports = [one for one in facts.tree.body if isinstance(one, gast.Import | gast.ImportFrom) and _imports(one, facts)]
    begun = facts.source.span(imports[0]).start if imports else 0
    place = next((one for one in facts.tree.body if isinstance(one, _PLACES) and facts.source.span(one).start > begun), None)
    if place is None or facts.source.span(top_statement(node, facts)).end < facts.source.span(place).start:
        return Refusal(node, Code.LAYOUT, "TensorFlow is not imported above the first function or class of the file")
    tf = facts.tensorflow(place)
    if not imports or (tf is None and facts.is_bound("tf", node)):
        return not_imported(node)
    name = next((one for one in (wish, f"{wish}_again", f"{wish}_layer") if not facts.is_bound(one, node)), None)
    if name is None:
        return Refusal(node, Code.NAME_TAKEN, f"{wish} means something else already")
    newline = facts.source.newline
    edits = []
    if tf is None:
        tf = "tf"
        line = facts.edit.insert_after(imports[0], "import tensorflow as tf")
        if line is None:
            return Refusal(node, Code.LAYOUT, "keras is imported on a line with others")
        edits.append(line)
    text = template.format(name=name, tf=tf, keras=keras or f"{tf}.keras", recomputed=recomputed)
    text = text.replace("\n", newline)
    start = facts.source.line_start(facts.edit.region_span(place, *getattr(place, "decorator_list", ())).start)
    return name, [*edits, Edit(start, start, f"{text}{newline}{newline}")]


def _imports(statement: gast.Import | gast.ImportFrom, facts: Facts) -> bool:
    """Does it import Keras, or a part of it, or TensorFlow?"""
    names = [facts.names.of_name(one.asname or one.name.partition(".")[0], facts.scopes.module) or "" for one in statement.names]
    return any(one == "tensorflow" or one.startswith("tensorflow.keras") for one in names)


def _keras(facts: Facts) -> str | None:
    """What Keras is called in the file, where it is imported as a whole."""
    scope = facts.scopes.module
    return next((name for name in scope.bindings if facts.names.of_name(name, scope) == "tensorflow.keras"), None)


def above_comments(line: int, facts: Facts) -> int:
    """The first line of the comments that stand right above a line."""
    while line:
        before = facts.source.line_start(line - 1)
        if not facts.source.text[before:line].lstrip().startswith("#"):
            break
        line = before
    return line
