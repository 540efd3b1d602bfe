"""Loops that AutoGraph puts into the graph by itself, and that raise there, as a list collects what only their iterations know.

for i in tf.range(n):
    outs.append(x + i)              InaccessibleTensorError: the tensor of an iteration is out of reach after the loop
tf.stack(outs)

Such a program can't be asked what it means. It means what it does in eager code, where the index is an int32 tensor; and where that
raises too, as `x + i` does with an x of float32, what the same loop over Python numbers does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import COMPREHENSIONS, block_of, parameters, walk_within
from tfrewrite.kinds import INTEGERS, Kind, Sort
from tfrewrite.loops.bodies import is_tensor
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.lists import Form, Listed
from tfrewrite.loops.plans import Nest
from tfrewrite.outcomes import Refusal


def is_leaking(loop: gast.For | gast.While, facts: Facts) -> bool | Refusal:
    """Does AutoGraph make a loop of the graph of it, and is something appended to?"""
    if not any(map(_is_append, walk_within(loop))):
        return False
    if _over_tensors(loop, facts):
        return True
    asked = loop.test if isinstance(loop, gast.While) else loop.iter
    given, _ = _arguments(loop, (), facts)
    if facts.kind(asked).sort is Sort.UNKNOWN and given and _over_tensors(loop, facts.given(facts.world.supposing(given))):
        shown = facts.edit.short(asked, "what the loop runs over")
        return Refusal(
            asked,
            Code.UNKNOWN_VALUE,
            f"{shown} is not known to be a tensor: AutoGraph makes a loop of the graph of one, and what is appended is lost",
        )
    return False


def _over_tensors(loop: gast.For | gast.While, facts: Facts) -> bool:
    if isinstance(loop, gast.While):
        return facts.kind(loop.test).sort is Sort.TENSOR
    return facts.called(loop.iter) == "tensorflow.range" or facts.kind(loop.iter).sort is Sort.TENSOR


def _is_append(node: gast.AST) -> bool:
    match node:
        case gast.Call(func=gast.Attribute(attr="append"), args=[_], keywords=[]):
            return True
    return False


# What the loop means


def as_meant(loop: gast.For | gast.While, facts: Facts) -> Facts | Refusal:
    """The facts about the loop as it was meant to run: the dtypes of arguments have names, and the index is what it has to be."""
    inside = [node for node in (loop, *walk_within(loop)) if isinstance(node, gast.For)]
    ranges = [node.iter for node in inside if facts.called(node.iter) == "tensorflow.range"]
    given, limits = _arguments(loop, ranges, facts)
    tensors = facts.given(facts.world.supposing({**given, **limits}))
    misfits = list(_misfits(loop, tensors)) if ranges else []
    if not misfits:
        return tensors
    numbers = facts.given(facts.world.supposing(given, {one.func: "builtins.range" for one in ranges}))
    if not any(certain for _, certain in misfits) and (quotient := _free_quotient(loop, numbers)) is not None:
        shown, other = facts.edit.short(quotient), facts.edit.short(misfits[0][0])
        reason = f"{shown} is a tensor of float64 unless {other} makes the index a Python number, and that is not known"
        return Refusal(quotient, Code.UNKNOWN_DTYPE, reason, "Cast the index to the dtype that is meant.")
    return numbers


def _arguments(loop: gast.AST, ranges: Sequence[gast.Call], facts: Facts) -> tuple[dict[gast.AST, Kind], dict[gast.AST, Kind]]:
    """The arguments of a tf.function of which too little is known: those that are taken for tensors of "x.dtype", and limits of ranges.

    Anything else that these may be has no dtype, and is no size of a TensorArray: it raises, as the program does now.
    """
    function = facts.scopes.function_of(loop)
    if not isinstance(function, gast.FunctionDef) or not facts.contexts.traced(function):
        return {}, {}
    counted = {node.id for call in ranges for node in gast.walk(call) if isinstance(node, gast.Name) and _is_counted(node, call, facts)}
    own = parameters(function)[1:] if facts.callers.takes_self(function) else parameters(function)
    plain = [*function.args.posonlyargs, *function.args.args]
    defaulted = plain[len(plain) - len(function.args.defaults) :]
    defaulted += [one for one, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if value is not None]
    other = (*defaulted, function.args.vararg, function.args.kwarg)
    given: dict[gast.AST, Kind] = {}
    limits: dict[gast.AST, Kind] = {}
    for name in own:
        kind = facts.kind(name)
        if name in other or kind.dtype is not None or kind.sort not in (Sort.UNKNOWN, Sort.TENSOR):
            continue
        uses = facts.scopes.of[function].uses.get(name.id, ())
        if any(_is_something_else(use, facts) for use in uses):
            continue
        if name.id in counted:
            limits[name] = Kind(Sort.TENSOR, "int32", ())
        else:
            given[name] = Kind(Sort.TENSOR, f"{name.id}.dtype", kind.shape)
    return given, limits


def _is_something_else(use: gast.AST, facts: Facts) -> bool:
    """Does a name stand where no tensor could: is it called, asked by a text, or for what no tensor has?"""
    match facts.parent(use):
        case gast.Call(func=func):
            return func is use
        case gast.Subscript(value=value, slice=gast.Constant(value=str())):
            return value is use
        case gast.Attribute(attr=attr):
            return attr not in ("shape", "dtype", "ndim", "get_shape")
    return False


def _is_counted(name: gast.Name, call: gast.Call, facts: Facts) -> bool:
    """Does a name stand for a number in a range, and not for something that is measured there?"""
    around = [facts.parent(name)]
    while around[-1] is not call and isinstance(around[-1], gast.BinOp | gast.UnaryOp):
        around.append(facts.parent(around[-1]))
    return around[-1] is call


def _misfits(loop: gast.AST, facts: Facts) -> Iterator[tuple[gast.AST, bool]]:
    """The operations that raise in eager code too, as an int meets a float: each with whether that is certain."""
    for statement in loop.body:
        plain = isinstance(statement, gast.Assign | gast.AugAssign | gast.Expr) and not any(
            isinstance(node, gast.IfExp | gast.BoolOp) for node in walk_within(statement)
        )
        for node in (statement, *walk_within(statement)):
            if (sides := _sides(node, facts)) is not None and (unlike := _unlike(*map(facts.kind, sides))) is not None:
                yield node, unlike and plain


def _sides(node: gast.AST, facts: Facts) -> tuple[gast.AST, gast.AST] | None:
    """The two operands that need one dtype."""
    match node:
        case gast.BinOp(left=left, right=right) | gast.Compare(left=left, comparators=[right]):
            return left, right
        case gast.AugAssign(target=target, value=value):
            return target, value
        case gast.Call() if facts.op(node).is_known:
            arguments = facts.arguments(node) or {}
            return (arguments["x"], arguments["y"]) if {"x", "y"} <= set(arguments) else None
    return None


def _unlike(a: Kind, b: Kind) -> bool | None:
    """Do two operands certainly (True) or perhaps (False) not go together? None where they do."""
    if is_tensor(a) and is_tensor(b):
        if a.dtype is None or b.dtype is None or (a.dtype != b.dtype and "." in a.dtype + b.dtype):
            return False
        return True if a.dtype != b.dtype else None
    for one, other in ((a, b), (b, a)):
        if is_tensor(one) and one.dtype in INTEGERS and not is_tensor(other) and other.dtype != "int":
            return other.dtype == "float" or (False if other.sort in (Sort.UNKNOWN, Sort.NUMBER) else None)
    return None


def _free_quotient(loop: gast.AST, facts: Facts) -> gast.AST | None:
    """A quotient of Python numbers that doesn't at once meet a tensor: of tensors it is a float64, which stays one."""
    for node in walk_within(loop):
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Div) and facts.kind(node).sort is Sort.NUMBER:
            whole: gast.AST = node
            parent = facts.parent(whole)
            while isinstance(parent, gast.BinOp | gast.UnaryOp) and facts.kind(parent).sort is Sort.NUMBER:
                whole, parent = parent, facts.parent(parent)
            if not isinstance(parent, gast.BinOp | gast.AugAssign) or not any(
                is_tensor(facts.kind(one)) for one in _sides(parent, facts) or ()
            ):
                return whole
    return None


# Whether it raises


def why_not_leaking(nest: Nest) -> Refusal | None:
    """A list may hold what was there before the loop: the graph appends that once, while it is traced, and raises nothing."""
    facts, loop = nest.facts, nest.plan.body.loop
    for listed in (listed for listed in nest.plan.lists if listed.form is not Form.GROWN):
        for statement, value in listed.members:
            if not _is_made_by_an_iteration(value, nest, frozenset()):
                shown = facts.edit.short(value, "what is appended")
                reason = f"{shown} may be there before the loop: then a graph appends it once, while it is traced, and raises nothing"
                return Refusal(statement, Code.RAISES, reason, "Loop over a range.")
    if not any(_is_reached(join, nest) for listed in nest.plan.lists for join in _needing(listed, facts)):
        first = nest.plan.lists[0]
        reason = f"it is not certain that {first.source} is joined after the loop, and where it isn't nothing raises now"
        return Refusal(first.start, Code.RAISES, reason)
    if not facts.contexts.only_in_a_graph(loop) and not facts.world.callers_believed:
        return Refusal(
            loop,
            Code.CALLERS_UNKNOWN,
            "other files may call the function eagerly, where the loop works as it is",
            "Decorate it with @tf.function.",
        )
    if any(facts.names(node) == "tensorflow.config.run_functions_eagerly" for node in facts.nodes([gast.Name, gast.Attribute])):
        return Refusal(loop, Code.IN_EAGER, "the file runs functions eagerly, where the loop works as it is")
    if any("InaccessibleTensorError" in vars(node).values() for node in facts.nodes([gast.Name, gast.Attribute])):
        return Refusal(loop, Code.RAISES, "the file expects an InaccessibleTensorError")
    return None


def _needing(listed: Listed, facts: Facts) -> Iterator[gast.AST]:
    """The calls that compute something from the members of a list."""
    yield from listed.joins
    for read in listed.reads:
        call = facts.parent(read)
        if isinstance(call, gast.Call) and call not in listed.lengths:
            yield call


def _is_reached(call: gast.AST, nest: Nest) -> bool:
    """Does what comes after the loop certainly get to a call, with nothing around it that could catch what it raises?"""
    facts, loop = nest.facts, nest.plan.body.loop
    statement = facts.scopes.statement(call)
    between = []
    for one in facts.scopes.ancestors(call):
        if one is statement:
            break
        between.append(one)
    home = facts.parent(loop)
    if (
        home is None
        or facts.parent(statement) is not home
        or any(isinstance(one, (*COMPREHENSIONS, gast.Lambda, gast.IfExp, gast.BoolOp)) for one in between)
    ):
        return False
    if not isinstance(statement, gast.Assign | gast.AnnAssign | gast.AugAssign | gast.Return | gast.Expr):
        return False
    block = block_of(loop, home)
    place = next((i for i, one in enumerate(block) if one is statement), -1)
    first = next(i for i, one in enumerate(block) if one is loop)
    left = (gast.Return, gast.Raise, gast.Break, gast.Continue)
    return place > first and not any(isinstance(node, left) for one in block[first + 1 : place] for node in (one, *walk_within(one)))


def _is_made_by_an_iteration(value: gast.AST, nest: Nest, asked: frozenset[str]) -> bool:
    """Is it certainly a tensor that only an iteration of the loop knows?"""
    facts, loop = nest.facts, nest.plan.body.loop

    def made(node: gast.AST) -> bool:
        return _is_made_by_an_iteration(node, nest, asked)

    match value:
        case gast.Name(id=name):
            if isinstance(loop, gast.For) and isinstance(loop.target, gast.Name) and loop.target.id == name:
                return True
            given = [
                node for node in walk_within(loop) if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)
            ]
            known = asked | {name}
            return bool(given) and (name in asked or all(_given_by_an_iteration(one, nest, known) for one in given))
        case gast.BinOp() | gast.UnaryOp() | gast.Compare():
            return is_tensor(facts.kind(value))
        case gast.Subscript(value=base):
            return is_tensor(facts.kind(base))
        case gast.IfExp(body=body, orelse=orelse):
            return made(body) and made(orelse)
        case gast.Call(args=args) if facts.callers.function_called(value) is not None:
            return bool(args) and all(map(made, args))  # it may return what it is given
        case gast.Call(args=args):
            row = facts.op(value)
            hands_on = row.is_known and (facts.called(value) or "").startswith("tensorflow.")
            return row.makes_node or (hands_on and bool(args) and made(args[0]))
        case gast.List(elts=elts) | gast.Tuple(elts=elts):
            return bool(elts) and all(map(made, elts))
    return False


def _given_by_an_iteration(target: gast.AST, nest: Nest, asked: frozenset[str]) -> bool:
    match nest.facts.parent(target):
        case gast.Assign(targets=[gast.Name()], value=value):
            return _is_made_by_an_iteration(value, nest, asked)
        case gast.AugAssign():
            return is_tensor(nest.facts.kind(target))
        case gast.For(iter=iterable):
            return nest.facts.kind(iterable).is_tensor
    return False


def size_asked(nest: Nest, given: Facts) -> Refusal | None:
    """Where the number of iterations is a tensor's: is it asked for what the graph doesn't know, how many rows there are?"""
    facts, loop, header = nest.facts, nest.plan.body.loop, nest.plan.header
    if has_python_bounds(nest, given) or (isinstance(header, Counted) and header.iterations is not None and not nest.plan.done):
        return None
    stacked = {listed.source for listed in nest.plan.lists}
    lengths = [call for listed in nest.plan.lists for call in listed.lengths]

    def holds(node: gast.AST) -> bool:
        return any(isinstance(one, gast.Name) and one.id in stacked for one in gast.walk(node))

    after = [node for node in walk_within(nest.function) if getattr(node, "lineno", 0) > loop.end_lineno]
    for node in sorted(after, key=lambda one: (one.lineno, one.col_offset)):
        match node:
            case gast.Assign(targets=targets, value=value) if holds(value):
                stacked |= {node.id for target in targets for node in gast.walk(target) if isinstance(node, gast.Name)}
    for node in after:
        match node:
            case gast.Attribute(value=asked, attr="shape" | "get_shape" | "ndim") | gast.For(iter=asked) if facts.names(node) is None:
                pass
            case gast.Call(args=[asked, *_]) if node not in lengths and facts.called(node) in ("builtins.len", "tensorflow.unstack"):
                pass
            case _:
                continue
        if holds(asked):
            return Refusal(
                node,
                Code.UNKNOWN_SHAPE,
                f"the number of rows of {facts.edit.short(asked, 'a tensor')} is read, and a graph doesn't know it",
            )
    return None


# What is written beside the loop


def asserted_iteration(nest: Nest) -> str:
    """The assertion that keeps a loop without an iteration from giving something: there is nothing to stack, and the program raises."""
    header, tf = nest.plan.header, nest.tf
    assert isinstance(header, Counted)
    first, last = header.start, header.stop
    if first.value == 0 and header.step > 0:
        return f"{tf}.debugging.assert_positive({last.text})"
    compare = "less" if header.step > 0 else "greater"
    return f"{tf}.debugging.assert_{compare}({first.text}, {last.text})"


def asserted_members(lists: tuple[Listed, ...], tf: str) -> list[str]:
    """The same after a loop whose iterations are counted by nothing else."""
    return [f"{tf}.debugging.assert_positive({listed.name}.size())" for listed in lists if listed.is_array]


def has_python_bounds(nest: Nest, facts: Facts) -> bool:
    """Is it known while the graph is made how many iterations there are? Where that is wrong, the new code raises as the old one does."""
    header = nest.plan.header
    if not isinstance(header, Counted) or header.rows:
        return False
    believing = facts.given(facts.world.believing_callers())
    return all(Sort.NUMBER in (facts.kind(one).sort, believing.kind(one).sort) for one in header.read)
