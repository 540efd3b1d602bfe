"""Training steps: the tape, the gradients that it is asked for and the optimizers that apply them, where they stand together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import FUNCTIONS, LOOPS, block_of, walk_within
from tfrewrite.kinds import Kind, Sort
from tfrewrite.ops.made import Made

_UPDATES = frozenset({"apply_gradients", "apply"})
_OF_KERAS = frozenset({"train_step", "test_step", "predict_step"})
"""Methods that Keras calls in graphs of its own."""


@dataclass(frozen=True)
class Step:
    """From the first tape of a block of statements to the last optimizer that applies gradients there."""

    statements: tuple[gast.stmt, ...]
    tapes: tuple[gast.Name, ...]
    questions: tuple[gast.Call, ...]
    """`tape.gradient(loss, variables)`"""
    updates: tuple[gast.Call, ...]
    """`optimizer.apply_gradients(...)`"""
    releases: tuple[gast.Delete, ...]
    """The `del grads` that follow."""

    @property
    def targets(self) -> list[gast.expr]:
        """What gradients are taken of."""
        given = [[*call.args[:1], *(one.value for one in call.keywords if one.arg == "target")] for call in self.questions]
        return [one for values in given for one in values if not isinstance(one, gast.Starred)]


def training_step(block: gast.With, facts: Facts) -> Step | None:
    """The step that begins with a `with`; None where it opens no tape, or a step that began above goes on."""
    home = facts.parent(block)
    if not tapes_of(block, facts) or home is None:
        return None
    statements = block_of(block, home)
    opening = [place for place, one in enumerate(statements) if isinstance(one, gast.With) and tapes_of(one, facts)]
    last = max((place for place, one in enumerate(statements) if any(_updates([one], facts))), default=-1)
    first = opening[0]
    if statements[first] is not block or last < first:
        return None
    own = tuple(statements[first : last + 1])
    tapes = tuple(tape for one in own if isinstance(one, gast.With) for tape in tapes_of(one, facts))
    names = {tape.id for tape in tapes}
    asked = [call for call in _calls(own) if _method_of(call, names) == "gradient"]
    return Step(own, tapes, tuple(asked), tuple(_updates(own, facts)), tuple(_deletions(statements[last + 1 :]))) if asked else None


def _deletions(statements: Sequence[gast.stmt]) -> Iterator[gast.Delete]:
    for one in statements:
        if not isinstance(one, gast.Delete):
            break
        yield one


def tapes_of(block: gast.With, facts: Facts) -> list[gast.Name]:
    """The names of the tapes that a `with` opens."""
    opened = [one for one in block.items if facts.called(one.context_expr) == "tensorflow.GradientTape"]
    return [one.optional_vars for one in opened if isinstance(one.optional_vars, gast.Name)]


def loops_around(node: gast.AST, facts: Facts) -> list[gast.For | gast.AsyncFor | gast.While]:
    """The loops of its own function that a node stands in, the innermost first."""
    found: list[gast.For | gast.AsyncFor | gast.While] = []
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, (*FUNCTIONS, gast.ClassDef)):
            break
        if isinstance(ancestor, LOOPS):
            found.append(ancestor)
    return found


def is_run_by_keras(node: gast.AST, facts: Facts) -> bool:
    """Does it stand in a method of a model that Keras itself calls?"""
    function = facts.scopes.function_of(node)
    return function is not None and getattr(function, "name", "") in _OF_KERAS and facts.scopes.class_of(function) is not None


def made(kind: Kind) -> Made | None:
    """The object of Keras that something is."""
    return kind.instance if kind.sort is Sort.OBJECT and isinstance(kind.instance, Made) else None


def is_optimizer(node: gast.AST, facts: Facts) -> bool:
    one = made(facts.kind(node))
    return one is not None and one.name.startswith("keras.optimizers.")


def _updates(statements: Sequence[gast.AST], facts: Facts) -> Iterator[gast.Call]:
    for call in _calls(statements):
        match call.func:
            case gast.Attribute(attr="apply_gradients"):
                yield call
            case gast.Attribute(value=owner, attr="apply") if is_optimizer(owner, facts):
                yield call


def _calls(statements: Sequence[gast.AST]) -> list[gast.Call]:
    """The calls in statements, in the order of the text."""
    found = [node for one in statements for node in (one, *walk_within(one)) if isinstance(node, gast.Call)]
    return sorted(found, key=lambda one: (one.lineno, one.col_offset))


def _method_of(call: gast.Call, names: set[str]) -> str:
    match call.func:
        case gast.Attribute(value=gast.Name(id=name), attr=attr) if name in names:
            return str(attr)
    return ""
