"""The gast tree of a module, made of that of `ast` by giving each node its class in gast: copying all of them costs six times as much."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

import gast


class _Form(NamedTuple):
    """What becomes of the nodes of one class."""

    made: type[gast.AST]
    holds: tuple[str, ...]
    """The fields that may hold nodes."""
    has_context: bool
    empty: tuple[str, ...]
    """Fields that gast adds, for what newer versions of Python write: lists."""
    absent: tuple[str, ...]
    """The same: single nodes."""


# Python has one object of each context and operator for all the trees that it makes, so these are replaced and not changed.
_CONTEXTS = {getattr(ast, name): getattr(gast, name)() for name in ("Load", "Store", "Del")}
_PARAMETER = gast.Param()
_PLAIN = frozenset(
    {"id", "attr", "arg", "asname", "module", "level", "kind", "simple", "conversion", "is_async", "type_comment", "kwd_attrs"}
)


def _form(plain: type[ast.AST], made: type[gast.AST]) -> _Form:
    holds = () if plain is ast.Constant else tuple(one for one in plain._fields if one not in _PLAIN and one not in ("ctx", "op", "ops"))
    added = [one for one in made._fields if one not in plain._fields]
    lists = tuple(one for one in added if one == "type_params")
    return _Form(made, holds, "ctx" in plain._fields, lists, tuple(one for one in added if one not in lists))


_FORMS = {
    plain: _form(plain, getattr(gast, name))
    for name, plain in vars(ast).items()
    if isinstance(plain, type) and issubclass(plain, ast.AST) and hasattr(gast, name)
}
_FORMS[ast.arg] = _Form(gast.Name, ("annotation",), False, (), ())


def as_gast(tree: ast.Module) -> gast.Module:
    """The same tree as one of gast's. The given one is used up."""
    converted: Any = tree
    waiting = [converted]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        made, holds, has_context, empty, absent = _FORMS[kind]
        for name in holds:
            value = getattr(node, name)
            if type(value) is list:
                waiting += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(value)
        node.__class__ = made
        if has_context:
            node.ctx = _CONTEXTS[type(node.ctx)]
        for name in absent:
            setattr(node, name, None)
        for name in empty:
            setattr(node, name, [])
        if kind in _SPECIAL:
            _SPECIAL[kind](node)
    return converted  # type: ignore[no-any-return]


def _operator(node: Any) -> None:
    node.op = _FORMS[type(node.op)].made()


def _comparison(node: Any) -> None:
    node.ops = [_FORMS[type(one)].made() for one in node.ops]


def _parameter(node: Any) -> None:
    node.id, node.ctx = node.arg, _PARAMETER
    del node.arg


def _handler(node: Any) -> None:
    if node.name:
        node.name = gast.Name(node.name, _CONTEXTS[ast.Store], None, None)


_SPECIAL = {
    ast.arg: _parameter,
    ast.ExceptHandler: _handler,
    ast.Compare: _comparison,
    **dict.fromkeys((ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.AugAssign), _operator),
}
