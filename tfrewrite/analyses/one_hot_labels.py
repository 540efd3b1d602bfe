"""Labels that `to_categorical` makes for a model of Keras alone, which its sparse loss would take as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.float32_readers import is_model, why_not_private
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.kinds import INTEGERS, Kind, lies_below
from tfrewrite.outcomes import Edit, Refusal

_HOT = "tensorflow.keras.utils.to_categorical"
_CASES = "tensorflow.keras.losses."
_LOSS = "categorical_crossentropy"
_LOSS_CLASS = "CategoricalCrossentropy"
_DATA = {
    "fit": frozenset({
        "x", "y", "batch_size", "epochs", "verbose", "callbacks", "validation_split", "validation_data", "shuffle", "initial_epoch",
        "steps_per_epoch", "validation_freq", "validation_batch_size",
    }),
    "evaluate": frozenset({"x", "y", "batch_size", "verbose", "steps", "return_dict"}),
}  # fmt: skip
_HARMLESS = frozenset({"add", "summary", "predict", "predict_on_batch", "save_weights", "load_weights", "get_weights", "count_params"})
_WITHOUT_LABELS = frozenset({"predict", "predict_on_batch"})
_CALLBACKS = frozenset({"EarlyStopping", "ReduceLROnPlateau", "TerminateOnNaN", "LearningRateScheduler"})
_SHOWN = frozenset({"acc", "accuracy"})
_OF_LABELS = {"CategoricalAccuracy": "SparseCategoricalAccuracy", "TopKCategoricalAccuracy": "SparseTopKCategoricalAccuracy"}


@dataclass(frozen=True)
class Compiled:
    """What has to change where a model is compiled and its labels are made, and the calls whose results are rounded otherwise."""

    edits: tuple[Edit, ...]
    made: tuple[gast.Assign, ...]
    results: tuple[gast.Call, ...]
    classes: int
    saved: int | None
    doubt: Refusal | None


def compiled_labels(call: gast.Call, facts: Facts) -> Compiled | Refusal | None:
    """The labels of a model that is compiled with the loss of one-hot vectors; None where it isn't, or where others make its labels."""
    match call:
        case gast.Call(func=gast.Attribute(value=gast.Name() as model, attr="compile"), args=[], keywords=given):
            settings = {one.arg: one.value for one in given}
        case _:
            return None
    if "loss" not in settings or not (named := _loss(settings["loss"], facts)):
        return None
    calls = _calls_of(model, facts)
    if isinstance(calls, Refusal):
        return calls
    labels = [one for each in calls for one in _labels(each)]
    made = list(dict.fromkeys(one for one in (_made(label, facts) for label in labels) if one is not None))
    if not made:
        return None
    if not is_model(model, facts):
        return Refusal(call, Code.UNKNOWN_VALUE, f"{model.id} is not known to be a model that trains as Keras' own do")
    if (refusal := _why_not_compiled(call, settings, named, facts)) is not None:
        return refusal
    if any(_made(label, facts) is None for label in labels) or any(not _labels(one) for one in calls if _method(one) in _DATA):
        return Refusal(call, Code.OTHER_NAMES, f"{model.id} is given other labels too")
    classes = _classes(model, "softmax" if named[1] is None else None, facts)
    if classes is None:
        reason = f"what {model.id} gives is not known to be a softmax, or logits of a loss that says so: the two losses may differ"
        return Refusal(call, Code.PRECISION, reason, "End it by Dense(n, activation='softmax').")
    for one in made:
        if (refusal := _why_not_ids(one, labels, classes, facts)) is not None:
            return refusal.at(call)
    metrics = _metrics(settings.get("metrics"), facts)
    if isinstance(metrics, Refusal):
        return metrics.at(call)
    edits = [named[0], *metrics]
    for one in made:
        removed = _removed(one, facts)
        if removed is None:
            return Refusal(one, Code.LAYOUT, "a comment speaks of the one-hot vectors, or their statement shares its line")
        edits += removed
    sizes = [facts.kind(_ids(one)).size for one in made]
    saved = None if None in sizes else sum(one or 0 for one in sizes) * classes * 8
    return Compiled(tuple(edits), tuple(made), tuple(calls), classes, saved, _doubt(call, made, classes, facts))


def _loss(loss: gast.expr, facts: Facts) -> tuple[Edit, gast.expr | None] | None:
    """The edit that makes a loss the sparse one, and its `from_logits` where that is given; None for another loss."""
    span = facts.source.span(loss)
    match loss:
        case gast.Constant(value=str(name)) if name == _LOSS:
            place = facts.source.text.index(_LOSS, span.start, span.end)
            return Edit(place, place, "sparse_"), None
        case gast.Attribute() if facts.names(loss) == f"{_CASES}{_LOSS}" and loss.attr == _LOSS:
            return Edit(span.end - len(loss.attr), span.end - len(loss.attr), "sparse_"), None
        case gast.Call(func=gast.Attribute(attr=attr) as func, args=[], keywords=keywords) if attr == _LOSS_CLASS:
            given = {one.arg: one.value for one in keywords}
            if facts.names(func) != f"{_CASES}{_LOSS_CLASS}" or not given.keys() <= {"from_logits"}:
                return None
            end = facts.source.span(func).end - len(attr)
            return Edit(end, end, "Sparse"), given.get("from_logits")
    return None


def _why_not_compiled(
    call: gast.Call, settings: dict[str, gast.expr], named: tuple[Edit, gast.expr | None], facts: Facts
) -> Refusal | None:
    others = settings.keys() - {"loss", "optimizer", "metrics"}
    if others:
        return Refusal(call, Code.FORM, f"what {min(others, key=str)} means for one-hot vectors is not known to be the same for ids")
    if named[1] is not None and facts.kind(named[1]).value is not True:
        return Refusal(call, Code.PRECISION, "of probabilities of many classes the sparse loss differs by more than rounding")
    return None


# The model


def _method(call: gast.Call) -> str:
    return str(getattr(call.func, "attr", ""))


def _calls_of(model: gast.Name, facts: Facts) -> list[gast.Call] | Refusal:
    """The calls that train, try or ask a model, if the file does nothing with it that would show another loss."""
    owner = facts.scopes.names[model].lookup(model.id)
    if owner is None or len(owner.bindings[model.id]) != 1 or model.id in owner.shared or owner.is_read_as_a_whole:
        return Refusal(model, Code.OTHER_NAMES, f"{model.id} may be several models")
    if any(model.id in one.uses and one.lookup(model.id) is owner for one in owner.below()):
        return Refusal(model, Code.OTHER_NAMES, f"{model.id} is also known to an inner function")
    found = []
    for use in owner.uses[model.id]:
        method = facts.parent(use)
        call = facts.parent(method) if isinstance(method, gast.Attribute) else None
        if not isinstance(call, gast.Call) or not isinstance(method, gast.Attribute) or call.func is not method:
            return Refusal(
                use, Code.OTHER_NAMES, f"{facts.edit.short(facts.scopes.statement(use), model.id)} may show the loss of {model.id}"
            )
        if method.attr in _DATA:
            if not _is_plain(call, facts):
                return Refusal(
                    call, Code.FORM, f"what {model.id}.{method.attr} is given beside data and labels may see the labels or the loss"
                )
            found.append(call)
        elif method.attr == "compile" and use is not model:
            return Refusal(call, Code.OTHER_NAMES, f"{model.id} is compiled twice")
        elif method.attr in _WITHOUT_LABELS:
            found.append(call)
        elif method.attr not in _HARMLESS and method.attr != "compile":
            return Refusal(call, Code.OTHER_NAMES, f"{model.id}.{method.attr} may show the loss of {model.id}")
    return found


def _is_plain(call: gast.Call, facts: Facts) -> bool:
    """Is nothing handed to `fit` or `evaluate` that sees the labels or the loss, as a callback may?"""
    given = {one.arg: one.value for one in call.keywords}
    if len(call.args) > 2 or any(isinstance(one, gast.Starred) for one in call.args) or not given.keys() <= _DATA[_method(call)]:
        return False
    callbacks = given.get("callbacks")
    if callbacks is None:
        return True
    return isinstance(callbacks, gast.List | gast.Tuple) and all(_is_quiet(one, facts) for one in callbacks.elts)


def _is_quiet(callback: gast.expr, facts: Facts) -> bool:
    made: gast.AST | None = callback
    if isinstance(callback, gast.Name):
        bound = facts.flow.definitions(callback)
        given = facts.parent(bound[0]) if bound is not None and len(bound) == 1 else None
        made = given.value if isinstance(given, gast.Assign) else None
    name = facts.called(made) or "" if isinstance(made, gast.Call) else ""
    return name.startswith(("tensorflow.keras.callbacks.", "tensorflow.python.keras.callbacks.")) and name.rpartition(".")[2] in _CALLBACKS


def _classes(model: gast.Name, activation: str | None, facts: Facts) -> int | None:
    """How many classes the last layer of a model tells apart, if its logits are known to reach the loss."""
    layer = _last_layer(model, facts)
    if not isinstance(layer, gast.Call) or facts.called(layer) != "tensorflow.keras.layers.Dense":
        return None
    given = {one.arg: one.value for one in layer.keywords} | dict(zip(("units", "activation"), layer.args, strict=False))
    named = given.get("activation")
    last = named.value if isinstance(named, gast.Constant) else named
    units = facts.kind(given["units"]).value if "units" in given else None
    harmless = given.keys() <= {"units", "activation", "name", "input_shape", "input_dim", "kernel_initializer", "use_bias"}
    return units if isinstance(units, int) and last == activation and harmless else None


def _last_layer(model: gast.Name, facts: Facts) -> gast.AST | None:
    owner = facts.scopes.names[model].lookup(model.id)
    if owner is None:
        return None
    match facts.parent(owner.bindings[model.id][0]):
        case gast.Assign(targets=[gast.Name()], value=gast.Call() as made) as assignment:
            pass
        case _:
            return None
    added = [one for one in owner.uses[model.id] if getattr(facts.parent(one), "attr", "") == "add"]
    name, given = facts.called(made) or "", {one.arg: one.value for one in made.keywords}
    if name.rpartition(".")[2] == "Sequential":
        layers = next(iter(made.args), given.get("layers"))
        if added:
            last = max(added, key=lambda one: (one.lineno, one.col_offset))
            method = facts.parent(last)
            call = facts.parent(method) if method is not None else None
            straight = all(facts.parent(facts.scopes.statement(one)) is facts.parent(assignment) for one in added)
            return call.args[0] if straight and isinstance(call, gast.Call) and len(call.args) == 1 else None
        return layers.elts[-1] if isinstance(layers, gast.List) and layers.elts else None
    outputs = given.get("outputs", made.args[1] if len(made.args) == 2 else None)
    if isinstance(outputs, gast.Name) and name.rpartition(".")[2] == "Model":
        bound = facts.flow.definitions(outputs)
        match facts.parent(bound[0]) if bound is not None and len(bound) == 1 else None:
            case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Call() as layer, args=[_], keywords=[])):
                return layer
    return None


# The labels


def _labels(call: gast.Call) -> list[gast.expr]:
    """What a call of `fit` or `evaluate` is given as labels."""
    if _method(call) not in _DATA:
        return []
    given = {one.arg: one.value for one in call.keywords}
    found = [call.args[1]] if len(call.args) == 2 else [given["y"]] if "y" in given else []
    validation = given.get("validation_data")
    if isinstance(validation, gast.Tuple) and len(validation.elts) == 2:
        return [*found, validation.elts[1]]
    return found if validation is None else [*found, validation]


def _made(label: gast.expr, facts: Facts) -> gast.Assign | None:
    """The assignment that makes one-hot vectors of a label's ids."""
    bound = facts.flow.definitions(label) if isinstance(label, gast.Name) else None
    match facts.parent(bound[0]) if bound is not None and len(bound) == 1 else None:
        case gast.Assign(targets=[gast.Name()], value=gast.Call() as made) as found if facts.called(made) == _HOT:
            return found
    return None


def _ids(made: gast.Assign) -> gast.expr:
    call = made.value
    assert isinstance(call, gast.Call)
    ids: gast.expr = call.args[0] if call.args else call.keywords[0].value
    return ids


def _why_not_ids(made: gast.Assign, labels: Sequence[gast.expr], classes: int, facts: Facts) -> Refusal | None:
    """Why the ids can't take the place of their one-hot vectors."""
    call, target = made.value, made.targets[0]
    assert isinstance(call, gast.Call) and isinstance(target, gast.Name)
    name = target.id
    if len(call.args) not in (1, 2) or len(call.args) + len(call.keywords) > 2 or any(one.arg != "num_classes" for one in call.keywords):
        return Refusal(made, Code.FORM, f"how {name} is made is not known to be the usual way")
    if classes < 64:
        return Refusal(made, Code.TOO_SMALL, f"the vectors of {classes} classes are short")
    told = [*call.args[1:], *(one.value for one in call.keywords)]
    if told and facts.kind(told[0]).value != classes:
        return Refusal(made, Code.UNKNOWN_SHAPE, f"{name} is not known to have {classes} classes, as the model has")
    kind = facts.kind(_ids(made))
    if kind.sort is not Sort.ARRAY or kind.dtype not in INTEGERS or not _is_one_column(kind):
        return Refusal(
            made, Code.UNKNOWN_VALUE, f"{facts.edit.short(_ids(made), 'the ids')} is not known to be an array of ids, one for each row"
        )
    if (refusal := why_not_private(target, facts)) is not None:
        return refusal
    users = facts.flow.users(target)
    if users is None or any(one not in labels and not _asks_for_length(one, facts) for one in users):
        return Refusal(made, Code.OTHER_NAMES, f"{name} is read elsewhere too, as one-hot vectors")
    return None


def _is_one_column(kind: Kind) -> bool:
    return isinstance(kind.shape, tuple) and (len(kind.shape) == 1 or (len(kind.shape) == 2 and kind.shape[1] == 1))


def _asks_for_length(use: gast.AST, facts: Facts) -> bool:
    parent = facts.parent(use)
    return isinstance(parent, gast.Call) and facts.called(parent) == "builtins.len"


def _metrics(metrics: gast.expr | None, facts: Facts) -> list[Edit] | Refusal:
    """The edits that make metrics those of ids; a refusal for one that has no twin of the same name."""
    if metrics is None:
        return []
    edits = []
    for one in metrics.elts if isinstance(metrics, gast.List | gast.Tuple) else [metrics]:
        match one:
            case gast.Constant(value=str(name)) if name in _SHOWN:
                continue
            case gast.Call(func=gast.Attribute(attr=attr) as func, keywords=keywords) if attr in _OF_LABELS:
                known = facts.names(func) == f"tensorflow.keras.metrics.{attr}"
                if known and any(each.arg == "name" for each in keywords):
                    place = facts.source.span(func).end - len(attr)
                    edits.append(Edit(place, place, "Sparse"))
                    continue
        return Refusal(one, Code.FORM, f"{facts.edit.short(one, 'a metric')} may be another number for ids, or have another name")
    return edits


def _removed(made: gast.Assign, facts: Facts) -> tuple[Edit, ...] | None:
    """The edits that leave ids as they are."""
    target, ids = made.targets[0], _ids(made)
    if isinstance(ids, gast.Name) and isinstance(target, gast.Name) and ids.id == target.id:
        return facts.edit.delete_paragraph(made)
    return facts.edit.rebuild(made.value, [(ids, 0)], facts.edit.precedence(ids))


def _doubt(call: gast.Call, made: Sequence[gast.Assign], classes: int, facts: Facts) -> Refusal | None:
    """What the text leaves open, if it isn't compared in a run."""
    for one in made:
        kind = facts.kind(_ids(one))
        if not (kind.dtype or "").startswith("u") and not lies_below(kind.below, classes):
            shown = facts.edit.short(_ids(one), "an id")
            reason = f"{shown} might hold -1, which to_categorical takes for the last class, and the sparse loss for none"
            return Refusal(call, Code.RAISES, reason)
    seen = facts.world.observed
    if seen is not None and not seen.holds and facts.world.values:
        return None
    reason = "where the model has diverged and a logit is -inf, the loss of one-hot vectors is NaN, and the sparse one isn't"
    return Refusal(call, Code.NOT_FINITE, reason, "--verify tries it, and keeps it where it saves.")
