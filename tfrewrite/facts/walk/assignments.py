"""What a statement gives to names, and adds to what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gast

from tfrewrite.facts.walk.environment import Env
from tfrewrite.facts.walk.kept_kinds import named, without_lists
from tfrewrite.facts.walk.subscripts import Subscripts
from tfrewrite.kinds import UNKNOWN, Kind, Sort, Symbol, join, map_symbols, sequence
from tfrewrite.ops.made import Made
from tfrewrite.ops.shared_results import row_of


class Assignments(Subscripts):
    def _bind(self, target: gast.AST, kind: Kind, env: Env) -> None:
        match target:
            case gast.Name(id=name):
                if kind.is_tensor:
                    kind = named(kind, id(target), name, frozenset(self._loops))
                if kind.sort is Sort.NUMBER and kind.dtype == "int" and kind.value is None:
                    kind = replace(kind, value=Symbol((id(target), "value"), name, frozenset(self._loops)))
                if isinstance(self._unit, gast.Module) and self._all.is_unsettled(name):
                    kind = UNKNOWN
                self._record[target] = kind
                if name not in self._scope.shared and (self._scope.lookup(name) is self._scope or name in env):
                    env[name] = kind
            case gast.Tuple(elts=elts) | gast.List(elts=elts):
                self._unpack(elts, kind, env)
            case gast.Starred(value=value):
                self._bind(value, UNKNOWN, env)
            case _:
                self._children(target, env)

    def _bind_inner(self, target: gast.AST, kind: Kind, env: Env) -> None:
        for name in gast.walk(target):
            if isinstance(name, gast.Name):
                env[name.id] = UNKNOWN
        self._bind(target, kind, env)

    def _unpack(self, elts: Sequence[gast.AST], kind: Kind, env: Env) -> None:
        starred = any(isinstance(one, gast.Starred) for one in elts)
        if kind.items is not None and len(kind.items) == len(elts) and not starred:
            for one, item in zip(elts, kind.items, strict=True):
                self._bind(one, item, env)
        else:
            each = kind.each if kind.sort in (Sort.LIST, Sort.TUPLE) and kind.each is not None else UNKNOWN
            if kind.is_tensor:
                each = row_of(kind)
            if kind.instance == "shown":
                each = kind
            for one in elts:
                self._bind(one, map_symbols(each, lambda symbol: None), env)

    def _augmented(self, target: gast.AST, op: gast.AST, value: gast.AST, env: Env) -> None:
        right = self._expression(value, env)
        match target:
            case gast.Name(id=name):
                left = env.get(name, UNKNOWN)
                kind = self._arithmetic(op, left, right)
                if left.sort is Sort.ARRAY and not right.is_tensor:
                    kind = UNKNOWN if right.sort is Sort.UNKNOWN else Kind(Sort.ARRAY, left.dtype, left.shape)  # in place
                if left.sort is Sort.LIST:
                    kind = Kind(Sort.LIST)
                self._bind(target, kind, env)
            case _:
                self._children(target, env)

    def _appended(self, call: gast.AST, env: Env) -> None:
        """A list holds one member more, and how many is no longer known."""
        match call:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[member], keywords=[]):
                before, added = env.get(name, UNKNOWN), self._record.get(member, UNKNOWN)
                if before.sort is Sort.LIST:
                    env[name] = join(Kind(Sort.LIST, items=before.items, each=before.each), Kind(Sort.LIST, each=without_lists(added)))

    def _layer_added(self, call: gast.AST, env: Env) -> None:
        """`model.add(layer)` of a model that is made here."""
        match call:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="add" | "pop" as attr), args=given, keywords=[]):
                model = env.get(name, UNKNOWN).instance
                if isinstance(model, Made) and model.name == "keras.Sequential":
                    layers = model["layers"].items if model.has("layers") else ()
                    added = [self._record.get(one, UNKNOWN) for one in given]
                    known = layers is not None and attr == "add" and len(added) == 1 and not self._loops
                    kinds = sequence(Sort.LIST, (*layers, *added)) if known and layers is not None else Kind(Sort.LIST)
                    env[name] = replace(env[name], instance=replace(model, given=(("layers", kinds),)))
