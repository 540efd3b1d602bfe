"""What passes from iteration to iteration: the loop variables, what they begin as, and the shapes that they keep."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import Function, parameters, walk_within
from tfrewrite.facts.walk.environment import Iterations
from tfrewrite.kinds import (
    FLOATS,
    INTEGERS,
    OF_PYTHON,
    Dim,
    Kind,
    Shape,
    Sort,
    Symbol,
    broadcast_sizes,
    same_dim,
    same_shape,
    spelled_dtype,
    tensor,
)
from tfrewrite.loops.bodies import Body
from tfrewrite.loops.numbers import COUNTER_BELOW, typed
from tfrewrite.outcomes import Refusal

_MOST_ROUNDS = 4
_MOST_IN_SINGLE = (2 - 2**-23) * 2.0**127


@dataclass(frozen=True)
class WrittenShape:
    """A shape as the new code writes it: sizes, and the shape of a tensor (`x.shape`, `x.shape[1:]`) that follows them."""

    sizes: tuple[str, ...] = ()
    rest: str = ""

    def __str__(self) -> str:
        return f"[{', '.join((*self.sizes, *([f'*{self.rest}'] if self.rest else [])))}]" if self.sizes or not self.rest else self.rest

    def invariant(self, tf: str) -> str:
        """As a `tf.TensorShape`, which `x.shape` is already."""
        return f"{tf}.TensorShape({self})" if self.sizes or not self.rest else self.rest


@dataclass(frozen=True)
class Carried:
    """One loop variable. `number` is its type where it is a Python number in the loop as it was written."""

    name: str
    initial: str
    invariant: str
    live: bool
    """Is it read after the loop?"""
    dtype: str
    number: str = ""
    needs_an_iteration: bool = False
    """Is it only after an iteration what it is in the new code: a tensor, or there at all?"""
    grows: bool = False
    from_before: bool = True
    """Does its first value come from before the loop?"""
    begins_as_zeros: bool = False
    """Is `initial` made of its shape alone?"""


def carried_names(body: Body, function: Function | gast.Module, facts: Facts) -> tuple[list[str], list[str]]:
    """The names that an iteration gives to the next one, and those that it gives to what comes after the loop alone."""
    live = facts.liveness(function)
    after = live.after(body.loop)
    carried = live.carried(body.loop)
    if isinstance(body.loop, gast.While):
        carried |= {node.id for node in gast.walk(body.loop.test) if isinstance(node, gast.Name)}
    return [one for one in body.assigned if one in carried], [one for one in body.assigned if one in after and one not in carried]


def settled(bodies: list[Body], function: Function | gast.Module, facts: Facts) -> Facts:
    """The facts, were the Python numbers and arrays that become tensors in the first iteration tensors from the beginning."""
    assumed: dict[gast.AST, dict[str, Kind]] = {}
    for _ in range(_MOST_ROUNDS):
        changed = False
        for body in bodies:
            iterations = facts.iterations(body.loop)
            if iterations is None:
                continue
            for name in carried_names(body, function, facts)[0]:
                wanted = _wanted(name, iterations, body, facts)
                known = assumed.setdefault(body.loop, {})
                if wanted is not None and (name not in known or (known[name].shape != wanted.shape and wanted.shape is not None)):
                    changed = True
                    known[name] = wanted
        if not changed:
            break
        facts = facts.given(facts.world.assuming(assumed))
    return facts


def _wanted(name: str, iterations: Iterations, body: Body, facts: Facts) -> Kind | None:
    before, end = iterations.before.get(name, Kind()), iterations.end.get(name, Kind())
    if name not in iterations.before and _given_in_the_first_iteration(name, body, facts):
        kind = facts.kind(_stores(name, body)[0])
        return tensor(kind.dtype, kind.shape) if kind.sort is Sort.TENSOR else None
    if before.sort is Sort.NUMBER and (added := _addend(name, body)) is not None:
        kind = facts.kind(added)
        known = kind.sort is Sort.TENSOR and isinstance(kind.shape, tuple) and None not in kind.shape
        if known and kind.dtype is not None and _becomes(before.dtype or "", kind.dtype):
            return tensor(kind.dtype, kind.shape)
    if end.sort is Sort.UNKNOWN and before.sort in (Sort.NUMBER, Sort.ARRAY):
        # Some iterations may leave it as it is: what the others give it is what it has to be.
        given = [facts.kind(node) for node in _stores(name, body)]
        end = next((kind for kind in given if kind.sort is Sort.TENSOR), end)
    if end.sort is not Sort.TENSOR or end.dtype is None:
        return None
    match before.sort:
        case Sort.NUMBER if _becomes(before.dtype or "", end.dtype):
            return tensor(end.dtype, ())
        case Sort.ARRAY if before.dtype == end.dtype:
            return tensor(end.dtype, before.shape)
    return None


def _becomes(number: str, dtype: str) -> bool:
    """Can a Python number be one of that dtype? 0.0 is no int32, so it may be none of a dtype that isn't known."""
    if "." in dtype:
        return number == "int"
    match number:
        case "int":
            return dtype in FLOATS | INTEGERS or dtype.startswith("complex")
        case "float":
            return dtype in FLOATS or dtype.startswith("complex")
    return number == dtype


def _stores(name: str, body: Body) -> list[gast.Name]:
    nodes = (node for statement in body.loop.body for node in walk_within(statement))
    return [node for node in nodes if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)]


def _addend(name: str, body: Body) -> gast.expr | None:
    """What is added to a name, where that is all that is done with it: then the sum can begin with its shape."""
    nodes = [node for statement in body.loop.body for node in (statement, *walk_within(statement))]
    if isinstance(body.loop, gast.While):
        nodes += list(gast.walk(body.loop.test))
    mentions = [node for node in nodes if isinstance(node, gast.Name) and node.id == name]
    for node in nodes:
        match node:
            case gast.AugAssign(target=gast.Name(id=target), op=gast.Add() | gast.Sub(), value=value) if target == name:
                added: gast.expr = value
                return added if len(mentions) == 1 else None
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right)):
                if target == name and len(mentions) == 2:
                    other: gast.expr = right if isinstance(left, gast.Name) and left.id == name else left
                    itself = left if other is right else right
                    commutes = isinstance(op, gast.Add) or other is right
                    return other if commutes and isinstance(itself, gast.Name) and itself.id == name else None
    return None


def find_carried(
    body: Body,
    function: Function | gast.Module,
    plain: Facts,
    facts: Facts,
    lists: frozenset[str],
    tf: str,
    counted: frozenset[str],
    inner: bool,
) -> list[Carried] | Refusal:
    """The loop variables, in the order in which the body gives them. `plain` are the facts with nothing assumed.

    `counted` are the numbers that a loop around this one carries: how far they go was judged with that one. `inner`: is there one?
    """
    iterations, original = facts.iterations(body.loop), plain.iterations(body.loop)
    if iterations is None or original is None:
        return Refusal(body.loop, Code.NO_GAIN, "the loop is never reached")
    names, results = carried_names(body, function, facts)
    after = facts.liveness(function).after(body.loop)
    reaching = known_before(body, function, facts, original)
    found = []
    for name in [*names, *results]:
        if name in lists:
            continue
        before = original.before.get(name) if name in names else None
        begun = before is not None and before.sort in (Sort.NUMBER, Sort.ARRAY, Sort.VARIABLE)
        if (
            begun
            and name in after
            and iterations.end.get(name, Kind()).sort is Sort.TENSOR
            and original.end.get(name, Kind()).sort is not Sort.TENSOR
        ):
            assert before is not None
            return Refusal(
                body.loop,
                Code.CONTROL_FLOW,
                f"{name}, a {before.sort.value} before the loop, becomes a tensor in some iterations only, and perhaps in none",
            )
        if name in results and _is_alike_before(name, original.before.get(name, Kind()), iterations.end.get(name, Kind()), body, facts):
            found.append(Carried(name, name, f"{name}.shape", name in after, iterations.end[name].dtype or ""))
            continue
        one = _carried(name, before, iterations, body, name in after, facts, reaching, tf, name in results, name in counted, inner)
        if isinstance(one, Refusal):
            return one
        found.append(one)
    return found


def with_dtypes(loop: gast.For | gast.While, facts: Facts, together: bool) -> Facts:
    """The facts, where a parameter that is declared a tensor and read in the loop has a dtype by name: "x.dtype", whatever that is.

    `together`: are operands taken for those of one dtype that every iteration computes with? Else it raises.
    """
    function = facts.scopes.function_of(loop)
    if not isinstance(function, gast.FunctionDef):
        return facts
    read = {node.id for node in walk_within(loop) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)}
    kinds = {name: facts.kind(name) for name in parameters(function) if name.id in read}
    given: dict[gast.AST, Kind] = {
        name: replace(kind, dtype=f"{name.id}.dtype") for name, kind in kinds.items() if kind.sort is Sort.TENSOR and kind.dtype is None
    }
    bindings = facts.scopes.of[function].bindings
    while given:
        named = facts.given(facts.world.supposing(given))
        # A name that gets another dtype later doesn't say which one is meant.
        changing = [
            name for name in given if any(named.kind(one).dtype != named.kind(name).dtype for one in bindings[getattr(name, "id", "")])
        ]
        for name in changing:
            del given[name]
        met = next(_met(loop, named), None) if together and not changing else None
        if met is None and not changing:
            return named
        for name, kind in given.items():
            if met is not None and kind.dtype == met[0]:
                given[name] = replace(kind, dtype=met[1])
    return facts


def _met(loop: gast.For | gast.While, facts: Facts) -> Iterator[tuple[str, str]]:
    """Dtypes that an iteration computes with as one, the first known by a name only, and the other one."""
    for statement in loop.body:
        if not isinstance(statement, gast.Assign | gast.AugAssign | gast.AnnAssign | gast.Expr):
            return
        for node in walk_within(statement):
            match node:
                case gast.IfExp() | gast.BoolOp() | gast.Lambda() | gast.ListComp() | gast.GeneratorExp():
                    return
                case gast.BinOp(left=left, right=right):
                    operands = [left, right]
                case gast.Call() if facts.op(node).name in ("matmul", "linalg.matvec"):
                    operands = [one for name, one in (facts.arguments(node) or {}).items() if name in ("x", "y")]
                case _:
                    continue
            kinds = [kind for kind in map(facts.kind, operands) if kind.is_tensor and kind.dtype is not None]
            dtypes = sorted({kind.dtype or "" for kind in kinds}, key=lambda one: ("." not in one, one))
            if len(dtypes) == 2 and "." in dtypes[0]:
                yield dtypes[0], dtypes[1]


def _is_alike_before(name: str, before: Kind, end: Kind, body: Body, facts: Facts) -> bool:
    """Is a name that every iteration gives anew a tensor like that before the loop, so that it can be the first value itself?"""
    alike = before.sort is end.sort is Sort.TENSOR and before.dtype is not None and before.dtype == end.dtype
    if not alike or before.shape is None or not same_shape(before.shape, end.shape):
        return False
    around = facts.parent(body.loop)
    given = [facts.scopes.statement(binding) for binding in facts.scopes.names[_stores(name, body)[0]].bindings.get(name, ())]
    return any(one.lineno < body.loop.lineno and facts.parent(one) is around for one in given)


def known_before(body: Body, function: Function | gast.Module, facts: Facts, iterations: Iterations) -> dict[str, Kind]:
    """What is known of the names whose values from before the loop it reads."""
    carried = carried_names(body, function, facts)[0]
    return {name: kind for name, kind in iterations.before.items() if name not in body.assigned or name in carried}


def _carried(
    name: str,
    before: Kind | None,
    iterations: Iterations,
    body: Body,
    live: bool,
    facts: Facts,
    written: Mapping[str, Kind],
    tf: str,
    only_result: bool,
    counted: bool,
    inner: bool,
) -> Carried | Refusal:
    head, end = iterations.before.get(name, Kind()), iterations.end.get(name, Kind())
    if only_result:
        return _result(name, end, body, iterations, True, tf, written)
    if before is None:
        if _given_in_the_first_iteration(name, body, facts):
            return _result(name, end, body, iterations, live, tf, written)
        return Refusal(body.loop, Code.CONTROL_FLOW, f"{name} is first assigned in the loop, in some of its iterations only")
    if before.sort is Sort.NUMBER and end.sort is Sort.NUMBER:
        return _number(name, before, end, body, live, tf, counted, inner)
    if before.sort is Sort.TUPLE and end.sort is Sort.TUPLE:
        return _pair(name, before, end, body, live, tf)
    if end.sort is not Sort.TENSOR or before.sort not in (Sort.TENSOR, Sort.VARIABLE, Sort.NUMBER, Sort.ARRAY):
        what = f"{before} before the loop" if end.sort is Sort.TENSOR else f"{end} after an iteration"
        return Refusal(body.loop, Code.UNKNOWN_VALUE, f"{name}, a loop variable, is not known to be a tensor ({what})")
    if head.dtype is None or end.dtype is None:
        return Refusal(body.loop, Code.UNKNOWN_DTYPE, f"the dtype of the loop variable {name} is not known")
    if is_too_large(before, head.dtype):
        return Refusal(
            body.loop, Code.OVERFLOW, f"{name} is larger than any {head.dtype}: infinite where it meets one, and an error as one"
        )
    if head.dtype != end.dtype:
        return Refusal(body.loop, Code.OTHER_DTYPE, f"{name} is of {head.dtype} before the loop and of {end.dtype} after an iteration")
    kept = shape_kept(name, head.shape, end.shape, tf)
    if kept is None:
        return unknown_shape(f"what shape {name} has after an iteration is not known", head.shape, end.shape, body, facts)
    invariant, grows = kept
    initial = _initial(name, before, head, written_shape(head.shape, iterations, body, written), tf)
    if initial is None:
        return Refusal(body.loop, Code.UNKNOWN_SHAPE, f"{name} is a number before the loop and of an unknown shape after an iteration")
    scalar = before.sort is Sort.NUMBER
    if scalar or (before.shape == () and head.shape != ()):
        sizes = WrittenShape() if head.shape == () else written_shape(head.shape, iterations, body, written)
        invariant = f"{tf}.TensorShape(None)" if sizes is None else sizes.invariant(tf)
    return Carried(
        name,
        initial,
        invariant,
        live,
        head.dtype,
        needs_an_iteration=before.sort is not Sort.TENSOR or before.shape != head.shape,
        grows=grows,
        begins_as_zeros=_is_widened(before, head) and before.value == 0,
    )


def unknown_shape(what: str, before: Shape, end: Shape, body: Body, facts: Facts) -> Refusal:
    """A shape that isn't known to be kept, and which relation between sizes or which rank is missing."""
    missing = _missing(before, end)
    if missing is not None:
        reason = f"{what}: {missing[0]} is not known to be {missing[1]}"
        return Refusal(body.loop, Code.UNKNOWN_SHAPE, reason, f"Where it is, write `assert {missing[0]} == {missing[1]}` before the loop.")
    unranked = _unranked(body, facts)
    if not unranked:
        return Refusal(body.loop, Code.UNKNOWN_SHAPE, what)
    several = f"{', '.join(unranked[:-1])} and {unranked[-1]} have" if len(unranked) > 1 else f"{unranked[0]} has"
    remedy = f"Say it before the loop, as by `{unranked[0]}.shape.assert_has_rank(2)`, or all sizes by tf.debugging.assert_shapes."
    return Refusal(body.loop, Code.UNKNOWN_SHAPE, f"{what}: how many axes {several} is not known", remedy)


def _missing(before: Shape, end: Shape) -> tuple[str, str] | None:
    """The one size that has to be another one for a shape to be kept, and that other one."""
    if not isinstance(before, tuple) or not isinstance(end, tuple) or len(before) != len(end):
        return None
    pairs = [(x, y) for x, y in zip(before, end, strict=True) if not same_dim(x, y)]
    if len(pairs) != 1:
        return None
    (kept, found) = pairs[0]
    others = [one for one in broadcast_sizes(found) if one != kept]
    if len(others) != 1 or kept is None or not _is_spelled(kept) or not _is_spelled(others[0]):
        return None
    return str(others[0]), str(kept)


def _is_spelled(size: Dim) -> bool:
    """Is it a size that the program itself can write: a number, `n`, `w.shape[1]`?"""
    return isinstance(size, int) or (isinstance(size, Symbol) and not size.name.startswith(("this", "the ")))


def _unranked(body: Body, facts: Facts) -> list[str]:
    """The tensors that an iteration reads and doesn't make, and of which nobody knows how many axes they have."""
    nodes = (node for statement in body.loop.body for node in (statement, *walk_within(statement)))
    names = [node for node in nodes if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id not in body.assigned]
    return [*dict.fromkeys(str(one.id) for one in names if (kind := facts.kind(one)).is_tensor and kind.rank is None)]


def is_too_large(number: Kind, dtype: str) -> bool:
    """Is it a finite Python number that no tensor of that dtype holds, so that tf.constant raises?"""
    value = number.value
    if number.sort is not Sort.NUMBER or not isinstance(value, float) or not math.isfinite(value) or dtype not in FLOATS - {"float64"}:
        return False
    return abs(value) > _MOST_IN_SINGLE


def _pair(name: str, before: Kind, end: Kind, body: Body, live: bool, tf: str) -> Carried | Refusal:
    """A tuple of tensors, such as `(h, c)`, which a loop variable may be as a whole."""
    invariant = _kept_within(name, before, end, tf)
    if invariant is None:
        return Refusal(
            body.loop, Code.UNKNOWN_VALUE, f"{name}, a loop variable, is not known to be a tuple of tensors that keep their shape and dtype"
        )
    return Carried(name, name, invariant, live, "")


def _kept_within(path: str, before: Kind, end: Kind, tf: str) -> str | None:
    if before.sort is Sort.TENSOR and end.sort is Sort.TENSOR and before.dtype is not None and before.dtype == end.dtype:
        kept = shape_kept(path, before.shape, end.shape, tf)
        return None if kept is None or kept[1] else kept[0]
    if before.sort is not Sort.TUPLE or end.sort is not Sort.TUPLE or before.instance is not None or end.instance is not None:
        return None
    if not before.items or len(before.items) != len(end.items or ()):
        return None
    parts = [_kept_within(f"{path}[{place}]", x, y, tf) for place, (x, y) in enumerate(zip(before.items, end.items or (), strict=True))]
    known = [part for part in parts if part is not None]
    return f"({', '.join(known)}{',' if len(known) == 1 else ''})" if len(known) == len(parts) else None


def _is_widened(before: Kind, head: Kind) -> bool:
    """Does a single number become a tensor of some shape?"""
    return before.shape != head.shape and before.shape == ()


def _initial(name: str, before: Kind, head: Kind, sizes: WrittenShape | None, tf: str) -> str | None:
    dtype = spelled_dtype(head.dtype or "", tf)
    if _is_widened(before, head):
        if sizes is None:
            return None
        return f"{tf}.zeros({sizes}, {dtype})" if before.value == 0 else f"{tf}.fill({sizes}, {tf}.cast({name}, {dtype}))"
    match before.sort:
        case Sort.NUMBER:
            return name if OF_PYTHON.get(before.dtype or "") == head.dtype else f"{tf}.constant({name}, {dtype})"
        case Sort.VARIABLE | Sort.ARRAY:
            return f"{tf}.convert_to_tensor({name})"
    return name


def _number(name: str, before: Kind, end: Kind, body: Body, live: bool, tf: str, counted: bool, inner: bool) -> Carried | Refusal:
    own = typed(before)
    if not own or typed(end) != own:
        return Refusal(
            body.loop, Code.OTHER_DTYPE, f"{name} is a Python number of one type before the loop, and of another after an iteration"
        )
    known = isinstance(before.value, int) and abs(before.value) <= 2**20
    if own == "int" and not counted and not ((known and _counts(name, body)) or _counts_down(name, body)):
        return Refusal(body.loop, Code.OVERFLOW, f"{name} is a Python int that may grow without bound, and tensors of ints don't")
    # In the iteration of another loop it is a tensor already.
    initial = f"{tf}.constant({name}, {tf}.float64)" if own == "float" and not inner else name
    dtype = {"int": "int32", "float": "float64", "bool": "bool"}[own]
    return Carried(name, initial, f"{tf}.TensorShape([])", live, dtype, own)


def _counts(name: str, body: Body) -> bool:
    """Does an int only go up or down by small numbers? In inner loops, with their many iterations, by very small ones."""
    inner = {id(node) for inner in body.inner for node in walk_within(inner.loop)}
    for statement in body.loop.body:
        for node in (statement, *walk_within(statement)):
            most = 2**4 if id(node) in inner else 2**10
            match node:
                case gast.AugAssign(target=gast.Name(id=target), op=op, value=value) if target == name:
                    if not isinstance(op, gast.Add | gast.Sub) or not _small(value, most):
                        return False
                case gast.Assign(targets=targets, value=value) if any(
                    isinstance(node, gast.Name) and node.id == name for target in targets for node in gast.walk(target)
                ):
                    match value:
                        case gast.Constant(value=int()) if len(targets) == 1 and isinstance(targets[0], gast.Name):
                            pass
                        case gast.BinOp(left=gast.Name(id=left), op=gast.Add() | gast.Sub(), right=right) if left == name and _small(
                            right, most
                        ):
                            pass
                        case _:
                            return False
                case gast.For(target=target) if any(isinstance(node, gast.Name) and node.id == name for node in gast.walk(target)):
                    return False
    return True


def _counts_down(name: str, body: Body) -> bool:
    """Is it `left` in `while left > 0: ... left -= 1`? Who counts a number down to its end can't have begun too high."""
    if not isinstance(body.loop, gast.While) or body.breaks:
        return False
    match body.loop.test:
        case gast.Compare(left=gast.Name(id=left), ops=[gast.Gt() | gast.GtE()], comparators=[gast.Constant(value=int())]):
            bounded = left == name
        case gast.Name(id=left):
            bounded = left == name
        case _:
            return False
    steps = [node for statement in body.loop.body for node in (statement, *walk_within(statement)) if isinstance(node, gast.AugAssign)]
    down = [step for step in steps if isinstance(step.op, gast.Sub) and _positive(step.value)]
    own = [one for one in down if isinstance(one.target, gast.Name) and one.target.id == name]
    return bounded and len(own) == len(_stores(name, body))


def farthest(name: str, body: Body, iterations: int | None) -> float:
    """How far from 0 an int that a loop counts can get; with small steps, as all of these have."""
    total = 0
    for statement in body.loop.body:
        for node in (statement, *walk_within(statement)):
            match node:
                case gast.AugAssign(target=gast.Name(id=target), value=gast.Constant(value=int(step))) if target == name:
                    total += abs(step)
                case gast.Assign(
                    targets=[gast.Name(id=target)], value=gast.BinOp(left=gast.Name(), right=gast.Constant(value=int(step)))
                ) if target == name:
                    total += abs(step)
    most_iterations = COUNTER_BELOW if iterations is None or body.inner else iterations
    return float(COUNTER_BELOW + total * most_iterations)


def _positive(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, int) and 0 < node.value <= 2**4


def _small(node: gast.AST, most: int) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, int) and abs(node.value) <= most


def _given_in_the_first_iteration(name: str, body: Body, facts: Facts) -> bool:
    """Does the block begin with `if i == 0: h = ...`, where the first iteration has that index?"""
    match body.loop:
        case gast.For(
            target=gast.Name(id=index),
            iter=gast.Call(args=[_] | [gast.Constant(value=0), _]) as iterations,
            body=[gast.If(test=gast.Compare(left=gast.Name(id=left), ops=[gast.Eq()], comparators=[gast.Constant(value=0)])) as first, *_],
        ) if index == left and facts.called(iterations) == "builtins.range":
            return any(
                isinstance(statement, gast.Assign)
                and any(isinstance(target, gast.Name) and target.id == name for target in statement.targets)
                for statement in first.body
            ) and not any(_reads(name, statement) for statement in first.body)
    return False


def _reads(name: str, statement: gast.AST) -> bool:
    return any(isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Load) for node in gast.walk(statement))


def _result(
    name: str, end: Kind, body: Body, iterations: Iterations, live: bool, tf: str, written: Mapping[str, Kind]
) -> Carried | Refusal:
    """A name that the loop gives first: it has to be something before the first iteration too."""
    if end.sort is not Sort.TENSOR or end.dtype is None:
        return Refusal(body.loop, Code.UNKNOWN_VALUE, f"{name} is first assigned in the loop, and is not known to be a tensor")
    sizes = written_shape(end.shape, iterations, body, written)
    if sizes is None:
        return Refusal(body.loop, Code.UNKNOWN_SHAPE, f"{name} is first assigned in the loop, and its shape is not known")
    zeros = f"{tf}.zeros({sizes}, {spelled_dtype(end.dtype, tf)})"
    return Carried(name, zeros, sizes.invariant(tf), live, end.dtype, needs_an_iteration=True, from_before=False, begins_as_zeros=True)


def shape_kept(name: str, before: Shape, end: Shape, tf: str) -> tuple[str, bool] | None:
    """The invariant of a loop variable, and whether any of its sizes changes; None where that isn't known."""
    if same_shape(before, end):
        return f"{name}.shape", False
    if not isinstance(before, tuple) or not isinstance(end, tuple) or len(before) != len(end):
        return None
    sizes = []
    for axis, (x, y) in enumerate(zip(before, end, strict=True)):
        sizes.append((str(x) if isinstance(x, int) else f"{name}.shape[{axis}]") if same_dim(x, y) else "None")
    return f"{tf}.TensorShape([{', '.join(sizes)}])", True


def written_shape(shape: Shape, iterations: Iterations, body: Body, written: Mapping[str, Kind]) -> WrittenShape | None:
    """How a shape can be written before the loop: as that of a name that the loop reads, or in numbers.

    `written` is what the names are before the loop in the program as it was written.
    """
    if shape == ():
        return WrittenShape()
    known = {path for path, kind in _tensors(written) if kind.is_tensor}
    ends = dict(_tensors(iterations.end))
    for path, kind in sorted(_tensors(_read(iterations.before, body)), key=lambda item: (item[0].name not in body.assigned, str(item[0]))):
        keeps_its_shape = path.name not in body.assigned or same_shape(kind.shape, ends.get(path, kind).shape)
        if kind.is_tensor and path in known and keeps_its_shape:
            if same_shape(kind.shape, shape):
                return WrittenShape(rest=f"{path}.shape")
            if isinstance(kind.shape, tuple) and isinstance(shape, tuple) and shape and same_shape(kind.shape[1:], shape):
                return WrittenShape(rest=f"{path}.shape[1:]")
    if isinstance(shape, tuple) and all(isinstance(dim, int) for dim in shape):
        return WrittenShape(tuple(map(str, shape)))
    return None


@dataclass(frozen=True)
class Path:
    """A name, or an element of the tuple or list that it is."""

    name: str
    place: int | None = None

    def __str__(self) -> str:
        return self.name if self.place is None else f"{self.name}[{self.place}]"


def _tensors(kinds: Mapping[str, Kind]) -> Iterator[tuple[Path, Kind]]:
    """The names, and of those that are tuples the elements."""
    for name, kind in kinds.items():
        if kind.sort is Sort.TUPLE and kind.items and kind.instance is None:
            yield from ((Path(name, place), item) for place, item in enumerate(kind.items))
        else:
            yield Path(name), kind


def _read(known: Mapping[str, Kind], body: Body) -> dict[str, Kind]:
    whole = [body.loop.iter] if isinstance(body.loop, gast.For) else [body.loop.test]
    names = {
        node.id
        for statement in (*whole, *body.loop.body)
        for node in (statement, *walk_within(statement))
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)
    }
    return {name: kind for name, kind in known.items() if name in names}
