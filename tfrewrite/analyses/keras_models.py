"""Is an expression a Keras model whose methods are Keras' own?"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import Function, Scope, parameters

_MAKERS = {
    "Sequential", "Model", "models.Sequential", "models.Model", "models.load_model", "models.clone_model", "models.model_from_json",
    "saving.load_model",
}  # fmt: skip
_CLASSES = {"keras.Model", "keras.Sequential", "keras.models.Model", "keras.models.Sequential"}
_OWN_STEPS = {
    "predict",
    "predict_on_batch",
    "predict_step",
    "make_predict_function",
    "evaluate",
    "test_step",
    "__getattr__",
    "__getattribute__",
}
_DEEPEST = 6


def is_model(node: gast.AST, facts: Facts) -> bool:
    """Whatever it is at that place, is it certainly a model that predicts as Keras' own do?"""
    return _is_model(node, facts, 0)


def _is_model(node: gast.AST, facts: Facts, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    match node:
        case gast.Call():
            return _makes_model(node, facts, depth)
        case gast.Name():
            owner = facts.scopes.names[node].lookup(node.id) if node in facts.scopes.names else None
            return (
                owner is not None
                and bool(owner.bindings[node.id])
                and all(_given_model(one, owner, facts, depth) for one in owner.bindings[node.id])
            )
        case gast.Attribute(value=gast.Name(id="self"), attr="model") if _in_callback(node, facts):
            return True
        case gast.Attribute(attr=attr):
            stores = [one for one in facts.scopes.attribute_stores if one.attr == attr]
            return bool(stores) and all(_stored_model(one, facts, depth) for one in stores)
    return False


def _makes_model(call: gast.Call, facts: Facts, depth: int) -> bool:
    name = _keras(call.func, facts)
    if name.removeprefix("keras.") in _MAKERS or (name.startswith("keras.applications.") and name.rpartition(".")[2][:1].isupper()):
        return True
    if (owner := _class(call.func, facts)) is not None:
        return is_model_class(owner, facts)
    function = facts.function_called(call) or _own_method(call, facts)
    if function is None or isinstance(function, gast.Lambda):
        return False
    returned = [one.value for one in facts.scopes.within(function) if isinstance(one, gast.Return)]
    return bool(returned) and all(one is not None and _is_model(one, facts, depth + 1) for one in returned)


def _class(node: gast.AST, facts: Facts) -> gast.ClassDef | None:
    """The class of this file that a name stands for, if it can be no other. (Keras' registration leaves a class as it is.)"""
    owner = facts.scopes.names[node].lookup(node.id) if isinstance(node, gast.Name) and node in facts.scopes.names else None
    match owner.bindings[node.id] if owner is not None and isinstance(node, gast.Name) else None:
        case [gast.ClassDef(decorator_list=decorators) as found] if all(
            isinstance(one, gast.Call) and _keras(one.func, facts).endswith("register_keras_serializable") for one in decorators
        ):
            return found
    return None


def _own_method(call: gast.Call, facts: Facts) -> Function | None:
    """The method that `self.build()` calls."""
    match call.func:
        case gast.Attribute(value=gast.Name(id="self"), attr=name):
            owner = next((one for one in facts.scopes.ancestors(call) if isinstance(one, gast.ClassDef)), None)
            return facts.callers.method_of(owner, name)
    return None


def _keras(node: gast.AST, facts: Facts) -> str:
    return (facts.names(node) or "").removeprefix("tensorflow.")


def is_model_class(owner: gast.ClassDef, facts: Facts) -> bool:
    """Is it a class of models that leaves Keras to run them? What stands beside Keras' class may define whatever it likes."""
    own = facts.scopes.of[owner].bindings.keys()
    return bool(owner.bases) and all(_keras(base, facts) in _CLASSES for base in owner.bases) and own.isdisjoint(_OWN_STEPS)


def _stored_model(store: gast.Attribute, facts: Facts, depth: int) -> bool:
    match facts.parent(store):
        case gast.Assign(targets=targets, value=value) if any(one is store for one in targets):
            return _is_model(value, facts, depth + 1)
    return False


def _given_model(binding: gast.AST, owner: Scope, facts: Facts, depth: int) -> bool:
    match facts.parent(binding):
        case gast.Delete():
            return True
        case gast.Assign(targets=targets, value=value) if any(one is binding for one in targets):
            return _is_model(value, facts, depth + 1)
        case gast.arguments():
            function = owner.node
            assert isinstance(function, Function)
            return _passed_model(binding, function, facts, depth)
    return False


def _passed_model(parameter: gast.AST, function: Function, facts: Facts, depth: int) -> bool:
    """Is a parameter a model in every call of its function that the file has?"""
    calls = list(_calls_of(function, facts))
    names = [one.id for one in parameters(function)]
    name = getattr(parameter, "id", "")
    if not calls or name not in names or function.args.vararg is not None:
        return False
    skipped = 1 if facts.scopes.class_of(function) is not None else 0
    place = names.index(name) - skipped
    for call in calls:
        given = next((one.value for one in call.keywords if one.arg == name), None)
        if given is None and 0 <= place < len(call.args) and not any(isinstance(one, gast.Starred) for one in call.args):
            given = call.args[place]
        if given is None or not _is_model(given, facts, depth + 1):
            return False
    return True


def _calls_of(function: Function, facts: Facts) -> Iterable[gast.Call]:
    owner = facts.scopes.class_of(function)
    for call in facts.nodes((gast.Call,)):
        if isinstance(call, gast.Call):
            if owner is not None and getattr(function, "name", "") == "__init__":
                if _class(call.func, facts) is owner:
                    yield call
            elif facts.function_called(call) is function:
                yield call


def _in_callback(node: gast.AST, facts: Facts) -> bool:
    """Does `self` stand for a callback, which Keras gives the model that is trained?"""
    for one in facts.scopes.ancestors(node):
        if isinstance(one, gast.ClassDef):
            return any(_keras(base, facts) == "keras.callbacks.Callback" for base in one.bases)
    return False
