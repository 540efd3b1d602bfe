"""Expressions of every sort: each is evaluated once on a path, and recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gast

from tfrewrite.facts.walk.constants_and_dtypes import MOST_MEMBERS, is_number, of_constant
from tfrewrite.facts.walk.environment import Env
from tfrewrite.facts.walk.kept_kinds import named, without_lists
from tfrewrite.facts.walk.loops_and_joins import Loops
from tfrewrite.kinds import UNKNOWN, Kind, Sort, join, map_symbols, number, sequence

_TEACHING = (gast.Call, gast.BinOp)
"""What raises where sizes don't match."""


class Expressions(Loops):
    def _expression(self, node: gast.AST, env: Env) -> Kind:
        kind = self._evaluate(node, env)
        if not isinstance(node, gast.Name):
            if isinstance(node, _TEACHING):
                self._learn_from_operation(node, env)
            kind = env.same.settled(kind)
            if kind.is_tensor:
                kind = named(kind, id(node), "this", frozenset(self._loops))
        if kind.sort is Sort.ARRAY and self._all._mutation.arrays_are_reshaped:
            kind = replace(kind, shape=None)
        if kind is UNKNOWN:
            self._record.pop(node, None)  # nothing need be remembered of it
        else:
            self._record[node] = kind
        return kind

    def _perhaps(self, node: gast.AST, env: Env) -> Kind:
        """An expression that is evaluated only sometimes: what it learns or binds may not be so afterwards."""
        inner = env.copy()
        kind = self._expression(node, inner)
        both = self._join(node, env.copy(), inner)
        env.update({name: UNKNOWN if name not in env else known for name, known in (both or {}).items()})
        return kind

    def _evaluate(self, node: gast.AST, env: Env) -> Kind:
        match node:
            case gast.Name() | gast.Attribute() if (found := self._all.imported_value(node)) is not None:
                return found
            case gast.Name(id=name):
                if name in env:
                    kind = env.same.settled(env[name])
                    return self._all.settled(kind, name, self._scope) if kind.sort in (Sort.LIST, Sort.TUPLE, Sort.DICT) else kind
                scope = self._scopes.names.get(node)
                owner = None if scope is None else self._all.teller(name, scope)
                if owner is None or owner is self._scope:
                    return UNKNOWN
                return self._ask(lambda inference: inference.outer_name(name, owner))
            case gast.Constant(value=value):
                return of_constant(value)
            case gast.Call():
                return self._call(node, env)
            case gast.Attribute(value=value, attr=attr):
                return self._attribute(node, self._expression(value, env), attr)
            case gast.Tuple(elts=elts):
                return self._display(Sort.TUPLE, elts, env)
            case gast.List(elts=elts):
                return self._display(Sort.LIST, elts, env)
            case gast.Dict(keys=keys, values=values):
                return self._dict(keys, values, env)
            case gast.BinOp(left=left, op=op, right=right):
                return self._arithmetic(op, self._expression(left, env), self._expression(right, env))
            case gast.UnaryOp(op=op, operand=operand):
                return self._unary(op, self._expression(operand, env))
            case gast.Compare():
                return self._compare(node, env)
            case gast.Subscript(value=value, slice=index):
                return self._subscript(self._expression(value, env), index, env)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                self._expression(test, env)
                return join(self._perhaps(body, env), self._perhaps(orelse, env))
            case gast.BoolOp(values=[first, *others]):
                kinds = [self._expression(first, env), *(self._perhaps(other, env) for other in others)]
                dtypes = {kind.dtype for kind in kinds}
                return number(None, dtypes.pop() if len(dtypes) == 1 else None) if all(is_number(one) for one in kinds) else UNKNOWN
            case gast.NamedExpr(target=target, value=value):
                kind = without_lists(self._expression(value, env))
                before = env.get(target.id)
                self._bind(target, kind, env)
                if before is not None and target.id in env:
                    # `done or (x := y)`: nobody knows whether it is evaluated.
                    env[target.id] = map_symbols(join(before, env[target.id]), lambda symbol: None)
                return kind
            case gast.ListComp() | gast.SetComp() | gast.GeneratorExp() | gast.DictComp():
                return self._comprehension(node, env)
            case gast.Lambda():
                for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one)):
                    self._expression(default, env)
                return UNKNOWN
        self._children(node, env)
        return UNKNOWN

    def _display(self, sort: Sort, elts: Sequence[gast.AST], env: Env) -> Kind:
        kinds = tuple(self._expression(one, env) for one in elts)
        return Kind(sort) if any(isinstance(one, gast.Starred) for one in elts) else sequence(sort, kinds)

    def _dict(self, keys: Sequence[gast.AST | None], values: Sequence[gast.AST], env: Env) -> Kind:
        for key, value in zip(keys, values, strict=True):
            if key is not None:
                self._expression(key, env)
            self._expression(value, env)
        written = [key.value for key in keys if isinstance(key, gast.Constant) and isinstance(key.value, str | int)]
        if len(written) < len(keys) or len(set(written)) < len(keys) or len(keys) > MOST_MEMBERS:
            return Kind(Sort.DICT)
        return self._dict_of(dict(zip(written, values, strict=True)))

    def _comprehension(self, node: gast.AST, env: Env) -> Kind:
        for one in self._scopes.within(node):
            if isinstance(one, gast.NamedExpr):
                env[one.target.id] = UNKNOWN  # never evaluated, or many times
        outer = self._loops
        self._loops = (*outer, id(node))
        inner = env.given(dict.fromkeys(self._class_names, UNKNOWN))  # it doesn't see the names of a class body around it
        for generator in node.generators:
            self._expression(generator.iter, inner)
            self._bind_inner(generator.target, self._element(generator.iter, inner, generator), inner)
            for test in generator.ifs:
                self._expression(test, inner)
        if isinstance(node, gast.DictComp):
            self._expression(node.key, inner)
            self._expression(node.value, inner)
            each = UNKNOWN
        else:
            each = self._expression(node.elt, inner)
        self._loops = outer
        mine = id(node)
        each = map_symbols(each, lambda symbol: None if mine in symbol.loops else symbol)
        return Kind(Sort.LIST, each=each) if isinstance(node, gast.ListComp) else UNKNOWN
