"""Lets what AutoGraph makes of an observed program tell what its expressions are: symbolic tensors, while a graph is traced.

AutoGraph reads the text, not the tree that Python runs. What it has parsed is given the recorders of the same places.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import linecache
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

import gast

if TYPE_CHECKING:
    from tfrewrite.facts.observed import Place
    from tfrewrite.verify.agent.observer import Observer

_FUNCTIONS = (gast.FunctionDef, gast.Lambda)


@contextlib.contextmanager
def hooked(observer: Observer, path: str) -> Iterator[None]:
    """While this lasts, functions of that file tell about themselves when they are converted."""
    try:
        from tensorflow.python.autograph.pyct import parser
    except ImportError:
        yield
        return
    original = parser.parse_entity
    for method in (type(observer).seen, type(observer).entered):
        vars(method)["autograph_info__"] = {}  # or it would be converted itself

    def parse_entity(entity: Any, future_features: Any) -> Any:
        node, source = original(entity, future_features)
        with contextlib.suppress(Exception):  # whatever it can't be put into is converted as it is
            if entity.__code__.co_filename == path and isinstance(node, gast.FunctionDef) and "\\\n" not in source:
                return _with_recorders(entity, node, len(future_features), observer, path), source
        return node, source

    parser.parse_entity = parse_entity
    try:
        yield
    finally:
        parser.parse_entity = original


def _with_recorders(function: FunctionType, node: gast.FunctionDef, preamble: int, observer: Observer, path: str) -> gast.FunctionDef:
    first = function.__code__.co_firstlineno
    line = linecache.getline(path, first)
    program = observer.program
    recorders = _Recorders(
        program.hook,
        first - 1 - preamble,
        len(line) - len(line.lstrip()),
        {place: number for number, place in enumerate(program.expressions)},
        {place: number for number, place in enumerate(program.functions)},
    )
    # Half of the recorders in a tree would be worse than none.
    copied: gast.FunctionDef = recorders.function(copy.deepcopy(node))
    return copied


def _is_docstring(node: Any) -> bool:
    return type(node).__name__ == "Expr" and isinstance(node.value, gast.Constant) and isinstance(node.value.value, str)


def _at(node: Any, where: Any) -> Any:
    return ast.copy_location(node, where)


class _Recorders(ast.NodeTransformer):
    """Puts them where the program itself has them."""

    def __init__(self, hook: str, lines: int, columns: int, expressions: Mapping[Place, int], functions: Mapping[Place, int]) -> None:
        self._hook = hook
        self._lines = lines
        self._columns = columns
        self._expressions = expressions
        self._functions = functions

    def _place(self, node: Any) -> Place:
        kind = type(node).__name__
        return (
            node.lineno + self._lines,
            node.col_offset + self._columns,
            node.end_lineno + self._lines,
            node.end_col_offset + self._columns,
            kind,
        )

    def _call(self, what: str, node: Any, *arguments: Any) -> Any:
        name = _at(gast.Name(self._hook, gast.Load(), None, None), node)
        method = _at(gast.Attribute(name, what, gast.Load()), node)
        return _at(gast.Call(method, list(arguments), []), node)

    def _number(self, number: int, node: Any) -> Any:
        return _at(gast.Constant(number, None), node)

    def visit(self, node: Any) -> Any:
        if isinstance(node, _FUNCTIONS):
            return self.function(node) if isinstance(node, gast.FunctionDef) else node
        if type(node).__name__ == "Expr":
            node.value = self.generic_visit(node.value)  # a directive has to stand alone
            return node
        number = self._expressions.get(self._place(node)) if self._is_evaluated(node) else None
        found = self.generic_visit(node)
        return found if number is None else self._call("seen", node, self._number(number, node), found)

    def _is_evaluated(self, node: Any) -> bool:
        return isinstance(node, gast.expr) and isinstance(getattr(node, "ctx", None) or gast.Load(), gast.Load)

    def function(self, node: Any) -> Any:
        number = self._functions.get(self._place(node))
        node.body = [self.visit(one) for one in node.body]
        if number is None:
            return node
        arguments = node.args
        extra = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]
        start = 1 if _is_docstring(node.body[0]) else 0
        values = [_at(gast.Name(one.id, gast.Load(), None, None), node.body[0]) for one in names]
        entering = _at(gast.Expr(self._call("entered", node.body[0], self._number(number, node.body[0]), *values)), node.body[0])
        node.body.insert(start, entering)
        return node
