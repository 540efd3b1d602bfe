"""Where code is often rewritten by hand and nothing is gained: what `explain` says about it, besides what the rules say.

No rule has a pattern there. A remark names what the text shows to be so, never how somebody called it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import walk_within
from tfrewrite.source import Source

_SESSION = "tensorflow.compat.v1.Session"
_PYTHON = (Sort.NUMBER, Sort.TEXT, Sort.NONE)
_KEPT_BY_PYTHON = ("builtins.", "numpy.")


@dataclass(frozen=True)
class Remark:
    """Why nothing is gained on these lines, in whole sentences."""

    line: int
    end_line: int
    said: str


def remarks(source: Source) -> list[Remark]:
    """In the order of the text."""
    facts = Facts(source)
    found = [(node, said) for look in _LOOKS for node, said in look(facts)]
    spans = [(source.span(node), said) for node, said in found]
    return sorted((Remark(source.line_of(span.start), source.line_of(span.end), said) for span, said in spans), key=lambda one: one.line)


def _branches(facts: Facts) -> Iterator[tuple[gast.AST, str]]:
    """A condition on a Python value in a graph."""
    for function in _compiled(facts):
        believed = facts.given(facts.world.called_here([function]))
        for node in walk_within(function):
            if isinstance(node, gast.If | gast.IfExp) and (name := _parameter(node.test, function)) is not None:
                if believed.kind(name).sort in _PYTHON:
                    said = (
                        f"{name.id} is a value of Python: {function.name} is traced once for each value, and every graph has only the "
                        "branch that is taken. The other branch needs no memory: a tf.cond, whose graph has both, would gain nothing."
                    )
                    yield node.test, said


def _parameter(test: gast.AST, function: gast.FunctionDef) -> gast.Name | None:
    """The parameter that a condition asks, itself or by `not`, and that nothing gives another value."""
    name = test.operand if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not) else test
    if not isinstance(name, gast.Name) or name.id not in [
        argument.id for argument in function.args.args if isinstance(argument, gast.Name)
    ]:
        return None
    stored = [
        node for node in walk_within(function) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store) and node.id == name.id
    ]
    return name if not stored else None


def _random_numbers(facts: Facts) -> Iterator[tuple[gast.AST, str]]:
    """The first place where a graph draws random numbers."""
    for function in _compiled(facts):
        for node in walk_within(function):
            row = facts.op(node)
            if row.is_random and row.name.startswith("random."):
                yield (
                    node,
                    (
                        f"tf.{row.name} draws random numbers, and XLA would draw others: no rule compiles {function.name}. As a graph it needs no more memory "
                        "than its result, in the first call, which traces it, and in every other."
                    ),
                )
                break


def _loops_of_graphs(facts: Facts) -> Iterator[tuple[gast.AST, str]]:
    """A loop that AutoGraph makes one of the graph: over tf.range, the rows of a tensor, or while a tensor holds."""
    for loop in facts.nodes((gast.For, gast.While)):
        head = loop.iter if isinstance(loop, gast.For) else loop.test
        if facts.mode(loop) is Mode.GRAPH and facts.kind(head).is_tensor and not facts.contexts.under_a_tape(loop):
            yield (
                head,
                (
                    "This is a loop of the graph already: the graph holds one iteration, whatever their number, and frees what no later iteration "
                    "needs."
                ),
            )


def _loops_of_numpy(facts: Facts) -> Iterator[tuple[gast.AST, str]]:
    """A loop of Python whose iterations only NumPy computes."""
    for loop in facts.nodes((gast.For, gast.While)):
        calls = [facts.called(node) or "" for node in walk_within(loop) if isinstance(node, gast.Call)]
        if any(call.startswith("numpy.") for call in calls) and all(call.startswith(_KEPT_BY_PYTHON) for call in calls):
            head = loop.iter if isinstance(loop, gast.For) else loop.test
            yield (
                head,
                (
                    "NumPy computes every iteration: no operation of TensorFlow runs in the loop, so there is nothing to trace, to compile or to free. What it "
                    "gives becomes a tensor once, after the loop."
                ),
            )


def _sessions(facts: Facts) -> Iterator[tuple[gast.AST, str]]:
    """A session that a with block closes."""
    for block in facts.nodes((gast.With,)):
        for item in block.items:
            if facts.called(item.context_expr) != _SESSION:
                continue
            said = "The with block closes the session where it ends, however it ends: its variables and buffers are gone then."
            if isinstance(item.optional_vars, gast.Name) and _is_closed(item.optional_vars.id, block):
                said += " Closing it by hand inside of the block does no harm, and nothing more."
            yield item.context_expr, said


def _is_closed(name: str, block: gast.AST) -> bool:
    for node in walk_within(block):
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr="close"), args=[]) if owner == name:
                return True
    return False


def _compiled(facts: Facts) -> Iterator[gast.FunctionDef]:
    for function in facts.nodes((gast.FunctionDef,)):
        if isinstance(function, gast.FunctionDef) and facts.contexts.makes_graph(function):
            yield function


_LOOKS: tuple[Callable[[Facts], Iterator[tuple[gast.AST, str]]], ...] = (
    _branches,
    _random_numbers,
    _loops_of_graphs,
    _loops_of_numpy,
    _sessions,
)
