"""Decides in the graph what depends on tensors, where AutoGraph may not do it: every block becomes a function that it gives.

if i % 2 == 0:                def when_true(x):
    # a comment                   # a comment
    x = x * 2.0                   x = x * 2.0
else:                             return x
    x = x - 1.0       ->
                              def otherwise(x):
                                  x = x - 1.0
                                  return x

                              x = tf.cond(
                                  i % 2 == 0,
                                  lambda: when_true(x),
                                  lambda: otherwise(x),
                              )

Each lambda has a line of its own: AutoGraph can't tell two on one line apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from tokenize import COMMENT

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import walk_within
from tfrewrite.kinds import Kind, Sort, same_shape
from tfrewrite.loops.autograph_and_tapes import by_tensor
from tfrewrite.loops.numbers import Numbers
from tfrewrite.loops.plans import Nest, Plan
from tfrewrite.outcomes import Edit, Refusal
from tfrewrite.source import Span, apply_edits

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Arm:
    """One block of an `if`, as a function; without a test what is done otherwise."""

    test: gast.expr | None
    body: Sequence[gast.stmt]
    name: str
    parameters: tuple[str, ...]

    @property
    def called(self) -> str:
        return f"lambda: {self.name}({', '.join(self.parameters)})" if self.parameters else self.name


@dataclass(frozen=True)
class Choice:
    """An `if` with its `elif`s and `else`, and the names that it gives."""

    statement: gast.If
    arms: tuple[Arm, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """What the loops of a nest decide by tensors."""

    nest: Nest
    statements: tuple[Choice, ...]
    expressions: tuple[gast.expr, ...]
    """The largest expressions that choose or combine truths: `a if c else b`, `a and b`, `not a`."""

    def spelled(self, node: gast.AST, edits: Iterable[Edit] = ()) -> str:
        """An expression as TensorFlow computes it, with the edits that lie in it made."""
        edits = list(edits)
        facts, tf = self.nest.facts, self.nest.tf
        if _is_of_tensors(node, self.nest):
            match node:
                case gast.BoolOp(op=op, values=[first, *others]):
                    function = "logical_and" if isinstance(op, gast.And) else "logical_or"
                    text = self.spelled(first, edits)
                    for other in others:
                        text = f"{tf}.{function}({text}, {self.spelled(other, edits)})"
                    return text
                case gast.UnaryOp(op=gast.Not(), operand=operand):
                    return f"{tf}.logical_not({self.spelled(operand, edits)})"
                case gast.IfExp(test=test, body=body, orelse=orelse):
                    paths = [f"lambda: {self.spelled(one, edits)}" for one in (body, orelse)]
                    return self._called(self.spelled(test, edits), paths, facts.source.indentation(facts.source.span(node).start))
        span = facts.edit.outer_span(node)
        inside = [Edit(edit.start - span.start, edit.end - span.start, edit.text) for edit in edits if _within(edit, span)]
        return apply_edits(facts.source.text[span.start : span.end], inside)

    def _called(self, test: str, paths: Sequence[str], indent: str) -> str:
        """A call of `tf.cond`, whose lines go on from one that begins with `indent`."""
        newline, unit = self.nest.facts.source.newline, self.nest.facts.edit.unit
        rows = "".join(f"{indent}{unit}{one},{newline}" for one in (test, *paths))
        return f"{self.nest.tf}.cond({newline}{rows}{indent})"

    def beside(self, edits: Sequence[Edit]) -> list[Edit]:
        """The edits that stay, of those made elsewhere, with the expressions that are spelled anew."""
        facts = self.nest.facts
        taken = [facts.edit.outer_span(expression) for expression in self.expressions]
        tests = [facts.edit.outer_span(arm.test) for choice in self.statements for arm in choice.arms if arm.test is not None]
        stay = [edit for edit in edits if not any(_within(edit, span) for span in (*taken, *tests))]
        return stay + [Edit(span.start, span.end, self.spelled(one, edits)) for one, span in zip(self.expressions, taken, strict=True)]

    def edits(self, choice: Choice, inside: Sequence[Edit]) -> list[Edit]:
        """An `if` as functions and a call; `inside` are the edits that its conditions need."""
        facts = self.nest.facts
        source = facts.source
        own = source.indentation(source.span(choice.statement).start)
        found: list[Edit] = []
        for arm, following in zip(choice.arms, (*choice.arms[1:], None), strict=True):
            begin, head = facts.edit.opening(choice.statement) if arm is choice.arms[0] else (_keyword(arm, choice, facts), "")
            after = facts.edit.outer_span(arm.test).end if arm.test is not None else begin + len("else")
            found.append(Edit(begin, facts.edit.colon(after), f"{head}def {arm.name}({', '.join(arm.parameters)})"))
            inner = source.indentation(source.span(arm.body[0]).start)
            end = facts.edit.block_end(arm.body[-1], inner)
            text = f"{inner}return {', '.join(choice.results)}{source.newline}{source.newline}"
            if following is None:
                call = self._call(choice, own, inside)
                text += f"{own}{', '.join(choice.results)} = {call}{source.newline}"
            if not source.text[source.span(arm.body[-1]).end : end].endswith(("\n", "\r")):
                text = source.newline + text.removesuffix(source.newline)
            found.append(Edit(end, end, text))
        return found

    def _call(self, choice: Choice, indent: str, inside: Sequence[Edit]) -> str:
        *arms, last = choice.arms
        if last.test is not None:
            unchanged = choice.results[0] if len(choice.results) == 1 else f"({', '.join(choice.results)})"
            arms, otherwise = [*arms, last], f"lambda: {unchanged}"
        else:
            otherwise = last.called
        unit = self.nest.facts.edit.unit
        for depth, arm in reversed(list(enumerate(arms))):
            assert arm.test is not None
            text = self._called(self.spelled(arm.test, inside), (arm.called, otherwise), indent + unit * depth)
            otherwise = f"lambda: {text}"
        return text


def _within(edit: Edit, span: Span) -> bool:
    return span.start <= edit.start and edit.end <= span.end


def _keyword(arm: Arm, choice: Choice, facts: Facts) -> int:
    """Where the `elif` or `else` of a block stands."""
    before = choice.arms[[one is arm for one in choice.arms].index(True) - 1]
    token = facts.source.next_token(facts.source.span(before.body[-1]).end)
    while token is not None and token.string not in ("elif", "else"):
        token = facts.source.next_token(token.end)
    assert token is not None
    return token.start


def _is_of_tensors(node: gast.AST, nest: Nest) -> bool:
    """Is it an expression that asks whether something is true that is a tensor?"""
    match node:
        case gast.BoolOp(values=values):
            return any(by_tensor(value, nest.varying, nest.facts) for value in values)
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return by_tensor(operand, nest.varying, nest.facts)
        case gast.IfExp(test=test):
            return by_tensor(test, nest.varying, nest.facts)
    return False


def plan_choices(nest: Nest) -> Choices | Refusal:
    """What has to be decided in the graph, or why it can't be."""
    planner = _Planner(nest, [])
    if refusal := planner.loop(nest.plan, frozenset()):
        return refusal
    tests = [arm.test for choice in planner.found for arm in choice.arms if arm.test is not None]
    tests += [plan.body.loop.test for plan in nest.plan.all() if isinstance(plan.body.loop, gast.While)]
    for test in tests:
        if refusal := _truth(test, nest):
            return refusal
    apart = {below for test in tests for below in gast.walk(test)}
    expressions = []
    for node in (node for statement in nest.plan.body.loop.body for node in gast.walk(statement)):
        if node not in apart and isinstance(node, gast.expr) and _is_of_tensors(node, nest):
            if refusal := _truth(node, nest) if not isinstance(node, gast.IfExp) else _either(node, nest):
                return refusal
            apart |= set(gast.walk(node))
            expressions.append(node)
    return Choices(nest, tuple(planner.found), tuple(expressions))


def _truth(node: gast.AST, nest: Nest) -> Refusal | None:
    """Is it one bool, that may be computed as a whole even where Python would have stopped in between?"""
    facts, shown = nest.facts, nest.facts.edit.short(node, "a condition")
    if any(token.type == COMMENT for token in facts.source.tokens_in(facts.source.span(node))):
        return Refusal(node, Code.TEXT_LOST, "a comment is inside of a condition that moves")
    if any(isinstance(one, gast.IfExp) for one in gast.walk(node)):
        return Refusal(node, Code.CONTROL_FLOW, f"{shown} holds a choice between values")
    if not _is_of_tensors(node, nest):
        return None
    match node:
        case gast.BoolOp(values=values):
            for value in values:
                if refusal := _truth(value, nest) or _is_bool(value, nest):
                    return refusal
            if risky := next((value for value in values[1:] if not _harmless(value, nest)), None):
                reason = "is only computed where the conditions before it allow it, and in a graph it would be in every iteration"
                return Refusal(risky, Code.CONTROL_FLOW, f"{facts.edit.short(risky, 'a condition')} {reason}")
        case gast.UnaryOp(operand=operand):
            return _truth(operand, nest) or _is_bool(operand, nest)
    return None


def _is_bool(node: gast.AST, nest: Nest) -> Refusal | None:
    facts = nest.facts
    kind = facts.kind(node)
    single = kind.sort is Sort.TENSOR and kind.dtype == "bool" and kind.shape == ()
    number = kind.sort is Sort.NUMBER and Numbers(facts, nest.tf, nest.varying, nest.bounds).type_of(node) == "bool"
    if single or number or _is_of_tensors(node, nest):
        return None
    return Refusal(node, Code.UNKNOWN_VALUE, f"{facts.edit.short(node, 'a condition')} is not known to be a single bool")


def _harmless(node: gast.AST, nest: Nest) -> bool:
    """Does it raise nothing, whatever its operands are?"""
    match node:
        case gast.Name() | gast.Constant():
            return True
        case gast.BoolOp(values=parts):
            return all(_harmless(part, nest) for part in parts)
        case gast.Compare(left=left, comparators=others):
            return all(_harmless(one, nest) for one in (left, *others))
        case gast.UnaryOp(operand=operand):
            return _harmless(operand, nest)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right):
            return _harmless(left, nest) and _harmless(right, nest)
        case gast.BinOp(left=left, op=gast.Div() | gast.FloorDiv() | gast.Mod(), right=gast.Constant(value=int() | float() as value)):
            return value != 0 and _harmless(left, nest)
        case gast.Call(args=[one], keywords=[]):
            row = nest.facts.op(node)
            return (row.reduces or row.name == "abs") and isinstance(one, gast.Name)
    return False


def _either(node: gast.IfExp, nest: Nest) -> Refusal | None:
    """May both values of a conditional expression be those of a `tf.cond`?"""
    facts = nest.facts
    if any(_is_of_tensors(one, nest) for part in (node.body, node.orelse) for one in gast.walk(part)):
        return Refusal(node, Code.CONTROL_FLOW, "a conditional expression holds another one")
    if any(token.type == COMMENT for token in facts.source.tokens_in(facts.source.span(node))):
        return Refusal(node, Code.TEXT_LOST, "a comment is inside of a conditional expression")
    kinds = [facts.kind(node.body), facts.kind(node.orelse)]
    return _truth(node.test, nest) or _is_bool(node.test, nest) or _alike(node, kinds, "the conditional expression")


def _alike(node: gast.AST, kinds: Sequence[Kind], what: str) -> Refusal | None:
    first = kinds[0]
    for kind in kinds:
        if kind.sort is not Sort.TENSOR or kind.dtype is None or kind.dtype != first.dtype:
            return Refusal(node, Code.UNKNOWN_DTYPE, f"{what} is not known to be a tensor of one dtype, whichever way is taken")
        if not same_shape(kind.shape, first.shape):
            return Refusal(node, Code.UNKNOWN_SHAPE, f"{what} is not known to be of one shape, whichever way is taken")
    return None


@dataclass(frozen=True)
class _Planner:
    nest: Nest
    found: list[Choice]
    """From the inside out, in the order of the text."""

    def loop(self, plan: Plan, known: frozenset[str]) -> Refusal | None:
        given = {node.id for node in _stores([plan.body.loop.target])} if isinstance(plan.body.loop, gast.For) else set()
        result = self._block(plan.body.loop.body, plan, known | given | set(plan.variables))
        return result if isinstance(result, Refusal) else None

    def _block(self, statements: Sequence[gast.stmt], plan: Plan, known: frozenset[str]) -> frozenset[str] | Refusal:
        """Follow a block, which has these names from before, to those that it certainly has at its end."""
        for statement in statements:
            match statement:
                case gast.If(test=test) if by_tensor(test, self.nest.varying, self.nest.facts):
                    choice = self._choice(statement, plan, known)
                    if isinstance(choice, Refusal):
                        return choice
                    self.found.append(choice)
                    known |= set(choice.results)
                case gast.If(body=body, orelse=orelse):
                    ends = [self._block(block, plan, known) for block in (body, orelse)]
                    for end in ends:
                        if isinstance(end, Refusal):
                            return end
                    known = frozenset.intersection(*(end for end in ends if not isinstance(end, Refusal)))
                case gast.For() | gast.While():
                    inner = next(plan for plan in self.nest.plan.all() if plan.body.loop is statement)
                    if refusal := self.loop(inner, known):
                        return refusal
                    known |= {variable.name for variable in inner.carried if variable.live}
                case _:
                    known |= {node.id for node in _stores([statement])}
        return known

    def _choice(self, statement: gast.If, plan: Plan, known: frozenset[str]) -> Choice | Refusal:
        facts = self.nest.facts
        blocks = self._blocks(statement)
        if isinstance(blocks, Refusal):
            return blocks
        for _, body in blocks:
            if refusal := self._movable(body):
                return refusal
        live = facts.liveness(self.nest.function)
        wanted = live.after(statement) | set(plan.variables)
        results = tuple(dict.fromkeys(node.id for _, body in blocks for node in _stores(body) if node.id in wanted))
        if not results:
            return Refusal(statement, Code.NO_GAIN, "nothing reads what is computed under a condition")
        if refusal := self._typed(statement, results, known):
            return refusal
        names = self._names(len(blocks), blocks[-1][0] is None)
        arms = []
        for (test, body), name in zip(blocks, names, strict=True):
            surely = _surely(body)
            if missing := next((result for result in results if result not in surely and result not in known), None):
                return Refusal(
                    statement, Code.CONTROL_FLOW, f"{missing} is assigned under a condition, and is not known to be there otherwise"
                )
            read = live.before(body[0])
            parameters = tuple(
                one for one in dict.fromkeys(node.id for node in _stores(body)) if one in read or (one in results and one not in surely)
            )
            if unknown := next((parameter for parameter in parameters if parameter not in known), None):
                return Refusal(statement, Code.CONTROL_FLOW, f"{unknown} is read under a condition, and is not known to be there before")
            end = self._block(body, plan, known)
            if isinstance(end, Refusal):
                return end
            arms.append(Arm(test, body, name, parameters))
        if blocks[-1][0] is not None and (missing := next((result for result in results if result not in known), None)):
            return Refusal(statement, Code.CONTROL_FLOW, f"{missing} is assigned under a condition, and is not known to be there otherwise")
        return Choice(statement, tuple(arms), results)

    def _blocks(self, statement: gast.If) -> list[tuple[gast.expr | None, Sequence[gast.stmt]]] | Refusal:
        """The blocks of an `if` with their tests; that of its `else` has none."""
        facts = self.nest.facts
        blocks: list[tuple[gast.expr | None, Sequence[gast.stmt]]] = []
        while True:
            blocks.append((statement.test, statement.body))
            match statement.orelse:
                case []:
                    return blocks
                case [gast.If() as following] if facts.source.text.startswith("elif", facts.source.span(following).start):
                    if not by_tensor(following.test, self.nest.varying, facts):
                        return Refusal(following, Code.CONTROL_FLOW, "of the conditions some are decided by Python, and some by tensors")
                    statement = following
                case otherwise:
                    return [*blocks, (None, otherwise)]

    def _movable(self, body: Sequence[gast.stmt]) -> Refusal | None:
        facts = self.nest.facts
        head = facts.source.text[facts.source.line_start(facts.source.span(body[0]).start) : facts.source.span(body[0]).start]
        if head.strip():
            return Refusal(body[0], Code.LAYOUT, "a block is on the line of its condition", "Give the block lines of its own.")
        collecting = [member for plan in self.nest.plan.all() for listed in plan.lists for member, _ in listed.members]
        for statement in body:
            for node in (statement, *walk_within(statement)):
                if node in collecting:
                    return Refusal(
                        node,
                        Code.CONTROL_FLOW,
                        "something is collected under a condition on tensors, and AutoGraph may not convert this function",
                    )
                if isinstance(node, gast.Break | gast.Continue):
                    return Refusal(
                        node,
                        Code.CONTROL_FLOW,
                        "an iteration ends early under a condition on tensors, and AutoGraph may not convert this function",
                    )
        return None

    def _typed(self, statement: gast.If, results: Sequence[str], known: frozenset[str]) -> Refusal | None:
        """Is every result, wherever the loop gives it, a tensor of one dtype and shape?"""
        nest = self.nest
        stores = list(_stores(nest.plan.body.loop.body))
        carried = {variable.name: variable for plan in nest.plan.all() for variable in plan.carried}
        for name in results:
            kinds = [nest.facts.kind(node) for node in stores if node.id == name]
            if name in nest.varying:
                if nest.varying[name] not in ("int", "bool") or any(kind.sort is not Sort.NUMBER for kind in kinds):
                    return Refusal(
                        statement,
                        Code.OTHER_DTYPE,
                        f"{name}, a number that is assigned under a condition, may become a tensor of another dtype",
                    )
                continue
            if refusal := _alike(statement, kinds, f"{name}, assigned under a condition,"):
                return refusal
            if name in carried and carried[name].dtype != kinds[0].dtype:
                return Refusal(statement, Code.OTHER_DTYPE, f"{name}, assigned under a condition, changes its dtype")
        return None

    def _names(self, blocks: int, otherwise: bool) -> list[str]:
        fresh = self.nest.names.fresh
        tests = blocks - otherwise
        names = [fresh("when_true")] if tests == 1 else [fresh(f"{_PLACES[min(i, 5)]}_case") for i in range(tests)]
        return [*names, *([fresh("otherwise")] if otherwise else [])]


def _stores(nodes: Iterable[gast.AST]) -> Iterator[gast.Name]:
    for one in nodes:
        for node in (one, *walk_within(one)):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
                yield node


def _surely(body: Sequence[gast.stmt]) -> set[str]:
    """The names that a block gives whichever way it goes."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case gast.If(body=then, orelse=otherwise):
                found |= _surely(then) & _surely(otherwise)
            case gast.For() | gast.While():
                pass
            case _:
                found |= {node.id for node in _stores([statement])}
    return found
