"""Sums that TensorFlow loses where a loop or a condition of a graph computes them.

Its graph optimiser sorts the parts of a sum by their shapes: h + 1 + h becomes (h + h) + 1, and h + h then 2 * h. That 2 hangs on
h alone, which doesn't hold where h is what the body of a loop, or a path of a condition, is given: the result is an empty
tensor of float32, whatever the sum was (2.16 to 2.21). The same becomes of h * 1 + h and of whatever else folds to h + h while the
graph is made: so does h + rate * h where rate is a Python number that happens to be 1. Straight code, what is computed in the body
itself, other sums of one shape and what XLA compiles come out right.
"""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS
from tfrewrite.kinds import Shape, Sort, same_shape
from tfrewrite.ops.operators import OPERATORS
from tfrewrite.outcomes import Refusal

_NEUTRAL: dict[type[gast.AST], int] = {gast.Mult: 1, gast.Div: 1, gast.FloorDiv: 1, gast.Pow: 1, gast.Sub: 0, gast.Add: 0}
_OPERATORS = {row.name: operator() for operator, row in OPERATORS.items() if operator in _NEUTRAL} | {"divide": gast.Div()}


@dataclass(frozen=True)
class _Value:
    """What is added up to a value: names, and whether something else stands there than one sum of parts of one shape."""

    parts: Counter[str] = field(default_factory=Counter)
    mixed: bool = False
    given_that: str = ""
    """What has to hold for that, were it not certain."""

    def either(self, other: _Value) -> _Value:
        return _Value(self.parts | other.parts, self.mixed or other.mixed, self.given_that or other.given_that)

    def folded(self, given_that: str = "") -> _Value:
        return _Value(self.parts, True, self.given_that if self.mixed else given_that)


_COMPUTED = _Value()
_Known = dict[str, _Value]


def lost_sum(loop: gast.For | gast.While, facts: Facts) -> Refusal | None:
    """A sum of a loop's would be lost, were the loop one of a graph's."""
    stored = {one.id for one in gast.walk(loop) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store)}
    reader = _Reader(facts, frozenset(stored))
    if isinstance(loop, gast.While):
        reader.value(loop.test, {})
    reader.block(loop.body, {})
    return next(iter(reader.found), None)


@dataclass
class _Reader:
    """Reads code as it is traced. What a block hasn't computed itself is given to it."""

    facts: Facts
    stored: frozenset[str]
    """The names that the loop sets: they hold tensors in it, were they numbers before."""
    found: list[Refusal] = field(default_factory=list)
    inside: list[gast.AST] = field(default_factory=list)
    returned: list[_Value] = field(default_factory=list)

    def block(self, statements: Sequence[gast.stmt], known: _Known) -> _Known:
        for statement in statements:
            known = self._statement(statement, known)
        return known

    def _statement(self, statement: gast.stmt, known: _Known) -> _Known:
        match statement:
            case gast.Assign(targets=[gast.Tuple(elts=names)], value=gast.Tuple(elts=values)) if len(names) == len(values):
                given = [self.value(one, known) for one in values]
                return known | {one.id: value for one, value in zip(names, given, strict=True) if isinstance(one, gast.Name)}
            case gast.Assign(targets=targets, value=value):
                return self._given(targets, self.value(value, known), known)
            case gast.AnnAssign(target=target, value=gast.expr() as value):
                return self._given([target], self.value(value, known), known)
            case gast.AugAssign(target=target, op=op, value=value):
                return self._given([target], self._operation(statement, target, op, value, known), known)
            case gast.If(test=test, body=body, orelse=orelse):
                self.value(test, known)
                return self._paths([body, orelse], known)
            case gast.For(target=target, iter=rows, body=body):
                self.value(rows, known)
                return self._paths([body, []], self._given([target], _COMPUTED, known))
            case gast.While(test=test, body=body):
                self.value(test, {})
                return self._paths([body, []], known)
            case gast.Return(value=gast.expr() as value):
                self.returned.append(self.value(value, known))
            case gast.Expr(value=value):
                self.value(value, known)
        return known

    def _given(self, targets: Sequence[gast.expr], value: _Value, known: _Known) -> _Known:
        names = [one for target in targets for one in gast.walk(target) if isinstance(one, gast.Name)]
        return known | {one.id: value if one in targets else _COMPUTED for one in names}

    def _paths(self, paths: Sequence[Sequence[gast.stmt]], known: _Known) -> _Known:
        """Blocks that are functions of the graph's, or stand where they are because Python decides."""
        for path in paths:
            self.block(path, {})
        after = [self.block(path, known) for path in paths]
        names = dict.fromkeys(name for one in after for name in one)
        own = [{name: one.get(name, known.get(name, _of_name(name))) for name in names} for one in after]
        return {name: own[0][name].either(own[1][name]) for name in names}

    def value(self, node: gast.AST, known: _Known) -> _Value:
        match node:
            case gast.Name(id=name):
                return known.get(name, _of_name(name))
            case gast.Attribute() if self.facts.names(node) is None:
                return _of_name(gast.dump(node))
            case gast.BinOp(left=left, op=op, right=right):
                return self._operation(node, left, op, right, known)
            case gast.UnaryOp(op=gast.UAdd(), operand=operand):
                return self.value(operand, known)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                self.value(test, known)
                for path in (body, orelse):
                    self.value(path, {})
                return self.value(body, known).either(self.value(orelse, known))
            case gast.Call():
                return self._call(node, known)
            case gast.Subscript(value=value, slice=place) if _is_all(place):
                return self.value(value, known).folded()
        for child in _expressions(node):
            self.value(child, known)
        return _COMPUTED

    def _operation(self, node: gast.AST, left: gast.AST, op: gast.AST, right: gast.AST, known: _Known) -> _Value:
        if isinstance(op, gast.Add):
            return self._sum(node, (left, right), known)
        of_left, of_right = (self.value(one, known) for one in (left, right))
        if type(op) not in _NEUTRAL:
            return _COMPUTED
        neutral = _NEUTRAL[type(op)]
        if (when := self._when(right, neutral)) is not None:
            return of_left.folded(when)
        if isinstance(op, gast.Mult) and (when := self._when(left, neutral)) is not None:
            return of_right.folded(when)
        return _COMPUTED

    def _when(self, node: gast.AST, neutral: int) -> str | None:
        """What has to hold so that a constant of the graph's stands there, of that value: "" if it does, None if it can't."""
        if isinstance(node, gast.Call):
            row = self.facts.op(node)
            given = node.args[0] if node.args and row.name in ("constant", "cast", "convert_to_tensor") else None
            if given is not None and self.facts.kind(given).sort is Sort.NUMBER:
                return self._when(given, neutral)
            return "" if row.is_uniform else None
        kind = self.facts.kind(node)
        names = {one.id for one in gast.walk(node) if isinstance(one, gast.Name)}
        if kind.sort not in (Sort.NUMBER, Sort.ARRAY, Sort.UNKNOWN) or (names & self.stored and not self.inside):
            return None
        if isinstance(kind.value, int | float):
            return "" if kind.value == neutral else None
        return f"{self.facts.edit.short(node, 'a number')} is {neutral}"

    def _call(self, call: gast.Call, known: _Known) -> _Value:
        row = self.facts.op(call)
        match row.name, call.args:
            case _, [left, right] if (operator := _OPERATORS.get(row.name)) is not None:
                return self._operation(call, left, operator, right, known)
            case "add_n", [gast.List(elts=parts) | gast.Tuple(elts=parts)]:
                return self._sum(call, parts, known)
        given = [self.value(one, known) for one in (*call.args, *(one.value for one in call.keywords))]
        function = self.facts.function_called(call)
        if isinstance(function, gast.FunctionDef) and function not in self.inside:
            of_object = [] if self.facts.callers.function_called(call) is not None else [_COMPUTED]
            handed = dict(zip(_parameters(function), (*of_object, *given[: len(call.args)]), strict=False))
            named = {one.arg: value for one, value in zip(call.keywords, given[len(call.args) :], strict=True) if one.arg is not None}
            return self._of_function(function, handed | named)
        if row.hands_on and given:
            return given[0]
        if row.folds and given:
            return given[0].folded()
        if isinstance(call.func, gast.Attribute) and self.facts.names(call.func) is None:
            self.value(call.func.value, known)
        return _COMPUTED

    def _of_function(self, function: gast.FunctionDef, given: _Known) -> _Value:
        before, self.returned = self.returned, []
        self.inside.append(function)
        self.block(function.body, given)
        self.inside.pop()
        returned, self.returned = self.returned, before
        result = _COMPUTED
        for one in returned:
            result = result.either(one)
        return result

    def _sum(self, node: gast.AST, parts: Sequence[gast.AST], known: _Known) -> _Value:
        values = [self.value(one, known) for one in parts]
        shapes = [self._shape(one) for one in parts]
        names: Counter[str] = Counter()
        for one in values:
            names.update(one.parts)
        whens = [one.given_that for one in values if one.mixed]
        added = [one for one in parts if self.facts.kind(one).sort is not Sort.UNKNOWN]
        whens += [when for one in added if (when := self._when(one, _NEUTRAL[gast.Add])) is not None]
        whens += [""] * (not all(same_shape(shapes[0], one) for one in shapes[1:]))
        result = _Value(names, bool(whens), min(whens, default=""))
        if result.mixed and max(names.values(), default=0) > 1 and self.facts.kind(_target(node)).sort is not Sort.NUMBER:
            self.found.append(self._lost(node, result.given_that))
        return result

    def _lost(self, node: gast.AST, given_that: str) -> Refusal:
        shown = self.facts.edit.short(node, "a sum")
        where = f"where {given_that}, " if given_that else ""
        return Refusal(node, Code.IN_GRAPH, f"{where}in a loop of a graph TensorFlow loses {shown}, which adds up one tensor twice")

    def _shape(self, node: gast.AST) -> Shape:
        kind = self.facts.kind(node)
        return () if kind.sort is Sort.NUMBER else kind.shape


def _is_all(place: gast.AST) -> bool:
    """Is it the `:` of x[:], or what else takes all that is there?"""
    match place:
        case gast.Slice(lower=None, upper=None, step=None) | gast.Constant(value=builtins.Ellipsis):
            return True
        case gast.Tuple(elts=places):
            return all(map(_is_all, places))
    return False


def _of_name(name: str) -> _Value:
    return _Value(Counter([name]))


def _target(node: gast.AST) -> gast.AST:
    return node.target if isinstance(node, gast.AugAssign) else node


def _parameters(function: gast.FunctionDef) -> list[str]:
    return [one.id for one in (*function.args.posonlyargs, *function.args.args)]


def _expressions(node: gast.AST) -> Iterator[gast.AST]:
    """What a node holds, less the code of functions, which is read where they are called."""
    for child in gast.iter_child_nodes(node):
        if not isinstance(child, (*DEFINITIONS, gast.Lambda)):
            yield child
