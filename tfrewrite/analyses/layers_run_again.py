"""Which layers an expression stands for, and what it would mean to run one of them a second time, for its gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, Function, parameters
from tfrewrite.ops.row import UNKNOWN_OP
from tfrewrite.outcomes import Refusal

_BASES = {"keras.Layer", "keras.layers.Layer", "keras.Model", "keras.models.Model", "keras.Sequential", "keras.models.Sequential"}
_MODELS = {"keras.Model", "keras.models.Model", "keras.Sequential", "keras.models.Sequential"}
_COMPOSITES = {"MultiHeadAttention", "GroupQueryAttention", "Attention", "AdditiveAttention"}
_SETTING_UP = {"__init__", "build", "get_config", "from_config", "compute_output_shape", "compute_output_spec", "get_build_config"}
_LISTS = {"builtins.list", "builtins.tuple", "builtins.reversed"}
_CHANGING = {"assign", "assign_add", "assign_sub", "append", "extend", "insert", "pop", "update_state", "add_metric", "scatter_update"}
_SHOWING = {"builtins.print", "tensorflow.print", "tensorflow.py_function", "tensorflow.numpy_function", "builtins.open", "builtins.input"}
_LOSING_GRADIENTS = {"add_loss": "a loss that a layer adds", "activity_regularizer": "the loss of an activity regularizer"}
_LOSING_GRADIENTS["ActivityRegularization"] = _LOSING_GRADIENTS["activity_regularizer"]
_MASKS = {"mask_zero", "Masking", "compute_mask", "_keras_mask"}
_SECOND_ORDER = {"jacobian", "batch_jacobian", "ForwardAccumulator", "hessians"}
_GRADIENTS = {"gradient", "gradients", "jacobian", "batch_jacobian"}
_DEEPEST = 8


def keras_name(node: gast.AST, facts: Facts) -> str:
    """What an expression is in Keras that computes with TensorFlow, "keras.layers.Dense"; whatever it is elsewhere, or nothing."""
    name = facts.names(node) or ""
    return "" if name.startswith("keras.") else name.removeprefix("tensorflow.")


def is_layer_class(owner: gast.ClassDef, facts: Facts, depth: int = 0) -> bool:
    """Is it a class of Keras layers or models, be it by another class of the file?"""
    for base in owner.bases:
        if keras_name(base, facts) in _BASES:
            return True
        parent = class_of_file(base, facts)
        if parent is not None and depth < _DEEPEST and is_layer_class(parent, facts, depth + 1):
            return True
    return False


def class_of_file(node: gast.AST, facts: Facts) -> gast.ClassDef | None:
    found = _definition(node, facts)
    return found if isinstance(found, gast.ClassDef) else None


def _definition(node: gast.AST, facts: Facts) -> gast.ClassDef | Function | None:
    """The only class or function of this file's top level that a name stands for."""
    if not isinstance(node, gast.Name) or node not in facts.scopes.names:
        return None
    owner = facts.scopes.names[node].lookup(node.id)
    match owner.bindings[node.id] if owner is not None else None:
        case [(gast.ClassDef() | gast.FunctionDef()) as found]:
            return found
    return None


# Where layers come from


def makers(node: gast.AST, facts: Facts) -> tuple[gast.Call, ...] | None:
    """The calls that have made the layers that an expression may stand for, or hold; None where some aren't known."""
    return _makers(node, facts, 0)


def _makers(node: gast.AST, facts: Facts, depth: int) -> tuple[gast.Call, ...] | None:
    if depth > _DEEPEST:
        return None
    match node:
        case gast.Constant(value=None):
            return ()
        case gast.List(elts=elements) | gast.Tuple(elts=elements):
            return _together(elements, facts, depth)
        case gast.ListComp(elt=element) | gast.GeneratorExp(elt=element):
            return _makers(element, facts, depth + 1)
        case gast.Subscript(value=value) | gast.Starred(value=value):
            return _makers(value, facts, depth + 1)
        case gast.BinOp(left=left, op=gast.Mult()):
            return _makers(left, facts, depth + 1)
        case gast.BinOp(left=left, op=gast.Add(), right=right):
            return _together([left, right], facts, depth)
        case gast.IfExp(body=body, orelse=otherwise):
            return _together([body, otherwise], facts, depth)
        case gast.Call(args=[given]) if facts.called(node) in _LISTS:
            return _makers(given, facts, depth + 1)
        case gast.Call():
            return (node,)
        case gast.Attribute(value=gast.Name(id="self"), attr=attr):
            return _of_attribute(node, attr, facts, depth)
        case gast.Name():
            return _of_name(node, facts, depth)
    return None


def _together(nodes: Iterable[gast.AST], facts: Facts, depth: int) -> tuple[gast.Call, ...] | None:
    found: list[gast.Call] = []
    for one in nodes:
        more = _makers(one, facts, depth + 1)
        if more is None:
            return None
        found += more
    return tuple(found)


def _of_attribute(node: gast.Attribute, attr: str, facts: Facts, depth: int) -> tuple[gast.Call, ...] | None:
    owner = next((one for one in facts.scopes.ancestors(node) if isinstance(one, gast.ClassDef)), None)
    if owner is None:
        return None
    stores = [one for one in facts.scopes.attribute_stores if one.attr == attr and owner in facts.scopes.ancestors(one)]
    values: list[gast.AST] = []
    for store in stores:
        match facts.parent(store):
            case gast.Assign(targets=targets, value=value) if any(one is store for one in targets):
                values.append(value)
            case gast.AugAssign(value=value):
                values.append(value)
            case _:
                return None
    if not values:
        return None
    if any(_is_own(one.value, attr) for one in facts.callers.attribute_loads("append")):
        values += _appended(lambda one: _is_own(one, attr), gast.walk(owner))
    return _together(values, facts, depth)


def _is_own(node: gast.AST, attr: str) -> bool:
    match node:
        case gast.Attribute(value=gast.Name(id="self"), attr=name):
            return bool(name == attr)
    return False


def _appended(is_list: Callable[[gast.AST], bool], nodes: Iterable[gast.AST]) -> Iterator[gast.AST]:
    for one in nodes:
        match one:
            case gast.Call(func=gast.Attribute(value=held, attr="append"), args=[value]) if is_list(held):
                yield value


def _of_name(node: gast.Name, facts: Facts, depth: int) -> tuple[gast.Call, ...] | None:
    owner = facts.scopes.names[node].lookup(node.id) if node in facts.scopes.names else None
    if owner is None:
        return None
    values: list[gast.AST] = []
    for binding in owner.bindings[node.id]:
        match facts.parent(binding):
            case gast.Assign(targets=[target], value=value) if target is binding:
                values.append(value)
            case gast.For(target=target, iter=iterated) if target is binding:
                values.append(iterated)
            case gast.Tuple(elts=elements) as target:
                found = _of_pair(target, [one is binding for one in elements].index(True), facts)
                if found is None:
                    return None
                values.append(found)
            case _:
                return None
    named = [use for scope in (owner, *owner.below()) for use in scope.uses.get(node.id, ())]
    calls = (call for use in named if (call := facts.parent(facts.parent(use) or use)) is not None)
    values += _appended(lambda one: isinstance(one, gast.Name) and one.id == node.id, calls)
    return _together(values, facts, depth)


def _of_pair(target: gast.Tuple, index: int, facts: Facts) -> gast.AST | None:
    """What `for i, block in enumerate(blocks)` and `for block, skip in zip(blocks, skips)` take it from."""
    match facts.parent(target):
        case gast.For(iter=gast.Call(args=[iterated, *_]) as call) if facts.called(call) == "builtins.enumerate" and index == 1:
            found: gast.AST = iterated
            return found
        case gast.For(iter=gast.Call(args=iterated) as call) if facts.called(call) == "builtins.zip" and index < len(iterated):
            one: gast.AST = iterated[index]
            return one
    return None


# What one of them does


@dataclass(frozen=True)
class Reached:
    """The classes and functions of the file that running a layer may come to, and the functions of others that they call."""

    definitions: tuple[gast.ClassDef | Function, ...]
    calls: tuple[gast.Call, ...]

    @property
    def running(self) -> Iterator[gast.AST]:
        """The functions that run in each call, and not only when the layer is made."""
        for one in self.definitions:
            if isinstance(one, gast.ClassDef):
                yield from (each for each in one.body if isinstance(each, DEFINITIONS) and each.name not in _SETTING_UP)


def reached(made: Iterable[gast.Call], facts: Facts) -> Reached:
    found: list[gast.ClassDef | Function] = []
    calls: list[gast.Call] = []
    waiting: list[gast.AST] = [one for call in made for one in gast.walk(call)]
    seen: set[gast.AST] = set()
    while waiting:
        node = waiting.pop(0)
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, gast.Call):
            calls.append(node)
        definition = _definition(node, facts) or _own_method(node, facts)
        if definition is not None and definition not in found:
            found.append(definition)
            waiting += gast.walk(definition)
            if isinstance(definition, gast.ClassDef):
                waiting += [one for base in definition.bases for one in gast.walk(base)]
    return Reached(tuple(found), tuple(calls))


def _own_method(node: gast.AST, facts: Facts) -> Function | None:
    """The method that `self.stage(64)` calls."""
    match node:
        case gast.Attribute(value=gast.Name(id="self"), attr=name):
            owner = next((one for one in facts.scopes.ancestors(node) if isinstance(one, gast.ClassDef)), None)
            return facts.callers.method_of(owner, name)
    return None


def is_composite(call: gast.Call, facts: Facts) -> bool:
    """Does what it makes keep more for its gradient than its own input and output?"""
    return is_block(call, facts) or keras_name(call.func, facts).rpartition(".")[2] in _COMPOSITES


def is_block(call: gast.Call, facts: Facts) -> bool:
    """Is it made of several layers: a model, or a layer of a class that isn't Keras' own?"""
    name = keras_name(call.func, facts)
    return name in _MODELS or name.startswith("keras.applications.") or not name.startswith("keras.")


def is_known(call: gast.Call, facts: Facts) -> bool:
    """Is it a layer of Keras, of a class of this file, or a model that a function of this file makes?"""
    name = keras_name(call.func, facts)
    if name.startswith(("keras.layers.", "keras.applications.")) or name in _MODELS:
        return True
    if (owner := class_of_file(call.func, facts)) is not None:
        return is_layer_class(owner, facts)
    function = _definition(call.func, facts) or _own_method(call.func, facts)
    if not isinstance(function, gast.FunctionDef):
        return False
    returned = [one.value for one in facts.scopes.within(function) if isinstance(one, gast.Return)]
    found = [None if one is None else makers(one, facts) for one in returned]
    return bool(found) and all(one and all(call is not each and is_known(each, facts) for each in one) for one in found)


def takes_training(call: gast.Call, facts: Facts) -> bool:
    """Does what it makes have a `training` of its own to be told by?"""
    method = call_of(call, facts)
    return method is None or training_default(method) is not None


def call_of(made: gast.Call, facts: Facts) -> Function | None:
    """The `call` of a class of this file."""
    owner = class_of_file(made.func, facts)
    return None if owner is None else _call_in(owner, facts, 0)


def _call_in(owner: gast.ClassDef, facts: Facts, depth: int) -> Function | None:
    own = next((one for one in owner.body if isinstance(one, gast.FunctionDef) and one.name == "call"), None)
    if own is not None or depth > _DEEPEST:
        return own
    parents = [parent for base in owner.bases if (parent := class_of_file(base, facts)) is not None]
    return next((found for one in parents if (found := _call_in(one, facts, depth + 1)) is not None), None)


def training_default(method: Function) -> gast.expr | None:
    """What `training` is where nothing is said: the parameter itself where it has no default, None where there is none."""
    arguments = method.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    for one, default in (*zip(positional, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
        if one.id == "training":
            found: gast.expr = one if default is None else default
            return found
    return None


def minds_training(found: Reached, facts: Facts) -> bool:
    """May it do something else in training than otherwise?"""
    for call in found.calls:
        name = keras_name(call.func, facts)
        if name.startswith("keras.layers.") and (facts.op(call).minds_training or facts.op(call) is UNKNOWN_OP):
            return True
        if name.startswith("keras.applications.") or (name and not name.startswith(("keras.", "numpy.", "builtins.")) and _is_class(name)):
            return True
    functions = [one for one in found.running if isinstance(one, DEFINITIONS)]
    return any(one.id == "training" for function in functions for one in parameters(function))


def _is_class(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last[:1].isupper() and not last.isupper()


def why_not_again(found: Reached, facts: Facts) -> Refusal | None:
    """What running it a second time would do besides computing the same."""
    for function in found.running:
        for node in facts.scopes.within(function):
            if (refusal := _effect(node, facts)) is not None:
                return refusal
    return None


def _effect(node: gast.AST, facts: Facts) -> Refusal | None:
    match node:
        case gast.Attribute(ctx=gast.Store()) | gast.Subscript(ctx=gast.Store(), value=gast.Attribute()):
            shown = facts.edit.short(node, "an attribute")
            return Refusal(node, Code.EFFECTS, f"a block changes {shown} when it is called, and would do so twice")
        case gast.Global(names=[name, *_]) | gast.Nonlocal(names=[name, *_]):
            return Refusal(node, Code.EFFECTS, f"a block changes {name} when it is called, and would do so twice")
        case gast.Call():
            return _effect_of(node, facts)
    return None


def _effect_of(call: gast.Call, facts: Facts) -> Refusal | None:
    name, shown = facts.called(call) or "", facts.edit.short(call, "a call")
    if name in _SHOWING:
        return Refusal(call, Code.EFFECTS, f"a block calls {facts.edit.short(call.func)}, and would do so twice")
    if name.startswith(("numpy.random.", "random.")) or (name.startswith("tensorflow.random.") and "stateless" not in name):
        return Refusal(call, Code.RANDOM, f"{shown} would draw other numbers in the second run than in the first")
    if name.startswith("tensorflow.keras.random.") and _is_class(name) is False and not any(_is_seed(one) for one in call.keywords):
        reason = f"{shown} would draw other numbers in the second run than in the first"
        return Refusal(call, Code.RANDOM, reason, "Pass seed=self.seed_generator, a keras.random.SeedGenerator that the layer holds.")
    match call.func:
        case gast.Attribute(value=held, attr=method) if method in _CHANGING and not name and not _is_local_list(held, method, facts):
            return Refusal(call, Code.EFFECTS, f"a block changes something by {shown}, and would do so twice")
    return None


def _is_seed(keyword: gast.AST) -> bool:
    match keyword:
        case gast.keyword(arg="seed", value=gast.Constant(value=None)):
            return False
        case gast.keyword(arg="seed"):
            return True
    return False


def _is_local_list(node: gast.AST, method: str, facts: Facts) -> bool:
    """A list of the call's own may be filled in each."""
    if method.startswith(("assign", "update", "add", "scatter")) or not isinstance(node, gast.Name) or node not in facts.scopes.names:
        return False
    owner = facts.scopes.names[node].lookup(node.id)
    return owner is not None and isinstance(owner.node, DEFINITIONS) and not any(one.id == node.id for one in parameters(owner.node))


# What holds of the whole file


def why_not_in_file(place: gast.AST, facts: Facts) -> Refusal | None:
    """What the file names that `tf.recompute_grad` silently gets wrong, or can't do."""
    for node in facts.nodes((gast.Attribute, gast.Name, gast.keyword, gast.FunctionDef, gast.alias)):
        name = _last_name(node)
        if name in _LOSING_GRADIENTS and not _is_false(node):
            return Refusal(place, Code.GRADIENTS, f"{_LOSING_GRADIENTS[name]} would have no gradient ({name} on line {_line(node, facts)})")
        if name in _MASKS and not _is_false(node):
            reason = f"masks that layers hand on with their results would be lost ({name} on line {_line(node, facts)})"
            return Refusal(place, Code.GRADIENTS, reason, "Pass masks as arguments.")
    if (refusal := why_no_second_derivative(place, facts)) is not None:
        return refusal
    if (
        any((facts.names(one) or "").startswith("tf_keras") for one in facts.nodes((gast.Name,)))
        or "TF_USE_LEGACY_KERAS" in facts.source.text
    ):
        return Refusal(place, Code.SETTINGS, "Keras 2 has no way to run a layer from a state that it had before")
    return None


def why_no_second_derivative(place: gast.AST, facts: Facts) -> Refusal | None:
    """Where the file takes one, which `tf.recompute_grad` can't give."""
    for node in facts.nodes((gast.Attribute, gast.Name, gast.alias)):
        if (name := _last_name(node)) in _SECOND_ORDER:
            return Refusal(place, Code.GRADIENTS, f"what is computed again has no second derivative ({name} on line {_line(node, facts)})")
    if (nested := facts.once(_second_derivative)) is not None:
        reason = f"what is computed again has no second derivative, and line {_line(nested, facts)} takes a gradient under another tape"
        return Refusal(place, Code.GRADIENTS, reason)
    return None


def _last_name(node: gast.AST) -> str:
    """What a node names, without the path to it."""
    match node:
        case gast.Attribute(attr=name) | gast.Name(id=name) | gast.FunctionDef(name=name):
            return str(name)
        case gast.alias(name=name) | gast.keyword(arg=str(name)):
            return str(name).rpartition(".")[2]
    return ""


def _is_false(node: gast.AST) -> bool:
    match node:
        case gast.keyword(value=gast.Constant(value=False | None)):
            return True
    return False


def _line(node: gast.AST, facts: Facts) -> int:
    at: gast.AST | None = node
    while at is not None and not hasattr(at, "lineno"):
        at = facts.parent(at)
    return getattr(at, "lineno", 1)


def _second_derivative(facts: Facts) -> gast.AST | None:
    """Where a gradient is taken under a tape that may ask for the gradient of that."""
    functions = [one for one in facts.nodes(DEFINITIONS) if isinstance(one, DEFINITIONS)]
    taking = {one.name for one in functions if any(_takes_gradient(each) for each in facts.scopes.within(one))}
    while True:
        more = {
            one.name
            for one in functions
            if one.name not in taking and any(_name_called(each) in taking for each in facts.scopes.within(one))
        }
        if not more:
            break
        taking |= more
    for tape in facts.nodes((gast.With,)):
        if not isinstance(tape, gast.With) or not any(facts.called(one.context_expr) == "tensorflow.GradientTape" for one in tape.items):
            continue
        for statement in tape.body:
            for node in (statement, *facts.scopes.within(statement)):
                if (_takes_gradient(node) and not _is_of(node, tape)) or _name_called(node) in taking:
                    found: gast.AST = node
                    return found
    return None


def _takes_gradient(node: gast.AST) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in _GRADIENTS


def _is_of(node: gast.AST, tape: gast.With) -> bool:
    """Does the tape give that gradient itself, and stop recording for it?"""
    match node, tape.items:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name))), [gast.withitem(optional_vars=gast.Name(id=own))]:
            return bool(name == own)
    return False


def _name_called(node: gast.AST) -> str | None:
    match node:
        case gast.Call(func=gast.Name(id=name)) | gast.Call(func=gast.Attribute(attr=name)):
            return str(name)
    return None
