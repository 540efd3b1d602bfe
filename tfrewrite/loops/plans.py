"""Everything about one nest of loops that its rewrite rests on, or the reason why it stays."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from keyword import iskeyword

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import FUNCTIONS, Function, Scope, walk_within
from tfrewrite.kinds import Kind, Sort
from tfrewrite.loops.bodies import Body, read_body
from tfrewrite.loops.calls import is_own, unknown_size
from tfrewrite.loops.carried import Carried, farthest, find_carried, settled
from tfrewrite.loops.headers import Bound, Counted, Header, Tested, is_path, read_header, recomputed
from tfrewrite.loops.lists import Listed, appended_within, find_grown, find_lists, in_an_iteration
from tfrewrite.loops.numbers import COUNTER_BELOW, Interval, Numbers, typed
from tfrewrite.outcomes import Refusal

_MOST_ROUNDS = 6


@dataclass(frozen=True)
class Names:
    """New names that mean nothing else yet where they are to be used."""

    taken: set[str]

    def fresh(self, *wishes: str) -> str:
        """The first wish that is free and nothing of Python's own, or the last one with a number."""
        for wish in wishes:
            if wish not in self.taken and wish.isidentifier() and not iskeyword(wish) and not hasattr(builtins, wish):
                self.taken.add(wish)
                return wish
        last = wishes[-1]
        number = next(n for n in range(2, 1000) if f"{last}_{n}" not in self.taken)
        self.taken.add(f"{last}_{number}")
        return f"{last}_{number}"


@dataclass(frozen=True)
class Plan:
    """One loop as a `tf.while_loop`."""

    body: Body
    header: Header
    counter: str
    """The name of the counter; empty for a loop that runs while a condition holds."""
    step: str
    done: str
    """The name of the flag that a break sets; empty without one."""
    carried: tuple[Carried, ...]
    lists: tuple[Listed, ...]
    index_after: bool
    """Is the index read after the loop?"""
    inner: tuple[Plan, ...]
    passed: tuple[Listed, ...] = ()
    """The lists of loops around this one that its iterations add to."""

    def all(self) -> Iterator[Plan]:
        yield self
        for inner in self.inner:
            yield from inner.all()

    @property
    def at_least_one(self) -> bool:
        match self.header:
            case Counted(expected=expected):
                return (expected or 0) > 0
            case Tested():
                return self.header.always

    def respelled(self, spell: Callable[[gast.AST], str]) -> Plan:
        """The same where what the headers read goes by other names."""
        header = self.header.respelled(spell) if isinstance(self.header, Counted) else self.header
        return replace(self, header=header, inner=tuple(plan.respelled(spell) for plan in self.inner))

    def way(self, listed: Listed) -> tuple[Plan, ...]:
        """This loop and those inside of it that stand around what adds a member to one of its lists."""
        loops = [inner.loop for inner in listed.through]
        inner = next((inner for inner in self.inner if inner.body.loop in loops), None)
        return self, *(inner.way(listed) if inner is not None else ())

    @property
    def needs_an_iteration(self) -> bool:
        """Would the new code differ from the old one after no iteration at all?"""
        return self.index_after or bool(self.lists) or any(variable.live and variable.needs_an_iteration for variable in self.carried)

    @property
    def variables(self) -> tuple[str, ...]:
        """The loop variables, in order."""
        own = [*(variable.name for variable in self.carried), *(listed.name for listed in (*self.lists, *self.passed))]
        return (*([self.counter] if self.counter else []), *own, *([self.done] if self.done else []))


@dataclass(frozen=True)
class Nest:
    """A loop with all that it holds, ready to be written."""

    plan: Plan
    function: Function | gast.Module
    facts: Facts
    """With the numbers that become tensors taken for tensors."""
    tf: str
    names: Names
    varying: Mapping[str, str] = field(default_factory=dict)
    """The Python numbers that change from iteration to iteration, with their types."""
    bounds: Mapping[str, Interval] = field(default_factory=dict)
    capped: frozenset[str] = frozenset()
    """The limits of iterations that may be any number, as something else ends the loop: who writes 10**12 means none."""
    unwanted: str = "_"
    """The name for results that nobody wants."""
    kinds_before: Mapping[str, Kind] = field(default_factory=dict)
    """What the names are before the loop, with nothing assumed."""


def plan_nest(loop: gast.For | gast.While, facts: Facts, tf: str, traced: bool = False, hands_over: bool = False) -> Nest | Refusal:
    """`traced`: does a graph hold the loop already?"""
    function = facts.scopes.function_of(loop) or facts.tree
    if not isinstance(function, gast.FunctionDef | gast.Module) or any(isinstance(one, gast.ClassDef) for one in _around(loop, facts)):
        return Refusal(loop, Code.CONTROL_FLOW, "the loop is in a class or in a coroutine", "Move it into a function.")
    scope = facts.scopes.of[function]
    if scope.is_read_as_a_whole or _is_generator(function):
        return Refusal(loop, Code.OTHER_NAMES, "the names of its function are read by locals(), eval or the like, or it is a generator")
    if any(isinstance(one, gast.Try | gast.With) and not _plain_with(one, facts) for one in _around(loop, facts)):
        return Refusal(loop, Code.CONTROL_FLOW, "the loop is in a try or with block, which may see what it has done so far")
    body = read_body(loop, facts)
    if isinstance(body, Refusal):
        return body
    bodies = list(_all(body))
    for name in body.assigned:
        if scope.lookup(name) is not scope or name in scope.shared:
            return Refusal(loop, Code.OTHER_NAMES, f"{name}, which the loop assigns, is known to other functions too")
    if isinstance(function, gast.Module) and (read := _read_by_functions(loop, set(body.assigned), facts)):
        return Refusal(loop, Code.OTHER_NAMES, f"{read}, which the loop assigns, is read by a function that it calls")
    iterations = facts.iterations(loop)
    thought = settled(bodies, function, facts)
    taken = {name for one in (scope, *_outer(scope), *scope.below()) for name in (*one.bindings, *one.uses)}
    nest = _Planner(function, facts, thought, tf, Names(taken), traced, hands_over)
    for around in _around(loop, facts):
        if isinstance(around, gast.For) and _counts_from_little(around, facts):
            nest.bounds[around.target.id] = -1.0, float(COUNTER_BELOW)
    plan = nest.plan(body)
    if isinstance(plan, Refusal):
        return plan
    varying = nest.varying(plan)
    if isinstance(varying, Refusal):
        return varying
    for name in sorted(nest.capped):
        if sum(isinstance(node, gast.Name) and node.id == name for node in walk_within(loop)) > 1:
            return Refusal(loop, Code.OVERFLOW, f"{name}, to which the loop counts, may not fit in 32 bits: the loop may end before")
    underscore = any("_" in one.uses for one in (scope, *_outer(scope), *scope.below()))
    unwanted = nest.names.fresh("unused") if underscore else "_"
    return Nest(
        plan,
        function,
        thought,
        tf,
        nest.names,
        varying,
        nest.bounds,
        frozenset(nest.capped),
        unwanted,
        iterations.before if iterations is not None else {},
    )


def _read_by_functions(loop: gast.AST, given: set[str], facts: Facts) -> str:
    """A global name that the loop gives and that a function of the file knows, which it may call in any way."""
    calls = any(is_own(node, facts) for node in walk_within(loop))
    names = {name for inner in facts.scopes.module.below() for name in inner.uses} if calls else set()
    return min(given & names, default="")


def _outer(scope: Scope) -> Iterator[Scope]:
    parent = scope.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _is_generator(function: gast.AST) -> bool:
    return any(isinstance(node, gast.Yield | gast.YieldFrom) for node in walk_within(function))


def _around(loop: gast.AST, facts: Facts) -> Iterator[gast.AST]:
    for ancestor in facts.scopes.ancestors(loop):
        if isinstance(ancestor, FUNCTIONS):
            return
        yield ancestor


def _counts_from_little(loop: gast.For, facts: Facts) -> bool:
    """Is it a loop over a range that begins at a small number? Who counts up to a number counts to it."""
    match loop:
        case gast.For(target=gast.Name(), iter=gast.Call(args=[_]) as iterations):
            return facts.called(iterations) == "builtins.range"
        case gast.For(target=gast.Name(), iter=gast.Call(args=[first, _]) as iterations) if facts.called(iterations) == "builtins.range":
            start = facts.kind(first).value
            return isinstance(start, int) and abs(start) < COUNTER_BELOW
    return False


def _plain_with(block: gast.AST, facts: Facts) -> bool:
    """Does a with block only say where or under what name things are computed?"""
    known = ("tensorflow.name_scope", "tensorflow.device")
    return isinstance(block, gast.With) and all(facts.called(item.context_expr) in known for item in block.items)


def _all(body: Body) -> Iterator[Body]:
    yield body
    for inner in body.inner:
        yield from _all(inner)


@dataclass
class _Planner:
    function: Function | gast.Module
    plain: Facts
    facts: Facts
    tf: str
    names: Names
    traced: bool
    hands_over: bool
    bounds: dict[str, Interval] = field(default_factory=dict)
    capped: set[str] = field(default_factory=set)

    def plan(
        self, body: Body, around: tuple[Carried, ...] = (), passing: tuple[Listed, ...] = (), outer: Body | None = None
    ) -> Plan | Refusal:
        """`outer` is the loop around this one, None for the outermost; `around` and `passing` are what it and those around it carry."""
        loop, facts, outermost = body.loop, self.facts, outer is None
        if facts.source.line_of(facts.source.span(loop).start) == facts.source.line_of(facts.source.span(loop.body[0]).start):
            return Refusal(loop, Code.LAYOUT, "the loop's block is on the line of its header", "Give the block lines of its own.")
        header = read_header(loop, facts, self.traced)
        if isinstance(header, Refusal):
            return header
        if isinstance(header, Tested) and header.always and not body.breaks:
            return Refusal(loop, Code.CONTROL_FLOW, "the loop has no condition and no break of its own")
        if refusal := self._header_changes(header, body):
            return refusal
        computed = next((row.source for row in header.rows if not is_path(row.source)), None) if isinstance(header, Counted) else None
        if computed is not None and not (self.hands_over and outermost):
            return recomputed(loop, computed, facts)
        counts = isinstance(header, Counted)
        within = appended_within(body)
        passed = tuple(one for one in passing if one.source in within)
        if self.traced and not outermost and body.appends:
            return Refusal(loop, Code.UNKNOWN_COUNT, f"how many iterations append to {body.appends[0].name} is not known before the loop")
        lists = find_lists(body, self.function, self.plain, facts, header, self.names.fresh, self.traced, passed)
        if isinstance(lists, Refusal):
            return lists
        if (
            outer is not None
            and (loose := next(filter(None, (in_an_iteration(listed, body, outer, facts) for listed in lists)), None)) is not None
        ):
            return loose
        after = facts.liveness(self.function).after(loop)
        if outermost and counts:
            lists += find_grown(body, self.function, self.plain, facts, frozenset(after), self.names.fresh)
        names = frozenset(listed.source for listed in lists)
        counted = frozenset(one.name for one in around if one.number)
        carried = find_carried(body, self.function, self.plain, facts, names, self.tf, counted, not outermost)
        if isinstance(carried, Refusal):
            return carried
        if sized := next(
            (variable.name for variable in carried if variable.grows and _asked_for_its_shape(variable.name, loop, facts)), None
        ):
            return Refusal(loop, Code.OTHER_SHAPE, f"{sized} changes its shape, which the loop reads")
        grown = next((variable.name for variable in carried if variable.grows), None)
        if grown is not None and (node := unknown_size(loop.body, facts)) is not None:
            return Refusal(
                node,
                Code.OTHER_SHAPE,
                f"{facts.edit.short(node)} asks for a size, and {grown} changes its shape from iteration to iteration",
            )
        if isinstance(header, Counted):
            if gone := next((row.name for row in header.rows if row.name in after or row.name in body.assigned), None):
                return Refusal(loop, Code.MAY_CHANGE, f"{gone}, a row, is assigned another value in the loop or read after it")
            if header.index in body.assigned:
                return Refusal(loop, Code.MAY_CHANGE, f"the loop assigns its index {header.index} another value")
            if header.index in after and (header.tensor or header.by_tensors or body.breaks):
                return Refusal(
                    loop, Code.UNKNOWN_VALUE, f"{header.index}, the index, is read after the loop, and what it is then is not known before"
                )
            self._bound(header, body)
        else:
            self._bound_by_test(header, body)
        counter = ""
        if isinstance(header, Counted):
            unread = header.index == "_" and not _is_read("_", loop)
            own = None if header.index is None or unread else header.index
            counter = own or self.names.fresh("i", "j", "k", "iteration")
        step = self.names.fresh(*(("step", "one_step", "step_of_loop") if outermost else ("inner_step", "innermost_step")))
        inner = []
        for one in body.inner:
            plan = self.plan(one, (*around, *carried), (*passed, *lists), body)
            if isinstance(plan, Refusal):
                return plan
            if plan.needs_an_iteration and not plan.at_least_one:
                return Refusal(one.loop, Code.UNKNOWN_COUNT, "the values after an inner loop without iterations would be different")
            inner.append(plan)
        return Plan(
            body,
            header,
            counter,
            step,
            self.names.fresh("done", "stopped") if body.breaks else "",
            tuple(carried),
            tuple(lists),
            isinstance(header, Counted) and header.index in after and header.index is not None,
            tuple(inner),
            passed,
        )

    def _header_changes(self, header: Header, body: Body) -> Refusal | None:
        """What a header reads must mean in every iteration what it meant before the first."""
        if isinstance(header, Tested):
            return None if self.facts.pure(header.test) else Refusal(header.test, Code.EFFECTS, "the loop's condition may have effects")
        given = {*body.assigned, *(row.name for row in header.rows), header.index}
        for node in header.read:
            for one in gast.walk(node):
                if isinstance(one, gast.Name) and one.id in given:
                    return Refusal(node, Code.MAY_CHANGE, f"{one.id}, which the loop runs over, is assigned another value by it")
        return None

    def _bound(self, header: Counted, body: Body) -> None:
        if header.index is not None:
            up = header.step > 0
            ends = [self._ends(header.start, start=up), self._ends(header.stop, start=not up)]
            first, last = ends if header.step > 0 else ends[::-1]
            if header.stop.node is not None and isinstance(header.stop.node, gast.Name) and header.step > 0:
                self.bounds[header.stop.node.id] = -1.0, float(COUNTER_BELOW)
                if body.breaks and header.stop.value is None and not self.traced:
                    self.capped.add(header.stop.node.id)
            # The stop is not reached itself: what is counted down to -1 ends at 0.
            self.bounds[header.index] = (
                (first[0], max(last[1] - 1, first[0])) if header.step > 0 else (first[0] + 1, max(last[1], first[0] + 1))
            )

    def _bound_by_test(self, header: Tested, body: Body) -> None:
        """In `while i < n` no more than in a range: who counts up to a number counts to it."""
        both = isinstance(header.test, gast.BoolOp) and isinstance(header.test.op, gast.And)
        for test in header.test.values if both else [header.test]:
            match test:
                case gast.Compare(left=gast.Name(id=counter), ops=[gast.Lt() | gast.LtE()], comparators=[gast.Name(id=last) as bound]):
                    if counter in body.assigned and last not in body.assigned and typed(self.facts.kind(bound)) == "int":
                        self.bounds.setdefault(last, (-1.0, float(COUNTER_BELOW)))
                        if (both or body.breaks) and not isinstance(self.facts.of_the_text.kind(bound).value, int):
                            self.capped.add(last)

    def _ends(self, bound: Bound, start: bool) -> Interval:
        if bound.value is not None:
            return float(bound.value), float(bound.value)
        if bound.node is None or (start and bound.counts_down):
            return -1.0, float(COUNTER_BELOW)
        low, high = Numbers(self.facts, self.tf, {}, self.bounds).interval(bound.node)
        if start and self.traced:
            low, high = max(low, -float(COUNTER_BELOW)), min(high, float(COUNTER_BELOW))
        # Who counts up to a number counts to it: it isn't larger than what can be counted.
        return (low, high) if start else (max(low, -1.0), min(high, float(COUNTER_BELOW)))

    def varying(self, plan: Plan) -> dict[str, str] | Refusal:
        """The Python numbers that become tensors: indices, those that are carried, and what is computed from them."""
        types: dict[str, str] = {}
        for one in plan.all():
            if isinstance(one.header, Counted) and one.header.index is not None and not one.header.tensor:
                types[one.header.index] = "int"
            types |= {name.name: name.number for name in one.carried if name.number}
            iterations = one.header.iterations if isinstance(one.header, Counted) else None
            for counter in (name.name for name in one.carried if name.number == "int"):
                reach = farthest(counter, one.body, iterations)
                low, high = self.bounds.get(counter, (0.0, 0.0))
                self.bounds[counter] = min(-reach, low), max(reach, high)
        settled = set(types)
        nodes = [node for statement in plan.body.loop.body for node in (statement, *walk_within(statement))]
        for number in types:
            self.bounds.setdefault(number, (-float(COUNTER_BELOW), float(COUNTER_BELOW)))
        for rounds in range(_MOST_ROUNDS + 1):
            known = dict(types), dict(self.bounds)
            for name, type_of, interval in list(_computed_from(nodes, types, self.bounds, self.facts)):
                if types.setdefault(name, type_of) != type_of:
                    return Refusal(
                        plan.body.loop, Code.OTHER_DTYPE, f"{name} is a number of one type here and of another there, and would be a tensor"
                    )
                if name not in settled:
                    low, high = self.bounds.get(name, interval)
                    self.bounds[name] = min(low, interval[0]), max(high, interval[1])
            if (types, self.bounds) == known:
                break
            if rounds == _MOST_ROUNDS:  # it grows from its own last value
                self.bounds |= {name: (-math.inf, math.inf) for name in types if self.bounds[name] != known[1].get(name)}
        for node in nodes:
            if (given := _given_otherwise(node, types, settled, self.facts)) is not None:
                return Refusal(
                    node,
                    Code.PYTHON_NUMBER,
                    f"{given}, a Python number, is computed from what would be a tensor, in a way that is not followed",
                )
        return types


def _is_read(name: str, loop: gast.AST) -> bool:
    return any(isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Load) for node in walk_within(loop))


def _asked_for_its_shape(name: str, loop: gast.AST, facts: Facts) -> bool:
    """In a graph a shape that changes from iteration to iteration is not known."""
    for node in walk_within(loop):
        match node:
            case gast.Attribute(value=gast.Name(id=read), attr="shape" | "ndim" | "get_shape") if read == name:
                return True
            case gast.Call(args=[gast.Name(id=read)]) if read == name and facts.called(node) == "builtins.len":
                return True
            case gast.For(iter=gast.Name(id=read)) if read == name:
                return True
    return False


def _computed_from(
    nodes: Iterable[gast.AST], types: Mapping[str, str], bounds: Mapping[str, Interval], facts: Facts
) -> Iterator[tuple[str, str, Interval]]:
    numbers = Numbers(facts, "tf", types, bounds)
    for node in nodes:
        match node:
            case (
                gast.Assign(targets=[gast.Name(id=name) as target], value=gast.expr() as value)
                | gast.AnnAssign(target=gast.Name(id=name) as target, value=gast.expr() as value)
            ) if facts.kind(value).sort is Sort.NUMBER:
                if name in types or reads_any(types, value):
                    yield name, numbers.type_of(value) or typed(facts.kind(target)), numbers.interval(value)


def reads_any(names: Collection[str], value: gast.AST) -> bool:
    return any(isinstance(node, gast.Name) and node.id in names for node in gast.walk(value))


def _given_otherwise(node: gast.AST, types: Mapping[str, str], settled: Collection[str], facts: Facts) -> str | None:
    """A number that is given by `k += i` or `j, k = i, i + 1`, and isn't one that passes from iteration to iteration."""
    match node:
        case gast.AugAssign(target=gast.Name(id=name) as target, value=value) if name not in settled:
            if facts.kind(target).sort is not Sort.TENSOR and (name in types or reads_any(types, value)):
                number = facts.kind(value).sort is Sort.NUMBER and facts.kind(target).sort in (Sort.NUMBER, Sort.UNKNOWN)
                return str(name) if number else None
        case gast.Assign(targets=[gast.Tuple() as target], value=value) if reads_any(types, value):
            named = [node for node in gast.walk(target) if isinstance(node, gast.Name) and node.id not in settled]
            return next((str(one.id) for one in named if facts.kind(one).sort is not Sort.TENSOR), None)
    return None
