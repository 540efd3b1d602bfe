"""Loops, which are repeated until nothing changes, what an iteration takes from what it goes over, and where branches meet."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import gast

from tfrewrite.equalities import Equalities
from tfrewrite.facts.walk.environment import Env, Iterations
from tfrewrite.facts.walk.kept_kinds import named
from tfrewrite.facts.walk.learnt_sizes import LearntSizes
from tfrewrite.kinds import UNKNOWN, Dim, Kind, Sort, Symbol, join, map_symbols, number, same_shape, sequence
from tfrewrite.ops.shared_results import row_of

MOST_ROUNDS = 6  # of following a loop before what still changes is given up as unknown


class Loops(LearntSizes):
    def _loop(self, statement: gast.AST, env: Env) -> Env | None:
        if (assumed := self._ask(lambda inference: inference.assumed(statement))) is not None:
            env = env.given({name: named(kind, (id(statement), name), name, frozenset(self._loops)) for name, kind in assumed.items()})
        before = env.copy()
        start = env.copy()
        outer = self._loops
        self._loops = (*outer, id(statement))
        for rounds in itertools.count():
            self._exits.append([])
            inner = start.copy()
            if isinstance(statement, gast.While):
                self._expression(statement.test, inner)
            else:
                self._bind(statement.target, self._element(statement.iter, inner, statement), inner)
            ends: list[Env | None] = [self._block(statement.body, inner)]
            ends += self._exits.pop()
            carried: Env | None = before
            for end in ends:
                carried = self._join(statement, carried, None if end is None else self._next_iteration(end, statement))
            assert carried is not None
            if carried == start:
                break
            if rounds >= MOST_ROUNDS:
                carried |= dict.fromkeys(self._assigned_in([statement]), UNKNOWN)
                if carried == start:
                    break
            start = carried
        self._loops = outer
        if not self._apart:
            left = self._end_of_iteration(statement, ends)
            same = left.same
            kinds = [{name: same.settled(kind) for name, kind in env.items()} for env in (before, start, left)]
            self._iterations[statement] = Iterations(kinds[0], kinds[1], kinds[2], same)
        last = start.copy()
        if isinstance(statement, gast.While):
            self._expression(statement.test, last)
        after: Env | None = last
        for end in ends:
            after = self._join(statement, after, end)
        if not statement.orelse or after is None:
            return after
        end = self._block(statement.orelse, after.copy())
        # A loop that is broken off passes its else by.
        return self._join(statement, end, after) if any(isinstance(node, gast.Break) for node in self._scopes.within(statement)) else end

    def _end_of_iteration(self, loop: gast.AST, ends: Iterable[Env | None]) -> Env:
        end: Env | None = None
        for one in ends:
            end = self._join(loop, end, None if one is None else self._next_iteration(one, loop))
        return end or Env()

    def _next_iteration(self, env: Env, loop: gast.AST) -> Env:
        """What an iteration leaves for the next one: sizes that are of this one alone are forgotten."""
        mine = id(loop)
        kinds = {name: map_symbols(kind, lambda symbol: None if mine in symbol.loops else symbol) for name, kind in env.items()}
        return Env(kinds, env.same.after_iteration(mine))

    def _join(self, where: gast.AST, a: Env | None, b: Env | None) -> Env | None:
        if a is None or b is None:
            return b if a is None else a
        joined = Env(same=a.same.in_common(b.same))
        dims = _either_way(a.same, b.same) if a.same or b.same else None
        for name in [*a, *(name for name in b if name not in a)]:
            if name in a and name in b:
                kind = join(a[name], b[name], dims)
                if kind.is_tensor and kind not in (a[name], b[name]):
                    kind = named(kind, (id(where), name), name, frozenset(self._loops))
                joined[name] = kind
            else:
                # Unbound on one of the paths: where it is read, it was bound.
                joined[name] = a.get(name) or b[name]
        return joined

    def _forget(self, statement: gast.AST, env: Env) -> Env:
        """Some of the statement may have been run: what it assigns anywhere is unknown."""
        return env.given(dict.fromkeys(self._assigned_in([statement]), UNKNOWN))

    def _assigned_in(self, statements: Sequence[gast.AST]) -> list[str]:
        nodes = (node for statement in statements for node in (statement, *self._scopes.within(statement)))
        found = {
            name
            for node in nodes
            for name in (getattr(node, "name", None), getattr(node, "rest", None), getattr(node, "asname", None))
            if isinstance(name, str)
        }
        nodes = (node for statement in statements for node in (statement, *self._scopes.within(statement)))
        found |= {node.id for node in nodes if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}
        return sorted(found)

    def _element(self, iterable: gast.AST, env: Env, loop: gast.AST) -> Kind:
        """What one iteration over an expression gives."""
        kind = self._record.get(iterable, UNKNOWN)
        match iterable:
            case gast.Call(func=func, args=args) if not any(isinstance(one, gast.Starred) for one in args):
                match self._names(func):
                    case "builtins.range":
                        index = number(Symbol((id(loop), "index"), "the index", frozenset(self._loops)))
                        return replace(index, below=_below_of_range([self._record.get(arg, UNKNOWN).value for arg in args]))
                    case "tqdm.tqdm" | "tqdm.auto.tqdm" | "tqdm.notebook.tqdm" if args:
                        return self._element(args[0], env, loop)
                    case "builtins.reversed" if len(args) == 1:
                        return self._element(args[0], env, loop)
                    case "builtins.zip":
                        return self._zipped([self._record.get(arg, UNKNOWN) for arg in args], loop)
                    case "builtins.enumerate" if args:
                        index = number(Symbol((id(loop), "index"), "the index", frozenset(self._loops)))
                        inner = isinstance(args[0], gast.Call) and self._names(args[0].func) == "builtins.zip"
                        member = (
                            self._element(args[0], env, loop) if inner else self._of_one_iteration(self._record.get(args[0], UNKNOWN), loop)
                        )
                        return sequence(Sort.TUPLE, (index, member))
        return self._of_one_iteration(kind, loop)

    def _zipped(self, kinds: Sequence[Kind], loop: gast.AST) -> Kind:
        """Lists that agree in shape member by member, as variables and their gradients do, agree in every iteration."""
        members = [self._of_one_iteration(kind, loop) for kind in kinds]
        rows = [kind.items for kind in kinds if kind.items is not None]
        if len(rows) == len(kinds) and all(
            len(row) == len(rows[0])
            and all(one.as_operand.is_tensor and same_shape(one.shape, first.shape) for one, first in zip(row, rows[0], strict=True))
            for row in rows
        ):
            shape = members[0].shape
            if not (isinstance(shape, tuple) and None not in shape):
                shared = Symbol((id(loop), "member", "shape"), "this turn's member", frozenset(self._loops))
                members = [replace(member, shape=shared) for member in members]
        return sequence(Sort.TUPLE, tuple(members))

    def _of_one_iteration(self, kind: Kind, loop: gast.AST) -> Kind:
        match kind.sort:
            case Sort.TENSOR | Sort.VARIABLE:
                return row_of(kind)
            case Sort.ARRAY if isinstance(kind.shape, tuple) and kind.shape:
                from tfrewrite.facts import array_values

                return array_values.made(kind.dtype, kind.shape[1:])
            case Sort.LIST | Sort.TUPLE | Sort.DATASET | Sort.ITERATOR if kind.each is not None:
                return kind.each
        return UNKNOWN


def _either_way(a: Equalities, b: Equalities) -> Callable[[Dim, Dim], Dim]:
    """What is known of a size that is one where some sizes are the same, and another where others are."""

    def joined(x: Dim, y: Dim) -> Dim:
        if b.are_same(x, y):
            return x
        return y if a.are_same(x, y) else None

    return joined


def _below_of_range(arguments: Sequence[int | float | bool | Symbol | None]) -> Dim:
    """What all numbers of a range lie below, where none of them is negative."""
    known = [one for one in arguments if type(one) is int]
    if len(known) == len(arguments) and 0 not in known[2:]:
        turns = range(*known)
        return max(turns) + 1 if turns and min(turns) >= 0 else None
    match arguments:
        case [Symbol() as stop] | [int(0), Symbol() as stop]:
            return stop
    return None
