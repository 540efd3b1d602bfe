"""What an iteration of a loop does: the names it gives, the lists it appends to, where it leaves, and what can't be moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, walk_within
from tfrewrite.kinds import Kind, Sort
from tfrewrite.loops import calls
from tfrewrite.outcomes import Refusal

_READS_TENSORS = {"shape", "dtype", "T", "rank", "ndim"}
_CONVERTERS = {"builtins.float", "builtins.int", "builtins.bool", "builtins.len", "builtins.str", "builtins.repr"}
_WHY: tuple[tuple[tuple[type[gast.AST], ...], Code, str], ...] = (
    ((gast.Return,), Code.CONTROL_FLOW, "the loop returns from the function"),
    ((gast.Yield, gast.YieldFrom), Code.CONTROL_FLOW, "the loop yields: its consumer runs between its iterations"),
    ((gast.Await, gast.AsyncFor, gast.AsyncWith), Code.CONTROL_FLOW, "the loop awaits"),
    ((gast.Try, getattr(gast, "TryStar", gast.Try)), Code.CONTROL_FLOW, "exceptions are caught inside of the loop"),
    ((gast.Raise,), Code.RAISES, "the loop raises an exception"),
    ((gast.Assert,), Code.RAISES, "the loop asserts something, which a compiled loop may not do"),
    ((gast.With,), Code.CONTROL_FLOW, "a with block is inside of the loop"),
    ((gast.Global, gast.Nonlocal), Code.EFFECTS, "the loop assigns names of another scope"),
    ((*DEFINITIONS, gast.ClassDef, gast.Lambda), Code.CONTROL_FLOW, "functions are defined inside of the loop"),
    ((gast.Delete,), Code.EFFECTS, "the loop deletes names"),
    ((gast.NamedExpr,), Code.FORM, "names are assigned inside of an expression"),
    ((gast.Match,), Code.CONTROL_FLOW, "AutoGraph doesn't convert a match"),
    ((gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp), Code.CONTROL_FLOW, "a comprehension is inside of the loop"),
    ((gast.Dict, gast.Set), Code.FORM, "dictionaries and sets are made inside of the loop"),
    ((gast.Import, gast.ImportFrom), Code.EFFECTS, "the loop imports something"),
    ((gast.Starred,), Code.FORM, "something is unpacked inside of the loop"),
)


@dataclass(frozen=True)
class Append:
    """`outs.append(value)`, or in `front` of all others `outs.insert(0, value)`.

    `always`: does it stand in the loop's own block, and not under a condition?
    """

    name: str
    statement: gast.Expr
    value: gast.expr
    always: bool
    front: bool = False


@dataclass(frozen=True)
class Body:
    """One loop's own iteration. Inner loops come with their own; `assigned` holds what these assign too."""

    loop: gast.For | gast.While
    assigned: tuple[str, ...]
    appends: tuple[Append, ...]
    breaks: tuple[gast.Break, ...]
    continues: tuple[gast.Continue, ...]
    branches: tuple[gast.If, ...]
    inner: tuple[Body, ...]

    def loops(self) -> Iterator[gast.For | gast.While]:
        yield self.loop
        for inner in self.inner:
            yield from inner.loops()


def read_body(loop: gast.For | gast.While, facts: Facts, known: Callable[[gast.Call], bool] = lambda call: False) -> Body | Refusal:
    """Read a loop's block, or say why it can't be moved into a function. `known` are calls that the loop may make beside others."""
    for statement in loop.body:
        for node in (statement, *walk_within(statement)):
            if isinstance(node, gast.Call) and known(node):
                continue
            if refusal := _obstacle(node, facts):
                return refusal
    inner = []
    for one in _inner_loops(loop.body):
        body = read_body(one, facts, known)
        if isinstance(body, Refusal):
            return body
        inner.append(body)
    own = list(_own(loop.body))
    appends = []
    for statement in own:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[value], keywords=[])):
                appends.append(Append(name, statement, value, any(statement is one for one in loop.body)))
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="insert"), args=[gast.Constant(value=0), value], keywords=[]
                )
            ):
                appends.append(Append(name, statement, value, any(statement is one for one in loop.body), True))
            case gast.Expr(value=gast.Constant()) | gast.Pass():
                pass
            case gast.Expr(value=gast.Call() as call) if assigned_variable(call, facts) is not None:
                pass
            case gast.Expr():
                return Refusal(
                    statement,
                    Code.EFFECTS,
                    f"{facts.edit.short(statement, 'an expression')} is evaluated for its effect, not for its value",
                )
    return Body(
        loop,
        tuple(dict.fromkeys(name for statement in loop.body for name in _given(statement))),
        tuple(appends),
        tuple(one for one in own if isinstance(one, gast.Break)),
        tuple(one for one in own if isinstance(one, gast.Continue)),
        tuple(one for one in own if isinstance(one, gast.If)),
        tuple(inner),
    )


def _inner_loops(statements: Sequence[gast.stmt]) -> Iterator[gast.For | gast.While]:
    return (one for one in _own(statements) if isinstance(one, gast.For | gast.While))


def _own(statements: Sequence[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements of a block and of its branches, without those of inner loops."""
    for statement in statements:
        yield statement
        if isinstance(statement, gast.If):
            yield from _own(statement.body)
            yield from _own(statement.orelse)


def _given(statement: gast.AST) -> list[str]:
    nodes = (statement, *walk_within(statement))
    return [node.id for node in nodes if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)]


def _obstacle(node: gast.AST, facts: Facts) -> Refusal | None:
    for types, code, reason in _WHY:
        if isinstance(node, types):
            return Refusal(node, code, reason)
    match node:
        case gast.Attribute(ctx=gast.Store()):
            return Refusal(node, Code.EFFECTS, f"the loop changes {facts.edit.short(node, 'an attribute')}")
        case gast.Subscript(value=value, ctx=gast.Store()):
            return Refusal(node, Code.EFFECTS, f"the loop writes into {facts.edit.short(value, 'something')}")
        case gast.For(orelse=[_, *_]) | gast.While(orelse=[_, *_]):
            return Refusal(node, Code.CONTROL_FLOW, "the else of a loop has no counterpart in tf.while_loop")
        case gast.For(target=target) if any(isinstance(node, gast.Attribute | gast.Subscript) for node in gast.walk(target)):
            return Refusal(node, Code.FORM, "the loop's target is not a name")
        case gast.Assign(targets=[_, _, *_]):
            return Refusal(node, Code.OTHER_NAMES, "several names are assigned one object, and would have one each")
        case gast.Call():
            return _call(node, facts)
        case gast.Attribute(value=value, attr=attr) if facts.names(node) is None and facts.mutation.may_have_effects(node):
            call = facts.parent(node)
            if isinstance(call, gast.Call) and call.func is node and facts.function_called(call) is not None:
                return None
            if facts.kind(value).sort is not Sort.TENSOR or attr not in _READS_TENSORS:
                return Refusal(node, Code.EFFECTS, f"reading {facts.edit.short(node, 'an attribute')} may run code of this file")
    return None


def _call(call: gast.Call, facts: Facts) -> Refusal | None:
    name = facts.called(call) or ""
    shown = facts.edit.short(call.func, "a function")
    match call:
        case gast.Call(func=gast.Attribute(attr="append"), args=[_], keywords=[]) if isinstance(facts.parent(call), gast.Expr):
            return None
        case gast.Call(func=gast.Attribute(value=gast.Name(), attr="insert"), args=[gast.Constant(value=0), _], keywords=[]):
            if isinstance(facts.parent(call), gast.Expr):
                return None
        case gast.Call(func=gast.Attribute(attr="numpy")):
            return Refusal(call, Code.PYTHON_NUMBER, f"{shown}() reads a tensor's values while the loop runs")
    if assigned_variable(call, facts) is not None and isinstance(facts.parent(call), gast.Expr):
        return None
    if name in ("builtins.print", "tensorflow.print"):
        return Refusal(call, Code.EFFECTS, "the loop prints")
    if facts.op(call).is_random or (name.startswith(("tensorflow.random.", "numpy.random.", "random.")) and "stateless" not in name):
        return Refusal(call, Code.RANDOM, f"{shown} draws random numbers, and a compiled loop would draw others")
    if name.startswith("numpy."):
        return Refusal(call, Code.IN_GRAPH, f"{shown} computes with NumPy, which can't take tensors of a graph")
    if facts.op(call).is_pure and name.startswith("tensorflow."):
        return None
    if name in ("builtins.range", "builtins.enumerate", "builtins.zip", "builtins.reversed"):
        return None if isinstance(facts.parent(call), gast.For | gast.Call) else Refusal(call, Code.FORM, f"{shown} is used as a value")
    if name in _CONVERTERS and len(call.args) == 1:
        if name == "builtins.float" and facts.kind(call.args[0]).sort is Sort.NUMBER:
            return None
        if name == "builtins.len" and facts.kind(call.args[0]).shape is not None:
            return None
        return Refusal(call, Code.PYTHON_NUMBER, f"{shown} makes a Python value while the loop runs")
    function = facts.function_called(call)
    if function is not None:
        return calls.refusal(call, function, facts)
    if is_followed(call, facts):
        return None
    return Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does is not known")


def is_followed(call: gast.Call, facts: Facts) -> bool:
    """Is it a call of something that the text doesn't know, and a run has shown to compute a tensor from tensors and do no more?"""
    if (facts.called(call) or "").startswith(("tensorflow.", "builtins.", "numpy.")) or facts.function_called(call) is not None:
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return facts.pure(call) and all(is_tensor(facts.kind(one)) for one in given) and is_tensor(facts.kind(call))


def assigned_variable(call: gast.Call, facts: Facts) -> gast.expr | None:
    """The variable of `v.assign(x)`, `v.assign_add(x)` or `v.assign_sub(x)`."""
    match call:
        case gast.Call(func=gast.Attribute(value=value, attr="assign" | "assign_add" | "assign_sub"), args=[given], keywords=[]):
            known = facts.kind(value).sort is Sort.VARIABLE and is_tensor(facts.kind(given))
            variable: gast.expr = value
            return variable if known else None
    return None


def computes_with_tensors(loop: gast.For | gast.While | gast.ListComp, facts: Facts) -> bool:
    """Is it a loop that the reader of a report would expect to hear about: one that computes with tensors?"""
    nodes = list(walk_within(loop))
    if any(_is_operation(node, facts) for node in nodes):  # which costs less than to ask what everything is
        return True
    for node in nodes:
        match node:
            case gast.Call() if any(is_tensor(one) for one in (facts.kind(node), *(facts.kind(node).items or ()))):
                return True
            case gast.BinOp() | gast.AugAssign(target=gast.Name()) if is_tensor(
                facts.kind(node if isinstance(node, gast.BinOp) else node.target)
            ):
                return True
    return False


def _is_operation(node: gast.AST, facts: Facts) -> bool:
    return isinstance(node, gast.Call) and facts.op(node).is_known and (facts.called(node) or "").startswith("tensorflow.")


def is_tensor(kind: Kind) -> bool:
    return kind.sort in (Sort.TENSOR, Sort.VARIABLE)
