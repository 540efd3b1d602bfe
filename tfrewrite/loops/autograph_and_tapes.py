"""What AutoGraph can convert, and what may be where the loop stands: a tape, a graph, a compiled function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import DEFINITIONS, walk_within
from tfrewrite.kinds import Kind, Sort, Symbol, same_shape
from tfrewrite.loops.bodies import is_tensor
from tfrewrite.loops.plans import Nest
from tfrewrite.outcomes import Refusal

SET_LOOP_OPTIONS = "tensorflow.autograph.experimental.set_loop_options"
_LAYERS = {"Layer", "Model"}


def branches(nest: Nest, converted: Mapping[str, str], autograph: bool) -> Refusal | None:
    """Can every decision of the loop be one of the graph's? `converted` are the numbers that become tensors."""
    facts = nest.facts
    for node in _decisions(nest):
        test = node.test
        if not by_tensor(test, converted, facts):
            if facts.kind(test).sort not in (Sort.NUMBER, Sort.NONE):
                return Refusal(
                    test, Code.UNKNOWN_VALUE, f"{facts.edit.short(test, 'a condition')} is not known to be a tensor or a Python number"
                )
            continue
        if refusal := _condition(test, converted, facts) or _given(node, converted, nest):
            return refusal
        if not autograph and never_autographed(node, facts) and by_tensor(test, {}, facts):
            return Refusal(
                test, Code.RAISES, f"{facts.edit.short(test, 'a condition')} is a tensor, which Python can't ask here: the program raises"
            )
    for plan in nest.plan.all():
        for leave in (*plan.body.breaks, *plan.body.continues):
            around = facts.parent(leave)
            if isinstance(around, gast.If) and isinstance(facts.parent(around), gast.If):
                return Refusal(leave, Code.CONTROL_FLOW, "AutoGraph doesn't convert a break or continue inside of two conditions")
        if plan.done and not autograph:
            return Refusal(plan.body.loop, Code.CONTROL_FLOW, "the loop breaks off, and AutoGraph doesn't convert this function")
    return None


def by_tensor(test: gast.AST, converted: Mapping[str, str], facts: Facts) -> bool:
    """Is a condition decided by a tensor, or by a number that becomes one?"""
    if is_tensor(facts.kind(test)) or any(isinstance(node, gast.Name) and node.id in converted for node in gast.walk(test)):
        return True
    return any(is_tensor(facts.kind(node)) for node in gast.walk(test) if isinstance(node, gast.expr) and not _static(node, facts))


def _static(node: gast.AST, facts: Facts) -> bool:
    """Is it part of something that only asks a tensor for its shape?"""
    parent = facts.parent(node)
    return isinstance(parent, gast.Attribute) and parent.attr in ("shape", "dtype", "rank", "ndim")


def _decisions(nest: Nest) -> Iterator[gast.AST]:
    for statement in nest.plan.body.loop.body:
        for node in (statement, *walk_within(statement)):
            if isinstance(node, gast.If | gast.IfExp | gast.While):
                yield node


def _condition(test: gast.AST, converted: Mapping[str, str], facts: Facts) -> Refusal | None:
    for node in gast.walk(test):
        match node:
            case gast.Compare(ops=[_, _, *_]):
                return Refusal(node, Code.FORM, "AutoGraph doesn't convert a chain of comparisons", "Write it with `and`.")
            case gast.Compare(ops=[gast.Is() | gast.IsNot() | gast.In() | gast.NotIn()]):
                return Refusal(node, Code.FORM, f"{facts.edit.short(node, 'a condition')} asks for identity or membership")
            case gast.BoolOp(values=values):
                for value in values:
                    if not _is_truth(value, converted, facts):
                        return Refusal(
                            value,
                            Code.UNKNOWN_VALUE,
                            f"{facts.edit.short(value, 'a part of a condition')} is not known to be a single bool",
                        )
    kind = facts.kind(test)
    if is_tensor(kind) and (kind.dtype != "bool" or kind.shape != ()):
        return Refusal(test, Code.UNKNOWN_VALUE, f"{facts.edit.short(test, 'a condition')} is not known to be a single bool")
    return None


def _is_truth(value: gast.AST, converted: Mapping[str, str], facts: Facts) -> bool:
    """Is it a bool beside other parts of a condition, or a number that becomes one?"""
    kind = facts.kind(value)
    if is_tensor(kind):
        return kind.dtype == "bool" and kind.shape == ()
    return (
        kind.dtype == "bool"
        or any(isinstance(node, gast.Name) and node.id in converted for node in gast.walk(value))
        or isinstance(value, gast.BoolOp | gast.UnaryOp)
    )


def _given(node: gast.AST, converted: Mapping[str, str], nest: Nest) -> Refusal | None:
    """Does each path leave tensors of one dtype and shape? A graph knows no others after it."""
    facts = nest.facts
    if isinstance(node, gast.IfExp):
        kind = facts.kind(node)
        if not is_tensor(kind) or kind.dtype is None:
            return Refusal(
                node, Code.UNKNOWN_DTYPE, f"{facts.edit.short(node, 'a conditional expression')} is not known to be a tensor of one dtype"
            )
        if not _alike([facts.kind(one) for one in (node.body, node.orelse) if is_tensor(facts.kind(one))]):
            return Refusal(
                node, Code.OTHER_SHAPE, f"{facts.edit.short(node, 'a conditional expression')} is not of the same shape on both paths"
            )
        return None
    for statement in (*node.body, *node.orelse):
        for one in (statement, *walk_within(statement)):
            if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store) and one.id not in converted:
                kind = facts.kind(one)
                if not is_tensor(kind) or kind.dtype is None:
                    return Refusal(
                        one, Code.UNKNOWN_DTYPE, f"{one.id}, assigned under a condition, is not known to be a tensor of one dtype"
                    )
                if not _alike([facts.kind(other) for other in _stores(one.id, nest)]):
                    return Refusal(
                        one,
                        Code.OTHER_DTYPE,
                        f"{one.id}, assigned under a condition, is assigned another dtype or shape elsewhere in the loop",
                    )
    return None


def _stores(name: str, nest: Nest) -> list[gast.Name]:
    nodes = walk_within(nest.plan.body.loop)
    return [node for node in nodes if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)]


def _alike(kinds: Sequence[Kind]) -> bool:
    """Are these no two tensors that certainly or perhaps differ, but for shapes of which nothing is known?"""
    dtypes = {kind.dtype for kind in kinds if is_tensor(kind)}
    shapes = [kind.shape for kind in kinds if is_tensor(kind) and kind.shape is not None]
    return len(dtypes) <= 1 and all(same_shape(shapes[0], shape) for shape in shapes[1:])


def autographed(node: gast.AST, facts: Facts) -> bool:
    """Does AutoGraph certainly convert the function that a node stands in?"""
    functions = [ancestor for ancestor in facts.scopes.ancestors(node) if isinstance(ancestor, DEFINITIONS)]
    if not functions:
        return False
    outermost = functions[-1]
    for one in gast.walk(outermost):
        if isinstance(one, gast.NamedExpr | gast.Match):
            return False
    for function in functions:
        for decorator in function.decorator_list:
            named = decorator.func if isinstance(decorator, gast.Call) else decorator
            if facts.names(named) != "tensorflow.function":
                return False
            if isinstance(decorator, gast.Call) and any(keyword.arg in ("autograph", None) for keyword in decorator.keywords):
                return False
    return any(function.decorator_list for function in functions)


def never_autographed(node: gast.AST, facts: Facts) -> bool:
    """Does AutoGraph certainly leave the function alone that a node stands in?"""
    function = facts.scopes.function_of(node)
    if function is None or any(isinstance(node, gast.NamedExpr | gast.Match) for node in gast.walk(function)):
        return True
    for decorator in getattr(function, "decorator_list", ()):
        if facts.names(decorator) == "tensorflow.autograph.experimental.do_not_convert":
            return True
        if isinstance(decorator, gast.Call) and any(
            keyword.arg == "autograph" and isinstance(keyword.value, gast.Constant) and keyword.value.value is False
            for keyword in decorator.keywords
        ):
            return True
    return False


def tape_around(loop: gast.AST, facts: Facts) -> Refusal | None:
    """Why a tape may be recording where the loop runs; None where none can be known of."""
    if not ever_taped(loop, facts):
        return None
    names = {node.attr for node in facts.nodes([gast.Attribute]) if isinstance(node, gast.Attribute)}
    if (
        names
        & {
            "GradientTape",
            "minimize",
            "gradient",
            "jacobian",
            "jvp",
            "ForwardAccumulator",
            "compute_gradient",
            "value_and_gradient",
            "fit",
            "compile",
            "add_weight",
        }
        or "GradientTape" in facts.source.text
    ):
        return Refusal(
            loop,
            Code.UNDER_TAPE,
            "a gradient tape may be recording, which keeps what every iteration computes: there the loop would need as much memory as before, or more",
        )
    owner = facts.scopes.class_of(facts.scopes.function_of(loop) or loop)
    if owner is not None and any(getattr(base, "attr", getattr(base, "id", "")) in _LAYERS for base in owner.bases):
        return Refusal(
            loop,
            Code.UNDER_TAPE,
            "a layer is trained, and a tape keeps what every iteration computes: there the loop would need as much memory as before, or more",
        )
    return None


def asks_for_a_size(nest: Nest) -> Refusal | None:
    """Where sizes depend on the index: is one of them asked for, that is not known while the iteration is traced?"""
    facts = nest.facts
    for node in walk_within(nest.plan.body.loop):
        match node:
            case gast.Attribute(value=value, attr="shape" | "get_shape") if facts.names(node) is None:
                pass
            case gast.For(iter=value):
                pass
            case gast.Call(args=[value, *_]) if facts.called(node) in ("builtins.len", "tensorflow.unstack"):
                pass
            case _:
                continue
        shape = facts.kind(value).shape
        known = isinstance(shape, tuple) and all(isinstance(dim, int) or (isinstance(dim, Symbol) and not dim.loops) for dim in shape)
        if is_tensor(facts.kind(value)) and not known:
            return Refusal(
                node,
                Code.OTHER_SHAPE,
                f"the size of {facts.edit.short(value, 'a tensor')} changes from iteration to iteration, and is read",
            )
    return None


def shape_is_unasked(value: gast.AST, facts: Facts) -> bool:
    """Does nothing that is made of a tensor of a graph depend on the shape that is known while it is traced?"""
    parent = facts.parent(value)
    while isinstance(parent, gast.Tuple | gast.List):
        parent = facts.parent(parent)
    match parent:
        case gast.Return():
            function = facts.scopes.function_of(parent)
            return function is not None and _called_eagerly_alone(function, facts)
        case gast.BinOp() | gast.UnaryOp():
            return shape_is_unasked(parent, facts)
        case gast.Call(args=[first], keywords=[]) if first is value and facts.op(parent).reduces:
            return True
        case gast.Call(args=[first, *_]) if first is value and ((row := facts.op(parent)).reduces or row.is_elementwise):
            return shape_is_unasked(parent, facts)
        case gast.Assign(targets=[gast.Name(id=name) as target]):
            scope = facts.scopes.names[target]
            if scope.bindings[name] != [target] or any(name in inner.uses for inner in scope.below()):
                return False
            return all(shape_is_unasked(use, facts) for use in scope.uses.get(name, ()))
    return False


def _called_eagerly_alone(function: gast.AST, facts: Facts) -> bool:
    """Is it a tf.function itself, whose results are seen by eager code, where every shape is known?"""
    decorators = [
        decorator.func if isinstance(decorator, gast.Call) else decorator for decorator in getattr(function, "decorator_list", ())
    ]
    calls = [reference.call for reference in facts.callers.references(function)]
    return any(facts.names(decorator) == "tensorflow.function" for decorator in decorators) and all(
        call is not None and facts.mode(call) is not Mode.GRAPH for call in calls
    )
