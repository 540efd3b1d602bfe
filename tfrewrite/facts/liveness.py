"""Which names may still be read after a statement, and which a loop carries from iteration to iteration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import gast

from tfrewrite.facts.scopes import FUNCTIONS, Function, Scopes, parameters

Names = frozenset[str]
_NONE: Names = frozenset()


@dataclass(frozen=True)
class _Exits:
    """What may be read where a statement jumps to instead of going on to the next one."""

    on_break: Names = _NONE
    on_continue: Names = _NONE
    on_exception: Names = _NONE
    on_return: Names = _NONE


class Liveness:
    """Follows the statements of one function backwards.

    Names that another scope knows, or that the function declares global, may be read at any time.
    """

    def __init__(self, function: Function | gast.Module, scopes: Scopes, ends: Collection[gast.AST] = (), *, imported: bool = True) -> None:
        """`ends`: the statements of a module after which any other part of it may run. `imported`: may others read its names?"""
        self._scopes = scopes
        scope = scopes.of[function]
        within = set(scope.below())
        # A name that an inner scope has for itself is another one.
        read = {name for inner in within for name in inner.uses if inner.lookup(name) not in within}
        shared = read.union(scope.outer, scope.shared, *(inner.outer for inner in within))
        self._always: Names = frozenset(shared)
        self._after: dict[gast.AST, Names] = {}
        self._before: dict[gast.AST, Names] = {}
        self._ends = ends
        self._at_ends: Names = frozenset(scope.bindings) if ends else _NONE
        if isinstance(function.body, list):
            # What a module's names are at its end, whoever imports it reads.
            end = frozenset(scope.bindings) if isinstance(function, gast.Module) and imported else _NONE
            self._block(function.body, end, _Exits())

    def after(self, statement: gast.AST) -> Names:
        """The names whose values may be read once the statement is done."""
        return self._after.get(statement, _NONE) | self._always

    def before(self, statement: gast.AST) -> Names:
        """The names whose values may be read by the statement or after it."""
        return self._before.get(statement, _NONE) | self._always

    def carried(self, loop: gast.AST) -> Names:
        """The names that an iteration gives to the next one."""
        inside = {node.id for one in loop.body for node in (one, *self._scopes.within(one)) if isinstance(node, gast.Name) and _gives(node)}
        return self.before(loop.body[0]) & inside - {node.id for node in _targets(loop)}

    def _block(self, statements: Sequence[gast.stmt], after: Names, exits: _Exits) -> Names:
        for statement in reversed(statements):
            if statement in self._ends:
                after |= self._at_ends
            self._after[statement] = after
            after = self._before[statement] = self._statement(statement, after, exits) | exits.on_exception
        return after

    def _statement(self, statement: gast.stmt, after: Names, exits: _Exits) -> Names:
        match statement:
            case gast.If(test=test, body=body, orelse=orelse):
                return self._reads(test) | self._block(body, after, exits) | self._block(orelse, after, exits)
            case gast.While() | gast.For() | gast.AsyncFor():
                return self._loop(statement, after, exits)
            case gast.Try() | gast.TryStar():
                return self._try(statement, after, exits)
            case gast.With(items=items, body=body) | gast.AsyncWith(items=items, body=body):
                # What the manager does with an exception isn't known: it may go on after the block.
                swallowed = _Exits(exits.on_break, exits.on_continue, exits.on_exception | after, exits.on_return)
                return self._reads(*items) | self._block(body, after, swallowed)
            case gast.Match(subject=subject, cases=cases):
                ends = [
                    self._reads(case.pattern, *([case.guard] if case.guard else [])) | self._block(case.body, after, exits)
                    for case in cases
                ]
                return self._reads(subject).union(after, *ends)
            case gast.Return():
                return self._reads(statement) | exits.on_return
            case gast.Raise():
                return self._reads(statement)
            case gast.Break():
                return exits.on_break
            case gast.Continue():
                return exits.on_continue
        return self._reads(statement) | (after - _gives_surely(statement))

    def _loop(self, loop: gast.AST, after: Names, exits: _Exits) -> Names:
        done = self._block(loop.orelse, after, exits)
        head = done | (self._reads(loop.test) if isinstance(loop, gast.While) else _NONE)
        given = frozenset(node.id for node in _targets(loop))
        while True:
            body = self._block(loop.body, head, _Exits(after, head, exits.on_exception, exits.on_return))
            again = head | (body - given)
            if again == head:
                return head | (_NONE if isinstance(loop, gast.While) else self._reads(loop.iter, loop.target))
            head = again

    def _try(self, statement: gast.AST, after: Names, exits: _Exits) -> Names:
        if statement.finalbody:
            # Whichever way the rest is left, the last block comes first.
            elsewhere = after | exits.on_break | exits.on_continue | exits.on_exception | exits.on_return
            last = self._block(statement.finalbody, elsewhere, exits)
            after, exits = last, _Exits(last, last, last, last)
        handled = exits.on_exception.union(*(self._reads(one.type) | self._block(one.body, after, exits) for one in statement.handlers))
        done = self._block(statement.orelse, after, exits)
        return self._block(statement.body, done, _Exits(exits.on_break, exits.on_continue, handled, exits.on_return))

    def _reads(self, *nodes: gast.AST | None) -> Names:
        """The names that are read anywhere below; one that is only deleted has to be there too."""
        found = [node for one in nodes if one is not None for node in self._walk(one)]
        augmented = {one.target for one in found if isinstance(one, gast.AugAssign)}
        return frozenset(node.id for node in found if isinstance(node, gast.Name) and (not _gives(node) or node in augmented))

    def _walk(self, node: gast.AST) -> Iterable[gast.AST]:
        """Everything below that is evaluated here and now: the default values and annotations of a function, but not its body."""
        if isinstance(node, FUNCTIONS):
            annotations = (*(one.annotation for one in parameters(node)), getattr(node, "returns", None))
            evaluated = [*node.args.defaults, *node.args.kw_defaults, *getattr(node, "decorator_list", ()), *annotations]
            return (below for one in evaluated if one is not None for below in gast.walk(one))
        return (node, *self._scopes.within(node))


def _targets(loop: gast.AST) -> list[gast.Name]:
    return [] if isinstance(loop, gast.While) else [node for node in gast.walk(loop.target) if isinstance(node, gast.Name) and _gives(node)]


def _gives(node: gast.Name) -> bool:
    return isinstance(node.ctx, gast.Store)


def _gives_surely(statement: gast.stmt) -> Names:
    """The names that a simple statement gives another value, whatever happens."""
    match statement:
        case gast.Assign(targets=targets):
            nodes = [node for target in targets for node in gast.walk(target)]
        case gast.AnnAssign(target=gast.Name() as target, value=gast.AST()) | gast.AugAssign(target=gast.Name() as target):
            nodes = [target]
        case gast.Delete(targets=targets):
            return frozenset(target.id for target in targets if isinstance(target, gast.Name))
        case gast.FunctionDef(name=name) | gast.AsyncFunctionDef(name=name) | gast.ClassDef(name=name):
            return frozenset({name})
        case gast.Import(names=aliases) | gast.ImportFrom(names=aliases):
            return frozenset(alias.asname or alias.name.partition(".")[0] for alias in aliases)
        case _:
            return _NONE
    return frozenset(node.id for node in nodes if isinstance(node, gast.Name) and _gives(node))
