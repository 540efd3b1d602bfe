"""Lists that a function begins empty, appends to, and reads only when they are complete."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, LOOPS, blocks, walk_within
from tfrewrite.kinds import Kind, Sort, same_shape
from tfrewrite.ops import op
from tfrewrite.outcomes import Refusal

_HARMLESS = {f"builtins.{name}" for name in ("range", "len", "float", "int", "enumerate", "zip", "reversed", "abs", "min", "max", "sum")}


@dataclass(frozen=True)
class Collected:
    """`name = [first]`, then `name.append(x)` in later statements of the block, then reads in still later ones."""

    target: gast.Name
    beginning: gast.expr
    statement: gast.Assign
    firsts: tuple[gast.expr, ...]
    appends: tuple[gast.Call, ...]
    reads: tuple[gast.Name, ...]
    between: tuple[gast.stmt, ...]
    """The statements of the block from the first that appends up to the last that reads."""

    @property
    def name(self) -> str:
        return str(self.target.id)

    @property
    def members(self) -> tuple[gast.expr, ...]:
        return (*self.firsts, *(call.args[0] for call in self.appends))


def beginnings(statement: gast.Assign, facts: Facts) -> Iterator[tuple[gast.Name, gast.expr]]:
    """The names that an assignment gives new lists to: `a = []`, and both of `a, b = [], []`."""
    match statement:
        case gast.Assign(targets=[gast.Name() as target], value=value):
            pairs = [(target, value)]
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)) if len(targets) == len(values):
            pairs = list(zip(targets, values, strict=True))
        case _:
            return
    for target, value in pairs:
        if isinstance(target, gast.Name) and _new_list(value, facts) is not None:
            yield target, value


def _new_list(value: gast.expr, facts: Facts) -> tuple[gast.expr, ...] | None:
    match value:
        case gast.List(elts=elts) if not any(isinstance(one, gast.Starred) for one in elts):
            return tuple(elts)
        case gast.Call(args=[], keywords=[]) if facts.called(value) == "builtins.list":
            return ()
    return None


def why_not_private(target: gast.Name, facts: Facts) -> Refusal | None:
    """Why something else than the text of its function may read a name; None where nothing can."""
    name, scope = target.id, facts.scopes.names[target]
    if not isinstance(scope.node, DEFINITIONS):
        return Refusal(target, Code.OTHER_NAMES, f"{name} is a global name: others may read it")
    if scope.lookup(name) is not scope or name in scope.shared:
        return Refusal(target, Code.OTHER_NAMES, f"{name} belongs to another function too")
    if any(name in inner.uses and inner.lookup(name) is scope for inner in scope.below()):
        return Refusal(target, Code.OTHER_NAMES, f"{name} is also known to an inner function or a comprehension")
    if scope.is_read_as_a_whole or "f_locals" in facts.source.text:
        return Refusal(target, Code.OTHER_NAMES, "locals(), eval or the like may read any name here")
    if any(isinstance(node, gast.Yield | gast.YieldFrom | gast.Await) for node in walk_within(scope.node)):
        return Refusal(target, Code.CONTROL_FLOW, f"the function is left and entered again while {name} grows")
    return None


def collected(target: gast.Name, beginning: gast.expr, facts: Facts) -> Collected | Refusal:
    """How a list is used, or why that can't be followed."""
    name, scope = target.id, facts.scopes.names[target]
    statement = facts.parent(target)
    if isinstance(statement, gast.Tuple):
        statement = facts.parent(statement)
    assert isinstance(statement, gast.Assign)
    if refusal := why_not_private(target, facts):
        return refusal.at(statement)
    if scope.bindings[name] != [target]:
        return Refusal(statement, Code.MAY_CHANGE, f"{name} is assigned more than once, and which list is read can't be followed")
    block = block_around(statement, facts)
    uses = scope.uses.get(name, [])
    appends = {use: call for use in uses if (call := _append(use, facts)) is not None}
    reads = [use for use in uses if use not in appends]
    places = {use: _place(use, block, facts) for use in uses}
    begin = _index(statement, block)
    filled = [places[use] for use in appends]
    if any(place is None or place <= begin for place in places.values()):
        return Refusal(statement, Code.OTHER_NAMES, f"{name} is used elsewhere than in the statements that follow it")
    last = max((place for place in filled if place is not None), default=begin)
    for use in reads:
        if (places[use] or 0) <= last:
            return Refusal(use, Code.OTHER_NAMES, f"{name} is read while it is still appended to")
    end = max((place for place in places.values() if place is not None), default=begin)
    first = min((place for place in filled if place is not None), default=begin)
    return Collected(
        target,
        beginning,
        statement,
        _new_list(beginning, facts) or (),
        tuple(appends.values()),
        tuple(reads),
        tuple(block[first : end + 1]),
    )


def _append(use: gast.Name, facts: Facts) -> gast.Call | None:
    method = facts.parent(use)
    call = facts.parent(method) if isinstance(method, gast.Attribute) and method.attr == "append" else None
    match call:
        case gast.Call(args=[member], keywords=[]) if call.func is method and isinstance(facts.parent(call), gast.Expr):
            return None if isinstance(member, gast.Starred) else call
    return None


def block_around(statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
    """The statements among which a statement stands."""
    home = facts.parent(statement)
    assert home is not None
    candidates = [home.body] if isinstance(home, DEFINITIONS) else blocks(home)
    return next((block for block in candidates if any(one is statement for one in block)), [statement])


def _index(statement: gast.stmt, block: Sequence[gast.stmt]) -> int:
    return next(index for index, one in enumerate(block) if one is statement)


def _place(node: gast.AST, block: Sequence[gast.stmt], facts: Facts) -> int | None:
    """Which statement of the block holds the node."""
    around = {id(one) for one in (node, *facts.scopes.ancestors(node))}
    return next((index for index, one in enumerate(block) if id(one) in around), None)


def follows(node: gast.AST, statement: gast.stmt, facts: Facts) -> bool:
    """Does a node stand in a later statement of the same block?"""
    block = block_around(statement, facts)
    place = _place(node, block, facts)
    return place is not None and place > _index(statement, block)


def outermost(node: gast.AST, statement: gast.stmt, facts: Facts) -> gast.stmt:
    """The statement of a block that holds the node, where one of the block's own is given."""
    place = _place(node, block_around(statement, facts), facts)
    assert place is not None
    return block_around(statement, facts)[place]


def unclaimed(wanted: Sequence[str], target: gast.Name, facts: Facts) -> str:
    """The first of these names that the target's function has no other use for."""
    function = facts.scopes.names[target].node
    scope = facts.scopes.of[function]
    taken = {node.id for node in gast.walk(function) if isinstance(node, gast.Name)} | set(scope.bindings)
    taken |= {name for inner in scope.below() for name in inner.bindings}
    numbered = (f"{wanted[-1]}_{number}" for number in itertools.count(2))
    return next(one for one in itertools.chain(wanted, numbered) if one not in taken)


class Iterations:
    """What is certain about the loops that stand between a block and what is appended in it."""

    def __init__(self, node: gast.AST, outermost: gast.AST, facts: Facts) -> None:
        self._node = node
        self._facts = facts
        self.around = tuple(_up_to(node, outermost, facts))

    @cached_property
    def loops(self) -> tuple[gast.AST, ...]:
        return tuple(one for one in self.around if isinstance(one, (*LOOPS, *COMPREHENSIONS)))

    @cached_property
    def guarded(self) -> bool:
        """May an exception be caught before it leaves the block?"""
        blocks_ = (gast.With, gast.AsyncWith, gast.Try, gast.TryStar)
        return any(isinstance(one, blocks_) for one in self.around)

    @cached_property
    def number(self) -> int | None:
        """How often the node is reached, where that is certain."""
        total = 1
        for inner, one in itertools.pairwise((self._node, *self.around)):
            times = self._times(inner, one)
            if times is None:
                return None
            total *= times
        return total

    def _times(self, inner: gast.AST, one: gast.AST) -> int | None:
        """How often a statement or expression evaluates one inside of it."""
        match one:
            case gast.For(iter=iterable, body=body):
                broken = any(isinstance(node, gast.Break | gast.Continue) for node in walk_within(one))
                return members(iterable, self._facts) if any(inner is child for child in body) and not broken else None
            case gast.ListComp(generators=[gast.comprehension(iter=iterable, ifs=[])]):
                return members(iterable, self._facts)
            case gast.With(items=items):
                # Another manager may swallow an error, and what comes after it is never reached.
                known = all((self._facts.called(item.context_expr) or "").startswith("tensorflow.") for item in items)
                return 1 if known else None
            case gast.Expr() | gast.Call() | gast.Attribute():
                return 1
        return None


def _up_to(node: gast.AST, outermost: gast.AST, facts: Facts) -> Iterator[gast.AST]:
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, gast.stmt | gast.expr):
            yield ancestor
        if ancestor is outermost:
            return


def members(iterable: gast.expr, facts: Facts) -> int | None:
    """How many iterations a loop over an expression has, where that is a number."""
    match facts.called(iterable), iterable:
        case "builtins.range" | "tensorflow.range", gast.Call(args=args, keywords=[]):
            values = [facts.kind(one).value for one in args]
            numbers = [value for value in values if isinstance(value, int)]
            return len(range(*numbers)) if len(numbers) == len(values) and numbers[2:3] != [0] else None
        case "builtins.enumerate" | "builtins.reversed", gast.Call(args=[rows, *_]):
            return members(rows, facts)
        case "builtins.zip", gast.Call(args=[_, *_] as rows, keywords=[]):
            counts = [members(one, facts) for one in rows]
            known = [count for count in counts if count is not None]
            return min(known) if len(known) == len(counts) else None
        case None, gast.List(elts=elts) | gast.Tuple(elts=elts) if not any(isinstance(one, gast.Starred) for one in elts):
            return len(elts)
    kind = facts.kind(iterable)
    if kind.items is not None:
        return len(kind.items)
    length = (
        kind.shape[0] if kind.sort in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY) and isinstance(kind.shape, tuple) and kind.shape else None
    )
    return length if isinstance(length, int) else None


def steady(kinds: Sequence[Kind], loops: Sequence[gast.AST]) -> bool:
    """Do all members have one dtype and one shape, in every iteration of these loops?"""
    first = kinds[0]
    changing = {id(one) for one in loops}
    sizes = first.shape if isinstance(first.shape, tuple) else (first.shape,)
    fixed = all(isinstance(size, int) or (size is not None and changing.isdisjoint(size.loops)) for size in sizes)
    return fixed and first.dtype is not None and all(one.dtype == first.dtype and same_shape(one.shape, first.shape) for one in kinds)


def only_computes(statements: Sequence[gast.stmt], facts: Facts) -> bool:
    """Do statements do nothing that anybody could see before they are done?"""
    for statement in statements:
        for node in (statement, *walk_within(statement)):
            match node:
                case gast.Attribute() | gast.Subscript() if not isinstance(node.ctx, gast.Load):
                    return False
                case gast.Call(func=gast.Attribute(attr="append", value=gast.Name())) if facts.called(node) is None:
                    pass
                case gast.Call() if not _harmless(facts.called(node) or "") and not _own(node, facts):
                    return False
                case gast.Global() | gast.Nonlocal() | gast.Import() | gast.ImportFrom():
                    return False
    return True


def _harmless(name: str) -> bool:
    return name in _HARMLESS or (name.startswith("tensorflow.") and op(name).is_pure)


def _own(call: gast.Call, facts: Facts) -> bool:
    function = facts.callers.function_called(call)
    return function is not None and facts.callers.plainly_decorated(function) and facts.pure_function(function)


def eager_alone(node: gast.AST, facts: Facts) -> str:
    """Why code isn't known to run eagerly and outside of every tape; empty where it is."""
    match facts.mode(node):
        case Mode.GRAPH:
            return "in a graph"
        case Mode.UNKNOWN:
            return "unknown"
    return "under a tape" if ever_taped(node, facts) else ""


def ever_taped(node: gast.AST, facts: Facts, seen: set[gast.AST] | None = None) -> bool:
    """May any of the calls that are known stand under a tape? (One that records needs what others could let go of.)"""
    seen = set() if seen is None else seen
    if facts.taped(node):
        return True
    function = facts.scopes.function_of(node)
    if function is None or function in seen or facts.callers.is_held(function):
        return False
    seen.add(function)
    calls = [one.call for one in facts.callers.references(function) if one.direct and one.call is not None]
    return any(ever_taped(call, facts, seen) for call in calls)
