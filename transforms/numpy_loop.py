"""Run a loop over a few numbers in NumPy if it runs once.

Before:  def swing(angle, speed):
             for _ in range(2000):
                 speed = speed - 0.01 * tf.sin(angle)
                 angle = angle + 0.01 * speed
             return angle

         result = swing(tf.constant(0.5), tf.constant(0.0))
After:   def swing(angle, speed):
             speed = speed.numpy()
             angle = angle.numpy()
             for _ in range(2000):
                 speed = speed - np.float32(0.01) * np.sin(angle)
                 angle = angle + np.float32(0.01) * speed
             angle = tf.constant(angle)
             return angle

         result = swing(tf.constant(0.5), tf.constant(0.0))

Why:     An eager operation takes about 10 microseconds and a tensor about 700 bytes, however few its numbers; NumPy takes a
         tenth of both. The 2,000 iterations above with each angle in a list: 7.3 -> 0.04 MB, 5.4 -> 0.02 MB kept,
         348 -> 2 ms. Compiled (`compiled_loop`) the first call takes longer: 0.1 s and 8 MB to compile 60 iterations of
         `tanh(x * a + a)`, where NumPy takes 0.2 ms and 0.03 MB, and 65 MB of resident memory where NumPy takes 0.3. Later
         calls are as fast, or 0.1 ms slower. So this rule takes loops that run once in a script, of 50 to 20,000
         operations in all iterations, on tensors of at most 4 kB; `compiled_loop` takes the others. `--verify` measures
         both: 60 rows of `[1000]`, appended and stacked, take 0.53 MB in NumPy and 0.26 compiled, so that is kept. The
         whole process saves the elements of the lists, 2.5 kB each: below 1 MB only `--for time` makes the rewrite.
Safety:  - **Rounding.** NumPy rounds `np.tanh` and numbers below the normal range (`1e-40`, zero in TensorFlow) otherwise.
           Refused where something depends on it: `if x > limit`, or `x = 3.9 * x * (1 - x)`.
         - **Gradients and graphs.** Refused under a `tf.GradientTape`, or where a `tf.function` traces the code.
         - **Dtypes.** Refused unless all are known to be `tf.float32` or `tf.float64`: `np.sum` of int32 is int64, and
           `//` and `%` of integers raise in one and warn in the other.
         - **Python numbers.** Before NumPy 2 a `np.float32` scalar times 0.01 is float64, so numbers are written
           `np.float32(0.01)`.
         - **Arrays change in place.** `x += y` would change an array for all who hold it, so it is written `x = x + y`.
         - **Warnings.** NumPy warns of overflow (`x * 2.0`, 200 times), `0 / 0` and the root of `-1`, TensorFlow doesn't.
           Refused unless the numbers are known to keep within bounds; `--unsafe` assumes it.
         - **Products.** Refused for `tf.matmul`: for its first product NumPy reserves 33.6 MB (eagerly 8.7), and from
           `[100, 100]` on a warm call takes 0.64 MB for 0.21.
         - **No counterpart.** Refused for `tf.nn.softmax`, conditions, `break`, indices such as `x[0]`, inner loops,
           variables and attributes.
         - **Sign of zero.** Of `0.0` and `-0.0` the returned scalar may be the other one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.analyses.value_ranges import Ranges
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS, LOOPS, walk_within
from tfrewrite.kinds import ITEM_BYTES, Kind, Sort, broadcast, same_shape
from tfrewrite.loops.bodies import computes_with_tensors
from tfrewrite.loops.graph_and_xla import operations, rounded, saved_members
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.lists import Form
from tfrewrite.loops.plans import Nest, plan_nest
from tfrewrite.ops.intervals import Range
from tfrewrite.ops.operators import of_operator
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform
from tfrewrite.rounding.operations import Backend

_LEAST_OPERATIONS = 50
_MOST_OPERATIONS = 20_000
_MOST_BYTES = 4096
_DTYPES = ("float32", "float64")
_PRODUCTS = {"matmul", "linalg.matvec", "tensordot", "einsum"}


@transform(gast.For, fidelity=Fidelity.ROUNDING, mentions=("for ",))
def numpy_loop(loop: gast.For, facts: Facts) -> Outcome:
    tf = facts.tensorflow(loop)
    if tf is None or facts.mode(loop) is not Mode.EAGER or not _is_plain(loop, facts) or not computes_with_tensors(loop, facts):
        return None
    nest = plan_nest(loop, facts, tf)
    if isinstance(nest, Refusal) or not isinstance(nest.plan.header, Counted) or nest.plan.header.turns is None:
        return None  # compiled_loop says why
    reads = _reads(nest)
    if reads is None or not _is_small(nest, reads) or not all(map(_is_stacked, nest.plan.lists)):
        return None
    if not nest.plan.lists and not any(one.live for one in nest.plan.carried):
        return None
    count = operations(nest)
    if count < _LEAST_OPERATIONS:
        return None
    if ever_taped(loop, facts) or not facts.only_eager(loop):
        return Refusal(loop, Code.UNDER_TAPE, "a tape or a graph may need the tensors of the loop, and arrays are nothing to either")
    if not runs_once(loop, facts):
        return Refusal(loop, Code.NO_GAIN, "the loop may run more than once, and then it pays to compile it once")
    if count > _MOST_OPERATIONS:
        return Refusal(loop, Code.NO_GAIN, f"{count} operations are so many that to compile them is faster, though it takes 0.1 s and 8 MB")
    found = _Writer(nest, reads).edits()
    if isinstance(found, Refusal):
        return found
    reason = f"NumPy takes a tenth of the time for {count} operations on so few numbers, and nothing has to be compiled"
    doubt = _doubt(nest)
    rewrite = Rewrite(
        loop,
        found,
        reason,
        region=(loop,),
        gradients=False,
        rounded=rounded(nest, Backend.NUMPY),
        signs_zero=tuple(one for one in walk_within(nest.plan.body.loop) if facts.op(one).signs_zero),
        among=nest.facts,
        worth=Worth(Setup.NOTHING, saved_members(nest)),
    )
    if doubt is None:
        return rewrite
    shown = nest.facts.edit.short(doubt.node, "a value of the loop")
    doubt = Refusal(
        loop,
        doubt.code,
        f"{shown} {doubt.reason}: NumPy warns on stderr where a number overflows or isn't one, and TensorFlow is silent",
        "Begin with numbers that stand in the file, and keep what is computed within bounds, as tf.tanh or tf.minimum do.",
    )
    return replace(rewrite, evidence=Evidence.UNPROVEN, doubt=doubt)


# What loop it is


def _is_plain(loop: gast.For, facts: Facts) -> bool:
    """Is it `for i in range(n)` over assignments to names, and appends?"""
    if facts.called(loop.iter) != "builtins.range" or not isinstance(loop.target, gast.Name):
        return False
    for statement in loop.body:
        match statement:
            case gast.Assign(targets=[gast.Name()]) | gast.AugAssign(target=gast.Name()):
                pass
            case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(), attr="append"), args=[_], keywords=[])):
                pass
            case gast.Expr(value=gast.Constant()):
                pass
            case _:
                return False
    return not any(isinstance(node, gast.Attribute) and facts.names(node) is None and node.attr != "append" for node in walk_within(loop))


def _is_stacked(listed: object) -> bool:
    """Is all that is done with a list that tf.stack makes a tensor of it? It takes arrays as it takes tensors."""
    plain = getattr(listed, "form", None) is Form.ROWS and not any(getattr(listed, one) for one in ("firsts", "reads", "lengths", "last"))
    return plain and bool(getattr(listed, "joins", ())) and not getattr(listed, "concat", True)


def _reads(nest: Nest) -> dict[str, list[gast.Name]] | None:
    """The tensors that the loop reads and doesn't give, each with the places; None where something else is read."""
    facts, plan = nest.facts, nest.plan
    assert isinstance(plan.header, Counted)
    own = {*plan.body.assigned, plan.header.index, *(one.source for one in plan.lists)}
    found: dict[str, list[gast.Name]] = {}
    for statement in plan.body.loop.body:
        for node in walk_within(statement):
            if not isinstance(node, gast.Name) or not isinstance(node.ctx, gast.Load) or node.id in own or facts.names(node) is not None:
                continue
            match facts.kind(node).sort:
                case Sort.TENSOR:
                    found.setdefault(node.id, []).append(node)
                case Sort.NUMBER:
                    pass
                case _:
                    return None
    return found


def _is_small(nest: Nest, reads: Mapping[str, Sequence[gast.Name]]) -> bool:
    """Are all tensors of the loop of one float dtype, of shapes that don't change, and of few bytes?"""
    facts, loop = nest.facts, nest.plan.body.loop
    kinds = [facts.kind(nodes[0]) for nodes in reads.values()]
    for statement in loop.body:
        nodes = [statement.value] if isinstance(statement, gast.Expr) else [statement.value, *getattr(statement, "targets", ())]
        kinds += [kind for node in nodes for one in (node, *walk_within(node)) if (kind := facts.kind(one)).is_tensor]
    turns = facts.turns(loop)
    if turns is None or not kinds:
        return False
    for one in nest.plan.carried:
        head, end = turns.head.get(one.name, Kind()), turns.end.get(one.name, Kind())
        before = nest.plain_turns.get(one.name, end)
        if one.number or not same_shape(head.shape, end.shape) or not same_shape(before.shape, end.shape) or one.grows:
            return False
        if one.from_before and before.sort not in (Sort.TENSOR, Sort.NUMBER):
            return False
        kinds.append(end)
    sizes = [kind.size for kind in kinds]
    small = all(
        0 < (size or 0) * ITEM_BYTES.get(kind.dtype or "", _MOST_BYTES + 1) <= _MOST_BYTES for size, kind in zip(sizes, kinds, strict=True)
    )
    return small and len({kind.dtype for kind in kinds}) == 1 and kinds[0].dtype in _DTYPES


def runs_once(node: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> bool:
    """Does the code at a node certainly run no more than once in the life of its process?"""
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, (*LOOPS, *COMPREHENSIONS, gast.Lambda, gast.ClassDef, gast.AsyncFunctionDef)):
            return False
        if isinstance(ancestor, FUNCTIONS):
            calls = facts.callers.calls(ancestor, facts.world.callers_believed)
            only = len(calls) == 1 and len(facts.callers.references(ancestor)) == 1 and ancestor not in seen
            return only and facts.callers.references(ancestor)[0].direct and runs_once(calls[0], facts, seen | {ancestor})
    return facts.callers.is_script


# What NumPy would warn of


def _doubt(nest: Nest) -> Refusal | None:
    """Follow the numbers through all turns; what may leave the bounds of its dtype on the way."""
    facts, plan, loop = nest.facts, nest.plan, nest.plan.body.loop
    header = plan.header
    assert isinstance(header, Counted) and header.turns is not None and header.start.value is not None
    ranges = Ranges(facts, loop)
    known: dict[str, Range] = {}
    for one in plan.carried:
        if one.from_before:
            reads = (node for statement in loop.body for node in walk_within(statement))
            use = next((node for node in reads if isinstance(node, gast.Name) and _is_read(node, one.name, facts)), None)
            if use is None:
                continue  # every turn gives it anew
            origin = ranges.origin(use)
            begin = Refusal(use, Code.UNKNOWN_VALUE, "may be anything before the loop") if origin is None else ranges.of(origin, {})
            if isinstance(begin, Refusal):
                return Refusal(use, Code.UNKNOWN_VALUE, "may be anything before the loop")
            known[one.name] = begin
    last = header.start.value + (header.turns - 1) * header.step
    if header.index is not None:
        known[header.index] = float(min(header.start.value, last)), float(max(header.start.value, last))
    for _ in range(header.turns):
        before = dict(known)
        for statement in loop.body:
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=value):
                    found = ranges.of(value, known)
                case gast.AugAssign(target=gast.Name(id=name) as target, op=op, value=value):
                    found = ranges.changed(target, op, value, known)
                case gast.Expr(value=gast.Call(args=[value])):
                    name, found = "", ranges.of(value, known)
                case _:
                    continue
            if isinstance(found, Refusal):
                return found
            known[name] = found
        if known == before:
            return None
    return None


def _is_read(node: gast.Name, name: str, facts: Facts) -> bool:
    """Is the name read here, as `x += 1` reads it too?"""
    if node.id != name:
        return False
    return isinstance(node.ctx, gast.Load) or isinstance(facts.parent(node), gast.AugAssign)


# What becomes of it


@dataclass
class _Writer:
    nest: Nest
    reads: Mapping[str, Sequence[gast.Name]]

    def edits(self) -> tuple[Edit, ...] | Refusal:
        facts, loop = self.nest.facts, self.nest.plan.body.loop
        numpy = facts.numpy(loop)
        if numpy is None:
            return Refusal(loop, Code.NAME_TAKEN, "np is something else than NumPy here", "Write `import numpy as np` at the top.")
        name, imports = numpy
        body: list[Edit] = []
        for statement in loop.body:
            for node in (statement, *walk_within(statement)):
                found = self._of(node, name)
                if isinstance(found, Refusal):
                    return found
                body += found
        before, renamed = self._before(name)
        after = [f"{one.name} = {self.nest.tf}.constant({one.name})" for one in self.nest.plan.carried if one.live]
        newline = facts.source.newline
        begin, indentation = self._above()
        first = Edit(begin, begin, "".join(f"{indentation}{line}{newline}" for line in before))
        span = facts.source.span(loop)
        own_line = facts.source.text[facts.source.line_start(span.start) : span.start].strip() == ""
        end = facts.edit.insert_after(loop, f"{newline}{indentation}".join(after)) if after else None
        if not own_line or (after and end is None):
            return Refusal(loop, Code.LAYOUT, "the loop shares its lines with other statements")
        edits = (first, *renamed, *body, *([end] if end is not None else []))
        used = any(f"{name}." in one.text for one in edits)
        return (*imports, *edits) if used else edits

    def _above(self) -> tuple[int, str]:
        """Where the lines before the loop go: above the comments that speak of it."""
        source = self.nest.facts.source
        start = source.line_start(source.span(self.nest.plan.body.loop).start)
        indentation = source.indentation(start)
        while start > 0:
            above = source.line_start(start - 1)
            if not source.text[above:start].startswith(f"{indentation}#"):
                break
            start = above
        return start, indentation

    def _before(self, numpy: str) -> tuple[list[str], list[Edit]]:
        """The lines that make arrays of what comes in, and the new names of what others read as a tensor."""
        facts, plan, loop = self.nest.facts, self.nest.plan, self.nest.plan.body.loop
        lines: list[str] = []
        edits: list[Edit] = []
        for one in plan.carried:
            if not one.from_before:
                continue
            number = self.nest.plain_turns.get(one.name, Kind()).sort is Sort.NUMBER
            lines.append(f"{one.name} = {numpy}.{one.dtype}({one.name})" if number else f"{one.name} = {one.name}.numpy()")
        function = self.nest.function
        scope, after = facts.scopes.of[function], facts.liveness(function).after(loop)
        for name, nodes in self.reads.items():
            known = any(name in inner.uses or name in inner.bindings for inner in scope.below())
            own = scope.lookup(name) is scope and name not in scope.shared and not isinstance(function, gast.Module)
            if own and not known and name not in after and not any(isinstance(one, LOOPS) for one in facts.scopes.ancestors(loop)):
                lines.append(f"{name} = {name}.numpy()")
                continue
            array = self.nest.names.fresh(f"{name}_array", f"{name}_values")
            lines.append(f"{array} = {name}.numpy()")
            edits += [_replaced(node, array, facts) for node in nodes]
        return lines, edits

    def _of(self, node: gast.AST, numpy: str) -> list[Edit] | Refusal:
        facts = self.nest.facts
        match node:
            case gast.BinOp(left=left, op=op, right=right) if facts.kind(node).is_tensor:
                if isinstance(op, gast.MatMult):
                    return _no_product(node)
                power = isinstance(op, gast.Pow) and isinstance(right, gast.Constant) and right.value in (2, 3)
                if of_operator(op).interval is None and not power:
                    return self._unknown(node)
                return self._meeting(node, [left, right], numpy)
            case gast.AugAssign(target=target, op=op, value=value) if facts.kind(target).is_tensor:
                if of_operator(op).interval is None:
                    return self._unknown(node)
                met = self._meeting(node, [target, value], numpy)
                return met if isinstance(met, Refusal) else [*met, *self._in_place(node)]
            case gast.UnaryOp(op=op) if facts.kind(node).is_tensor and not isinstance(op, gast.USub):
                return self._unknown(node)
            case gast.Call(func=gast.Attribute(attr="append")) if isinstance(facts.parent(node), gast.Expr):
                return []
            case gast.Call() if facts.kind(node).is_tensor or any(facts.kind(one).is_tensor for one in node.args):
                return self._call(node, numpy)
            case gast.Compare() | gast.BoolOp() | gast.IfExp() | gast.Subscript() | gast.JoinedStr():
                return self._unknown(node)
        return []

    def _call(self, call: gast.Call, numpy: str) -> list[Edit] | Refusal:
        facts = self.nest.facts
        row = facts.op(call)
        if row.name in _PRODUCTS:
            return _no_product(call)
        same, reduces = row.numpy, row.reduces
        keywords = {one.arg for one in call.keywords} <= ({"axis", "keepdims"} if reduces else set())
        constant = all(_is_setting(one) for one in (*call.args[1:], *(one.value for one in call.keywords))) if reduces else True
        arguments = facts.arguments(call) or {}
        operands = [arguments[one] for one in ("x",) if one in arguments] if reduces else list(call.args)
        if not same or not keywords or not constant or not operands or len(call.args) > 2 or not facts.called(call):
            return self._unknown(call)
        met = self._meeting(call, operands, numpy)
        return met if isinstance(met, Refusal) else [*met, _replaced(call.func, f"{numpy}.{same}", facts)]

    def _meeting(self, node: gast.AST, operands: Sequence[gast.expr], numpy: str) -> list[Edit] | Refusal:
        """Python numbers that meet a NumPy number are wrapped: before NumPy 2 they would make a float64 of it."""
        facts = self.nest.facts
        kinds = [facts.kind(one) for one in operands]
        tensors = [kind for kind in kinds if kind.is_tensor]
        if not tensors or any(kind.sort not in (Sort.TENSOR, Sort.NUMBER) or kind.dtype == "bool" for kind in kinds):
            return self._unknown(node)
        if len(tensors) == 2 and not _go_together(tensors[0], tensors[1]):
            return Refusal(node, Code.UNKNOWN_SHAPE, f"{facts.edit.short(node, 'an operation')}: its operands are not known to fit")
        if tensors[0].shape != () or tensors[0].dtype == "float64":
            return []
        edits: list[Edit] = []
        for operand, kind in zip(operands, kinds, strict=True):
            if kind.sort is Sort.NUMBER:
                edits += facts.edit.rebuild(operand, [f"{numpy}.{tensors[0].dtype}(", (operand, 1), ")"])
        return edits

    def _in_place(self, statement: gast.AugAssign) -> list[Edit]:
        """`x += y` changes an array for all who hold it, and a tensor for nobody else: then it is `x = x + y`."""
        facts, loop, name = self.nest.facts, self.nest.plan.body.loop, statement.target.id
        kinds = [facts.kind(node) for one in loop.body for node in walk_within(one) if _gives(node, name)]
        turns = facts.turns(loop)
        first = turns.head.get(name, kinds[0]) if turns is not None else Kind()
        shapes = {kind.shape for kind in (*kinds, first)}
        value = facts.kind(statement.value)
        fits = len(shapes) == 1 and (value.sort is Sort.NUMBER or broadcast(kinds[0].shape, value.shape) == kinds[0].shape)
        held = any(_holds(one, name) for one in loop.body)
        if kinds[0].shape == () or (fits and not held):
            return []
        source = facts.source
        target, operand = source.span(statement.target), facts.edit.outer_span(statement.value)
        sign = source.text[target.end : operand.start].strip().removesuffix("=")
        whole = facts.edit.precedence(gast.BinOp(left=statement.target, op=statement.op, right=statement.value))
        loose = facts.edit.precedence(statement.value) <= whole and operand == source.span(statement.value)
        edits = [Edit(target.end, operand.start, f" = {name} {sign} {'(' if loose else ''}")]
        return [*edits, Edit(operand.end, operand.end, ")")] if loose else edits

    def _unknown(self, node: gast.AST) -> Refusal:
        return Refusal(
            node,
            Code.UNKNOWN_CALL,
            f"{self.nest.facts.edit.short(node, 'an operation')} has no counterpart in NumPy that is known to be the same",
        )


def _no_product(node: gast.AST) -> Refusal:
    return Refusal(node, Code.NO_GAIN, "NumPy sets 33.6 MB aside for its first product, where compiled code needs 14")


def _replaced(node: gast.AST, text: str, facts: Facts) -> Edit:
    span = facts.source.span(node)
    return Edit(span.start, span.end, text)


def _is_setting(node: gast.AST) -> bool:
    """Is it an axis, or a truth value, that is written as it is?"""
    match node:
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int())) | gast.Constant(value=int() | None):
            return True
    return False


def _go_together(x: Kind, y: Kind) -> bool:
    if x.dtype != y.dtype or not isinstance(x.shape, tuple) or not isinstance(y.shape, tuple):
        return False
    return all(a == b or 1 in (a, b) for a, b in zip(reversed(x.shape), reversed(y.shape), strict=False))


def _gives(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)


def _holds(statement: gast.stmt, name: str) -> bool:
    """May another name, a list, or another name's array be the same object as this one's after the statement?"""
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=value)):
            return name in (target, value)
        case gast.Expr(value=gast.Call(args=[gast.Name(id=value)])):
            return bool(value == name)
    return False
