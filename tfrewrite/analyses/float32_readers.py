"""Whether everything that reads an array reads it as float32, whatever its dtype: Keras, a cast, its shape."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tfrewrite.analyses.array_holders import SETTINGS
from tfrewrite.analyses.imported_texts import gives_methods, imported_texts, reads_the_script, text_of
from tfrewrite.analyses.rows_by_indices import picks_rows
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import DEFINITIONS, bound_arguments, parameters
from tfrewrite.outcomes import Refusal

_VIEWING = frozenset({"reshape", "expand_dims", "squeeze", "transpose", "ravel", "moveaxis", "swapaxes"})
_DATA = {
    "fit": ("x", "y"), "evaluate": ("x", "y"), "predict": ("x",), "train_on_batch": ("x", "y"), "test_on_batch": ("x", "y"),
    "predict_on_batch": ("x",),
}  # fmt: skip
_DATA_KEYWORDS = frozenset({"x", "y", "validation_data"})
_ON_BATCH = frozenset({"train_on_batch", "test_on_batch", "predict_on_batch"})
"""What hands a model its arrays as they are: `fit` makes float32 of them first."""
_STEPS = frozenset({"train_step", "test_step", "predict_step", "compute_loss", "compute_metrics"})
_KEEP_ELEMENTS = frozenset({"shuffle", "batch", "prefetch", "cache", "repeat", "take", "skip"})
_MODELS = ("tensorflow.keras.Sequential", "tensorflow.keras.Model", "tensorflow.keras.models.Sequential", "tensorflow.keras.models.Model")
_OTHER_PRECISION = ("float64", "mixed_", "autocast", "floatx", "bfloat16", "float16", ".double", "dtype_policy")
_DRAWING = frozenset({"imshow", "matshow"})
_ARRAYS_OF_DRAWINGS = frozenset({"get_array", "get_cursor_data"})
_CASTING = ("tensorflow.cast", "tensorflow.convert_to_tensor", "tensorflow.constant")
_VIEWING_TENSORS = frozenset({"tensorflow.reshape", "tensorflow.expand_dims", "tensorflow.squeeze"})
_MOST = 16


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
            if (made := _dataset_of(parent, facts)) is not None:
                place = next(index for index, one in enumerate(elts) if one is array)
                return _of_elements(made, place, facts, depth + 1, drawings)
            return None if _is_data(parent, facts) else _seen_by(array, facts)
        case gast.Subscript(value=value) if value is array and isinstance(parent.ctx, gast.Load):
            return who_sees(parent, facts, depth + 1, drawings)
        case gast.For(target=target, iter=iterated) if iterated is array:
            return _named(target, facts, depth + 1, drawings)
        case gast.Call(args=args, keywords=[]) if (target := _taken_from(parent, array, args, facts)) is not None:
            return _named(target, facts, depth + 1, drawings)
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
            if name == "builtins.len" or (name == "tensorflow.keras.utils.array_to_img" and _is_made_float32(parent, facts)):
                return None
            if name.removeprefix("numpy.") in _VIEWING and name.startswith("numpy."):
                return who_sees(parent, facts, depth + 1, drawings)
            if name in _CASTING and _is_float32(parent, facts) and (name == _CASTING[0] or facts.kind(array).sort is not Sort.TENSOR):
                return None
            if name in _VIEWING_TENSORS:
                return who_sees(parent, facts, depth + 1, drawings)
    if _is_data(array, facts):
        return None
    if (made := _dataset_of(array, facts)) is not None:
        return _of_elements(made, None, facts, depth + 1, drawings)
    if isinstance(parent, gast.Call) and (parameter := _parameter_of(array, parent, facts)) is not None:
        return _named(parameter, facts, depth + 1, drawings)
    return _seen_by(array, facts)


def _taken_from(call: gast.Call, array: gast.AST, given: list[gast.expr], facts: Facts) -> gast.expr | None:
    """What a loop over `zip(names, x)` or `enumerate(x)` calls the rows of an array."""
    loop, name = facts.parent(call), facts.called(call)
    place = next((index for index, one in enumerate(given) if one is array), None)
    match loop:
        case gast.For(target=gast.Tuple(elts=targets), iter=iterated) if iterated is call and place is not None:
            names: list[gast.expr] = [] if any(isinstance(one, gast.Starred) for one in (*targets, *given)) else targets
            if name == "builtins.zip" and len(names) == len(given):
                return names[place]
            if name == "builtins.enumerate" and len(names) == 2 and place == 0:
                return names[1]
    return None


def _is_made_float32(call: gast.Call, facts: Facts) -> bool:
    """Does a function of Keras make a float32 array of what it is given? It does so by default."""
    return len(call.args) == 1 and not any(one.arg in ("dtype", None) for one in call.keywords) and _takes_floats(facts)


def _is_drawn(array: gast.AST, call: gast.Call, facts: Facts) -> bool:
    """Is it handed to a function of matplotlib that makes shades of numbers: `plt.imshow(x)`, `axes[0].imshow(x)`?"""
    match call:
        case gast.Call(func=gast.Attribute(attr=attr) as method, args=[first, *_]) if first is array and attr in _DRAWING:
            name = facts.names(method)
            if any(getattr(one, "attr", "") in _ARRAYS_OF_DRAWINGS for one in facts.nodes((gast.Attribute,))):
                return False
            if name is not None:
                return name == f"matplotlib.pyplot.{attr}"
            own = any(getattr(one, "name", "") == attr for one in facts.nodes((gast.FunctionDef,)))
            return not own and "matplotlib" in facts.source.text
    return False


def _parameter_of(array: gast.AST, call: gast.Call, facts: Facts) -> gast.Name | None:
    """The parameter that an array becomes in a function of this file, which hands it to nobody by another way."""
    function = facts.callers.function_called(call)
    if not isinstance(function, gast.FunctionDef) or any(isinstance(one, gast.Starred) for one in call.args):
        return None
    if not all(_traces_any_dtype(one, facts) for one in function.decorator_list):
        return None
    if facts.scopes.class_of(function) is not None:
        return None
    given = bound_arguments(function, call, of_object=False) or {}
    return next((one for one in parameters(function) if given.get(one.id) is array), None)


def _traces_any_dtype(decorator: gast.AST, facts: Facts) -> bool:
    """Is it `tf.function`, with no signature that names a dtype?"""
    match decorator:
        case gast.Call(args=[], keywords=keywords):
            return facts.called(decorator) == "tensorflow.function" and all(
                one.arg in ("jit_compile", "reduce_retracing") for one in keywords
            )
    return facts.names(decorator) == "tensorflow.function"


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
            return name in _DATA_KEYWORDS and isinstance(call, gast.Call) and _is_of_model(call, name == "y", facts)
        case gast.Call(args=[first], func=gast.Name()) if first is node:
            return _takes_floats(facts) and is_model(parent.func, facts) and not gives_methods(("call", "__call__"), facts)
        case gast.Call(args=args):
            place = next((index for index, one in enumerate(args) if one is node), None)
            if place is None or not _is_of_model(parent, place == 1, facts):
                return False
            return place < len(_DATA[parent.func.attr])
    return False


def _takes_floats(facts: Facts) -> bool:
    """Do models take floats as float32? That is Keras' default, which no line mentions otherwise: of the file, of those that it imports,
    of those that import it."""
    importers = (text_of(one.path) for one in facts.source.around.importers)
    if any(_names_precision(text) for text in (facts.source.text, *importers, *imported_texts(facts))):
        return False
    return not facts.once(_computes_precision)


def _computes_precision(facts: Facts) -> bool:
    """Does it tell Keras a dtype that no word of it names, as `Dense(10, dtype=np.dtype(float).name)`?"""
    told = (
        one.value
        for call in facts.nodes((gast.Call,))
        if (facts.called(call) or "").startswith("tensorflow.keras.")
        for one in call.keywords
        if one.arg in ("dtype", None)
    )
    return not all(isinstance(one, gast.Constant) or _is_plain_dtype(facts.names(one) or "") for one in told)


def is_told_precision(facts: Facts) -> bool:
    """Do the files say that a model or a layer computes in anything but float32? A dtype that something else has is none of its."""
    words = ("floatx", "mixed_", "autocast", "dtype_policy")
    texts = (facts.source.text, *(text_of(one.path) for one in facts.source.around.importers), *imported_texts(facts))
    if any(text is None or any(word in text for word in words) for text in texts):
        return True
    for call in (one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call)):
        name = facts.called(call) or ""
        made = name.startswith("tensorflow.keras.") and name.rpartition(".")[2] not in ("Input", "InputLayer")
        if made or getattr(call.func, "attr", "") == "__init__" or _class_named(call.func, facts) is not None:
            told = [one.value for one in call.keywords if one.arg == "dtype"]
            if not all(_is_float32_or_none(one, facts) for one in told):
                return True
    return False


def _is_float32_or_none(dtype: gast.AST, facts: Facts) -> bool:
    written = getattr(dtype, "value", None) if isinstance(dtype, gast.Constant) else (facts.names(dtype) or "?").rpartition(".")[2]
    return written is None or written in ("float32", "string") or str(written).startswith(("int", "uint"))


def _is_plain_dtype(name: str) -> bool:
    return name.startswith(("tensorflow.", "numpy.")) and not _names_precision(name)


def _names_precision(text: str | None) -> bool:
    """A file that can't be read may say anything."""
    return text is None or any(word in text for word in _OTHER_PRECISION)


def _is_of_model(call: gast.Call, is_wanted: bool, facts: Facts) -> bool:
    """`is_wanted`: is it what the model should give, which metrics see too?"""
    match call.func:
        case gast.Attribute(attr=attr) if attr in _ON_BATCH and (_has_steps(facts) or (is_wanted and facts.once(_has_metrics))):
            return False
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


def _dataset_of(rows: gast.AST, facts: Facts) -> gast.Call | None:
    """The call that makes a dataset of arrays: of a copy of them, or by the function that picks rows of them."""
    call = facts.parent(rows)
    if not isinstance(call, gast.Call) or call.keywords or len(call.args) != 1:
        return None
    if facts.called(call) == "tensorflow.data.Dataset.from_tensor_slices":
        return call
    whole = facts.parent(call)
    match whole:
        case gast.Call(func=gast.Attribute(attr="map"), args=[mapped], keywords=[]) if mapped is call and picks_rows(call, facts):
            return whole
    return None


def _of_elements(rows: gast.AST, place: int | None, facts: Facts, depth: int, drawings: list[gast.AST] | None) -> Refusal | None:
    """What sees the dtype of a dataset's elements, or of what stands at a place in them."""
    parent = facts.parent(rows)
    if depth > _MOST:
        return _seen_by(rows, facts)
    match parent:
        case gast.Attribute(attr=attr) if attr in _KEEP_ELEMENTS:
            call = facts.parent(parent)
            if isinstance(call, gast.Call) and call.func is parent:
                return _of_elements(call, place, facts, depth + 1, drawings)
        case gast.Assign(targets=[gast.Name() as target], value=value) if value is rows:
            return _of_dataset_named(target, place, facts, depth, drawings)
        case gast.For(target=target, iter=iterated) if iterated is rows:
            return _of_each(target, place, facts, depth, drawings)
        case gast.Call(args=[first], keywords=[]) if first is rows and facts.called(parent) == "builtins.enumerate":
            match facts.parent(parent):
                case gast.For(target=gast.Tuple(elts=[_, target]), iter=iterated) if iterated is parent:
                    return _of_each(target, place, facts, depth, drawings)
    if _is_data(rows, facts):
        return _seen_by(rows, facts) if _has_steps(facts) or (place and facts.once(_has_metrics)) else None
    if isinstance(parent, gast.Call) and (parameter := _parameter_of(rows, parent, facts)) is not None:
        return _of_dataset_named(parameter, place, facts, depth, drawings)
    return _seen_by(rows, facts)


def _of_dataset_named(target: gast.Name, place: int | None, facts: Facts, depth: int, drawings: list[gast.AST] | None) -> Refusal | None:
    if (refusal := why_not_private(target, facts)) is not None:
        return refusal
    found = (_of_elements(use, place, facts, depth + 1, drawings) for use in _uses(target, facts))
    return next((one for one in found if one is not None), None)


def _of_each(target: gast.AST, place: int | None, facts: Facts, depth: int, drawings: list[gast.AST] | None) -> Refusal | None:
    """What sees the dtype of what a loop takes of a dataset."""
    if place is None:
        return _named(target, facts, depth + 1, drawings)
    match target:
        case gast.Tuple(elts=targets) if place < len(targets) and not any(isinstance(one, gast.Starred) for one in targets):
            return _named(targets[place], facts, depth + 1, drawings)
    return _seen_by(target, facts)


def _has_steps(facts: Facts) -> bool:
    """Does the file say itself what a model does with a batch, which a dataset gives it as it is?"""
    return any(getattr(one, "name", "") in _STEPS and facts.scopes.class_of(one) is not None for one in facts.nodes((gast.FunctionDef,)))


def _has_metrics(facts: Facts) -> bool:
    """May a model be compiled with a metric that isn't Keras' own? It is handed what the model should give as it is; losses get float32."""
    calls = [one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call) and getattr(one.func, "attr", "") == "compile"]
    told = [one.value for call in calls for one in call.keywords if one.arg in ("metrics", "weighted_metrics", None)]
    return not calls or not all(_is_of_keras(one, facts) for one in (*told, *(one for call in calls for one in call.args[2:])))


def _is_of_keras(metric: gast.AST | None, facts: Facts, depth: int = 0) -> bool:
    match metric:
        case gast.Constant():
            return True
        case gast.List(elts=elements) | gast.Tuple(elts=elements) | gast.Dict(values=elements) if depth < _MOST:
            return all(_is_of_keras(one, facts, depth + 1) for one in elements)
        case gast.Name() if metric in facts.scopes.names and facts.names(metric) is None and depth < _MOST:
            owner = facts.scopes.names[metric].lookup(metric.id)
            given = owner.bindings.get(metric.id, []) if owner is not None else []
            return bool(given) and all(_is_of_keras(_value_given(one, facts), facts, depth + 1) for one in given)
        case gast.Call() | gast.Attribute() | gast.Name():
            name = (facts.called(metric) if isinstance(metric, gast.Call) else facts.names(metric)) or ""
            return name.startswith("tensorflow.keras.") and not name.endswith(".MeanMetricWrapper")
    return False
