"""Whether everything that reads an array reads it as float32, whatever its dtype: Keras, a cast, its shape."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tfrewrite.analyses.array_holders import SETTINGS
from tfrewrite.analyses.imported_texts import gives_methods, imported_texts, reads_the_script, text_of
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, bound_arguments, parameters
from tfrewrite.outcomes import Refusal

_VIEWING = frozenset({"reshape", "expand_dims", "squeeze", "transpose", "ravel", "moveaxis", "swapaxes"})
_DATA = {
    "fit": ("x", "y"), "evaluate": ("x", "y"), "predict": ("x",), "train_on_batch": ("x", "y"), "test_on_batch": ("x", "y"),
    "predict_on_batch": ("x",),
}  # fmt: skip
_DATA_KEYWORDS = frozenset({"x", "y", "validation_data"})
_STEPS = frozenset({"train_step", "test_step", "predict_step", "compute_loss"})
_KEEP_ELEMENTS = frozenset({"shuffle", "batch", "prefetch", "cache", "repeat", "take", "skip"})
_MODELS = ("tensorflow.keras.Sequential", "tensorflow.keras.Model", "tensorflow.keras.models.Sequential", "tensorflow.keras.models.Model")
_OTHER_PRECISION = ("float64", "mixed_", "autocast", "floatx", "bfloat16", "float16", ".double")
_DRAWING = frozenset({"imshow", "matshow"})
_MOST = 12


def who_sees(array: gast.AST, facts: Facts, depth: int = 0, drawings: list[gast.AST] | None = None) -> Refusal | None:
    """What sees another dtype than float32 in an expression's array, or in one of which it is a part or a shape.

    Where calls that draw a picture of it are collected, they count for nothing: a shade of 256 may be another one.
    """
    parent = facts.parent(array)
    if depth > _MOST:
        return _seen_by(array, facts)
    if drawings is not None and isinstance(parent, gast.Call) and _is_drawn(array, parent, facts):
        drawings.append(parent)
        return None
    match parent:
        case gast.Assign(targets=[target], value=value) if value is array:
            return _named(target, facts, depth, drawings)
        case gast.Tuple(elts=elts):
            whole = facts.parent(parent)
            match whole:
                case gast.Assign(targets=[gast.Tuple(elts=targets)], value=value) if value is parent and len(targets) == len(elts):
                    place = next(index for index, one in enumerate(elts) if one is array)
                    return _named(targets[place], facts, depth, drawings)
            return None if _is_data(parent, facts) or _is_dataset_of(parent, facts, depth) else _seen_by(array, facts)
        case gast.Subscript(value=value) if value is array and isinstance(parent.ctx, gast.Load):
            return who_sees(parent, facts, depth + 1, drawings)
        case gast.Attribute(attr=attr) if isinstance(parent.ctx, gast.Load):
            call = facts.parent(parent)
            if attr in SETTINGS - {"dtype", "nbytes", "itemsize"}:
                return None
            if isinstance(call, gast.Call) and call.func is parent and attr in _VIEWING:
                return who_sees(call, facts, depth + 1, drawings)
            if isinstance(call, gast.Call) and call.func is parent and attr == "astype" and facts.kind(call).dtype == "float32":
                return None
        case gast.Call(args=[first, *_]) if first is array:
            name = facts.called(parent) or ""
            if name == "builtins.len":
                return None
            if name.removeprefix("numpy.") in _VIEWING and name.startswith("numpy."):
                return who_sees(parent, facts, depth + 1, drawings)
            if name in ("tensorflow.cast", "tensorflow.convert_to_tensor", "tensorflow.constant") and _is_float32(parent, facts):
                return None
    if _is_data(array, facts) or _is_dataset_of(array, facts, depth):
        return None
    if isinstance(parent, gast.Call) and (parameter := _parameter_of(array, parent, facts)) is not None:
        return _named(parameter, facts, depth + 1, drawings)
    return _seen_by(array, facts)


def _is_drawn(array: gast.AST, call: gast.Call, facts: Facts) -> bool:
    """Is it handed to a function of matplotlib that makes shades of numbers: `plt.imshow(x)`, `axes[0].imshow(x)`?"""
    match call:
        case gast.Call(func=gast.Attribute(attr=attr) as method, args=[first, *_]) if first is array and attr in _DRAWING:
            name = facts.names(method)
            if name is not None:
                return name == f"matplotlib.pyplot.{attr}"
            own = any(getattr(one, "name", "") == attr for one in facts.nodes((gast.FunctionDef,)))
            return not own and "matplotlib" in facts.source.text
    return False


def _parameter_of(array: gast.AST, call: gast.Call, facts: Facts) -> gast.Name | None:
    """The parameter that an array becomes in a function of this file, which hands it to nobody by another way."""
    function = facts.callers.function_called(call)
    if not isinstance(function, gast.FunctionDef) or function.decorator_list or any(isinstance(one, gast.Starred) for one in call.args):
        return None
    if facts.scopes.class_of(function) is not None:
        return None
    given = bound_arguments(function, call, of_object=False) or {}
    return next((one for one in parameters(function) if given.get(one.id) is array), None)


def _is_float32(call: gast.Call, facts: Facts) -> bool:
    """Does a call say itself that it makes a float32 tensor?"""
    told = "dtype" in (facts.arguments(call) or {}) or len(call.args) > 1
    return told and facts.kind(call).dtype == "float32"


def _seen_by(node: gast.AST, facts: Facts) -> Refusal:
    whole = facts.parent(node)
    while isinstance(whole, gast.keyword | gast.Tuple | gast.List | gast.Attribute | gast.Subscript):
        whole = facts.parent(whole)
    shown = facts.edit.short(whole if isinstance(whole, gast.expr | gast.stmt) else node, "")
    if not shown:
        shown = f"{facts.edit.short(whole.func, 'a call')}(...)" if isinstance(whole, gast.Call) else "what reads it"
    return Refusal(node, Code.OTHER_DTYPE, f"{shown} would see float32 in place of float64")


def _named(target: gast.AST, facts: Facts, depth: int, drawings: list[gast.AST] | None) -> Refusal | None:
    """What sees another dtype in an array that has a name."""
    if not isinstance(target, gast.Name):
        return _seen_by(target, facts)
    if (refusal := why_not_private(target, facts)) is not None:
        return refusal
    uses = list(_uses(target, facts))
    return next((found for use in uses if (found := who_sees(use, facts, depth + 1, drawings)) is not None), None)


def why_not_private(target: gast.Name, facts: Facts) -> Refusal | None:
    """Why something else than the text may read a name of a function or a script, and see its dtype."""
    scope = facts.scopes.names[target]
    if scope.lookup(target.id) is not scope or target.id in scope.shared or scope.is_read_as_a_whole or facts.mutation.module_is_open:
        return Refusal(target, Code.OTHER_NAMES, f"{target.id} is known to other scopes, which may read its dtype")
    if isinstance(scope.node, gast.Module):
        if not facts.callers.is_only_run or facts.source.is_named_beside or reads_the_script(facts):
            return Refusal(target, Code.OTHER_NAMES, f"{target.id} is a global name: others may read its dtype")
    elif not isinstance(scope.node, DEFINITIONS):
        return Refusal(target, Code.OTHER_NAMES, f"{target.id} is known to other scopes, which may read its dtype")
    return None


def _uses(target: gast.Name, facts: Facts) -> Iterator[gast.Name]:
    """Where a name is read that may have been given here; in inner functions all of them."""
    scope = facts.scopes.names[target]
    for use in scope.uses.get(target.id, ()):
        reaching = facts.flow.definitions(use)
        if reaching is None or any(one is target for one in reaching):
            yield use
    for inner in scope.below():
        yield from (use for use in inner.uses.get(target.id, ()) if inner.lookup(target.id) is scope)
    # What adds to it in place reads it too.
    yield from (
        one
        for one in scope.bindings.get(target.id, ())
        if isinstance(one, gast.Name) and isinstance(facts.parent(one), gast.AugAssign) and one is not target
    )


# Keras


def _is_data(node: gast.AST, facts: Facts) -> bool:
    """Is it what a model of Keras is trained with, or evaluates? It takes floats as `keras.config.floatx()`."""
    parent = facts.parent(node)
    match parent:
        case gast.Tuple() | gast.List():
            return _is_data(parent, facts)
        case gast.keyword(arg=name):
            call = facts.parent(parent)
            return name in _DATA_KEYWORDS and isinstance(call, gast.Call) and _is_of_model(call, facts)
        case gast.Call(args=[first], func=gast.Name()) if first is node:
            return _takes_floats(facts) and is_model(parent.func, facts) and not gives_methods(("call", "__call__"), facts)
        case gast.Call(args=args):
            place = next((index for index, one in enumerate(args) if one is node), None)
            if place is None or not _is_of_model(parent, facts):
                return False
            return place < len(_DATA[parent.func.attr])
    return False


def _takes_floats(facts: Facts) -> bool:
    """Do models take floats as float32? That is Keras' default, which no line mentions otherwise: of the file, of those that it imports,
    of those that import it."""
    importers = (text_of(one.path) for one in facts.source.around.importers)
    return not any(_names_precision(text) for text in (facts.source.text, *importers, *imported_texts(facts)))


def _names_precision(text: str | None) -> bool:
    """A file that can't be read may say anything."""
    return text is None or any(word in text for word in _OTHER_PRECISION)


def _is_of_model(call: gast.Call, facts: Facts) -> bool:
    match call.func:
        case gast.Attribute(value=owner, attr=attr) if attr in _DATA:
            return _takes_floats(facts) and is_model(owner, facts) and not gives_methods([attr], facts)
    return False


def is_model(node: gast.AST, facts: Facts, depth: int = 0) -> bool:
    """Is it certainly a model of Keras, whose `fit` and `predict` are Keras' own?"""
    if depth > _MOST:
        return False
    match node:
        case gast.Name():
            owner = facts.scopes.names[node].lookup(node.id)
            given = [] if owner is None else owner.bindings.get(node.id, [])
            values = [_value_given(one, facts) for one in given]
            return bool(given) and all(one is not None and is_model(one, facts, depth + 1) for one in values)
        case gast.Call():
            name = facts.called(node) or ""
            if name in _MODELS or (name.startswith("tensorflow.keras.applications.") and name.rpartition(".")[2][:1].isupper()):
                return True
            if (made := _class_named(node.func, facts)) is not None:
                return _is_model_class(made, facts)
            function = facts.function_called(node)
            if isinstance(function, gast.FunctionDef) and not function.decorator_list:
                returned = [one.value for one in facts.scopes.within(function) if isinstance(one, gast.Return)]
                return bool(returned) and all(one is not None and is_model(one, facts, depth + 1) for one in returned)
    return False


def _value_given(target: gast.AST, facts: Facts) -> gast.expr | None:
    match facts.parent(target):
        case gast.Assign(targets=[given], value=gast.expr() as value) if given is target:
            return value
    return None


def _class_named(node: gast.AST, facts: Facts) -> gast.ClassDef | None:
    """The class of this file that a name certainly stands for."""
    owner = facts.scopes.names[node].lookup(node.id) if isinstance(node, gast.Name) and node in facts.scopes.names else None
    match owner.bindings[node.id] if owner is not None and isinstance(node, gast.Name) else None:
        case [gast.ClassDef(decorator_list=[]) as found]:
            return found
    return None


def _is_model_class(made: gast.ClassDef, facts: Facts) -> bool:
    if not facts.callers.kept_by_keras(made):
        return False
    return (
        facts.scopes.of[made].bindings.keys().isdisjoint((*_DATA, "__call__"))
        and len(made.bases) == 1
        and facts.names(made.bases[0]) in _MODELS
    )


def _is_dataset_of(node: gast.AST, facts: Facts, depth: int) -> bool:
    """Is it made a dataset of whose elements only models of Keras see?"""
    call = facts.parent(node)
    if not isinstance(call, gast.Call) or facts.called(call) != "tensorflow.data.Dataset.from_tensor_slices" or call.keywords:
        return False
    steps = {one.name for one in facts.nodes((gast.FunctionDef,)) if isinstance(one, gast.FunctionDef)} & _STEPS
    return not steps and _only_trains(call, facts, depth)


def _only_trains(rows: gast.AST, facts: Facts, depth: int) -> bool:
    parent = facts.parent(rows)
    if depth > _MOST:
        return False
    match parent:
        case gast.Attribute(attr=attr) if attr in _KEEP_ELEMENTS:
            call = facts.parent(parent)
            return isinstance(call, gast.Call) and call.func is parent and _only_trains(call, facts, depth + 1)
        case gast.Assign(targets=[gast.Name() as target], value=value) if value is rows:
            scope = facts.scopes.names[target]
            private = not isinstance(scope.node, gast.Module) or (facts.callers.is_only_run and not facts.source.is_named_beside)
            alone = scope.lookup(target.id) is scope and target.id not in scope.shared and not scope.is_read_as_a_whole
            return private and alone and all(_only_trains(use, facts, depth + 1) for use in _uses(target, facts))
    return _is_data(rows, facts)
