"""Call `predict_on_batch` instead of `predict` for a single batch in a loop.

Before:  for step in range(200):
             rows = model.predict(np.expand_dims(state, 0), verbose=0)
After:   for step in range(200):
             rows = model.predict_on_batch(np.expand_dims(state, 0))

Why:     `predict` makes a dataset, an iterator and a list of callbacks in each call, of which TensorFlow keeps some.
         100 calls for one row: 3.4 -> 0 MB kept, 4.2 -> 0.03 s. Results are the same bits (13 models: `float64` and integer
         input, lists, tuples and dicts of inputs, `Dropout`, `BatchNormalization`, `LSTM`; 1 to 32 rows).
Safety:  - **Progress.** Refused unless `verbose=0` is given: `model.predict(x)` prints a line in every call. `--unsafe` takes
           it that nobody wants these lines.
         - **Lists.** Refused for a list of inputs where the file has a class with its own `call`, which `predict` gives a tuple.
         - **Several batches.** Refused unless the input is known to fit in one batch: `model.predict(x)` runs `[1000, 8]` as
           32 batches.
         - **Callbacks, steps.** Refused for `callbacks=[...]` and `steps=3`: `predict_on_batch` has neither.
         - **Other inputs.** Refused unless each input is known to be an array or a tensor: `model.predict(dataset)`.
         - **Other floats.** Refused for floats other than float32, of which `predict` makes that first, where the file takes
           integers or another precision, `Input((1,), dtype="int64")`, and where they may be texts.
         - **Other models.** Refused unless it is known to be a Keras model, of a class without a `predict_step` of its own:
           `estimator.predict(x, verbose=0)`. Refused too where the file says `model.predict = counted`.
         - **Once.** Not rewritten outside of loops and of functions that are called in loops: `print(model.predict(x))`.
         - **Stopping.** Refused where the file names `stop_predicting`, which `predict` sets to `False`.
         - **Random numbers.** Refused where a function draws them by `tf.random.normal(...)` and the file calls `predict` elsewhere
           too: both calls draw from one graph, and two graphs would have a state each.
         - **Distribution.** Refused where the file uses `tf.distribute`: a batch would be split among devices.
"""

from __future__ import annotations

import gast

from tfrewrite.analyses.float32_readers import is_told_precision
from tfrewrite.analyses.imported_texts import gives_methods
from tfrewrite.analyses.keras_models import is_model
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS, LOOPS
from tfrewrite.kinds import INTEGERS, Kind
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_BATCH = 32
_EXPANDS = {"numpy.expand_dims", "tensorflow.expand_dims", "keras.ops.expand_dims"}

_RESHAPES = {"numpy.reshape", "tensorflow.reshape", "keras.ops.reshape"}
_MAKES = {
    "numpy.array",
    "numpy.asarray",
    "tensorflow.constant",
    "tensorflow.convert_to_tensor",
    "keras.ops.array",
    "keras.ops.convert_to_tensor",
}

_OF_TEXTS = ("TextVectorization", "StringLookup")
_FLOATS, _INTEGERS, _TEXTS = "floats", "integers", "texts"

_METHODS = ("predict", "predict_step", "predict_function", "make_predict_function", "predict_on_batch")


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=(".predict(",))
def predict_on_batch(call: gast.Call, facts: Facts) -> Outcome:
    match call:
        case gast.Call(func=gast.Attribute(value=model, attr="predict"), args=[inputs, *more]):
            pass
        case _:
            return None
    if not _is_repeated(call, facts, set()) or facts.in_test(call) or not is_model(model, facts):
        return None
    if "stop_predicting" in facts.source.text:
        return Refusal(call, Code.SETTINGS, "the program names stop_predicting, which predict sets and predict_on_batch doesn't")
    if (own := gives_methods(_METHODS, facts)) is not None:
        return Refusal(call, Code.MAY_CHANGE, f"the file may give a model a {own} of its own")
    given = {one.arg: one.value for one in call.keywords}
    if more or not given.keys() <= {"verbose", "batch_size"}:
        return Refusal(call, Code.FORM, "predict_on_batch takes nothing but the input")
    size = given.get("batch_size", gast.Constant(_BATCH, None))
    rows = _rows(inputs, facts, 0)
    if rows is None or not isinstance(size, gast.Constant) or not isinstance(size.value, int) or rows > size.value:
        shown = facts.edit.short(inputs, "the input")
        reason = f"{shown} is not known to be one batch of 1 to {_BATCH} rows"
        return Refusal(call, Code.UNKNOWN_SHAPE, reason, "If it is, call predict_on_batch.")
    if (made := _made_otherwise(inputs, facts)) is not None:
        return made.at(call)
    if isinstance(inputs, gast.List) and _is_called_with_a_list(facts):
        return Refusal(call, Code.UNKNOWN_CALL, "a class of the file has its own call, which predict gives a tuple in place of the list")
    used = next(
        (one for one in facts.nodes((gast.Attribute, gast.Name)) if (facts.names(one) or "").startswith("tensorflow.distribute")), None
    )
    if used is not None:
        return Refusal(call, Code.SETTINGS, "this file uses tf.distribute, and predict splits a batch among devices")
    if (drawn := _drawn_in_graphs(call, facts)) is not None:
        reason = f"{facts.edit.short(drawn, 'a call')} draws other numbers in each of two graphs, and {facts.edit.short(model, 'the model')} predicts elsewhere too"
        return Refusal(call, Code.RANDOM, reason)
    shown = facts.edit.short(model, "the model")
    reason = f"one batch needs no dataset, iterator and callbacks, of which {shown}.predict keeps some 34 kB in every call"
    edits = (*_renamed(call.func, facts), *(facts.edit.remove_argument(call, one) for one in call.keywords))
    verbose = given.get("verbose")
    if isinstance(verbose, gast.Constant) and verbose.value == 0:
        return Rewrite(call, edits, reason)
    lost = f"{shown}.predict prints its progress in each call, and predict_on_batch doesn't"
    doubt = Refusal(call, Code.EFFECTS, lost, "Pass verbose=0 if nobody reads that.")
    return Rewrite(call, edits, reason, Fidelity.BEHAVIOUR, Evidence.UNPROVEN, doubt)


def _made_otherwise(inputs: gast.AST, facts: Facts) -> Refusal | None:
    """Why an input may be another one for the model: `predict` makes float32 of all floats first, and refuses texts of NumPy."""
    match inputs:
        case gast.List(elts=parts) | gast.Tuple(elts=parts) | gast.Dict(values=parts):
            return next((found for one in parts if (found := _made_otherwise(one, facts)) is not None), None)
    kind, shown = facts.kind(inputs), facts.edit.short(inputs, "the input")
    if kind.dtype == "float32" or kind.dtype in INTEGERS | {"bool"}:
        return None
    taken = facts.once(_taken)
    texts = _TEXTS in taken or (not taken and any(word in facts.source.text for word in _OF_TEXTS))
    if texts and kind.sort is not Sort.TENSOR and kind.dtype is None:
        return Refusal(inputs, Code.UNKNOWN_DTYPE, f"{shown} is not known to be an array of numbers, and of texts predict raises")
    if kind.dtype is None and taken == {_INTEGERS} and "Embedding" in facts.source.text:
        return None  # numbers of rows, which float32 holds
    precise: bool = facts.once(is_told_precision)
    if precise or not taken <= {_FLOATS, _TEXTS}:
        reason = f"predict makes float32 of {shown} before the model casts it to another dtype"
        return Refusal(inputs, Code.OTHER_DTYPE, reason, 'Say so: .astype("float32").')
    return None


def _taken(facts: Facts) -> frozenset[str]:
    """What the inputs of the file's models cast to that say so: floats, integers, texts or something else."""
    calls = (one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call))
    made = [one for one in calls if (facts.called(one) or "").rpartition(".")[2] in ("Input", "InputLayer", "InputSpec")]
    return frozenset(_dtype_of(next((one.value for one in call.keywords if one.arg in ("dtype", None)), None), facts) for call in made)


def _dtype_of(told: gast.AST | None, facts: Facts) -> str:
    if told is None:
        return _FLOATS
    name = str(told.value) if isinstance(told, gast.Constant) else (facts.names(told) or "?").rpartition(".")[2]
    if name in ("None", "float32"):
        return _FLOATS
    return _TEXTS if name == "string" else _INTEGERS if name in INTEGERS else "?"


def _renamed(function: gast.Attribute, facts: Facts) -> tuple[Edit, ...]:
    end = facts.source.span(function).end
    return (Edit(end, end, "_on_batch"),)


def _is_called_with_a_list(facts: Facts) -> bool:
    """May a class of the file see its inputs as they are given? A model that is made of tensors takes its inputs apart."""
    methods = (one for one in facts.nodes((gast.FunctionDef,)) if isinstance(one, gast.FunctionDef) and one.name == "call")
    return any(isinstance(facts.parent(one), gast.ClassDef) for one in methods)


def _drawn_in_graphs(call: gast.Call, facts: Facts) -> gast.Call | None:
    """What a function or lambda draws by operations whose state belongs to the graph, where another call of `predict` shares that.

    `predict` and `predict_on_batch` trace a graph each. Keras' own layers draw by variables.
    """
    calls = [one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call)]
    if all(one is call or getattr(one.func, "attr", "") not in ("predict", "predict_on_batch") for one in calls):
        return None
    drawn = (one for one in calls if facts.op(one).is_random and (facts.called(one) or "").startswith("tensorflow."))
    return next((one for one in drawn if any(isinstance(above, FUNCTIONS) for above in facts.scopes.ancestors(one))), None)


def _is_repeated(node: gast.AST, facts: Facts, asked: set[gast.AST]) -> bool:
    """Does it stand in a loop, or in a function that is called in one?"""
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, (*LOOPS, *COMPREHENSIONS)):
            return True
        if isinstance(ancestor, FUNCTIONS):
            if ancestor in asked:
                return False
            asked.add(ancestor)
            name = getattr(ancestor, "name", None)
            calls = [one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call) and _names(one.func, name)]
            return any(_is_repeated(one, facts, asked) for one in calls)
    return False


def _names(function: gast.AST, name: str | None) -> bool:
    return name is not None and name in (getattr(function, "id", None), getattr(function, "attr", None))


def _rows(node: gast.AST, facts: Facts, depth: int) -> int | None:
    """How many rows the input has; None where that isn't known, or where it may be no array."""
    kind = facts.kind(node)
    if kind.sort in (Sort.ARRAY, Sort.TENSOR) and (known := _first(kind)) is not None:
        return known
    match node:
        case gast.List(elts=elements) | gast.Tuple(elts=elements) if elements:
            return _most([_rows(one, facts, depth) if _is_array(one, facts) else None for one in elements])
        case gast.Dict(keys=keys, values=values) if values and all(key is not None for key in keys):
            return _most([_rows(one, facts, depth) if _is_array(one, facts) else None for one in values])
        case gast.Call() if facts.called(node) in _EXPANDS:
            arguments = {**dict(enumerate(node.args)), **{one.arg: one.value for one in node.keywords}}
            axis = arguments.get("axis", arguments.get(1))
            return 1 if isinstance(axis, gast.Constant) and axis.value == 0 else None
        case gast.Call(args=[gast.List(elts=elements)]) if facts.called(node) in _MAKES and elements:
            return None if any(isinstance(one, gast.Starred) for one in elements) else len(elements)
        case gast.Call(args=[_, gast.List(elts=[gast.Constant(value=int() as first), *_])]) if (
            facts.called(node) in _RESHAPES and first > 0
        ):
            return first
        case gast.Subscript(slice=gast.Tuple(elts=[first, *_]) | first) if _is_new_axis(first, facts):
            return 1
        case gast.Name() if depth < 3:
            return _of_name(node, facts, depth)
    return None


def _of_name(use: gast.Name, facts: Facts, depth: int) -> int | None:
    reaching = facts.flow.definitions(use)
    found = []
    for one in reaching or ():
        match facts.parent(one):
            case gast.Assign(targets=[target], value=value) if target is one and not isinstance(value, gast.List | gast.Tuple):
                found.append(_rows(value, facts, depth + 1))
            case _:
                return None
    return _most(found)


def _is_array(node: gast.AST, facts: Facts) -> bool:
    """In a list of inputs, each has to be one: a list of numbers would be one input itself."""
    return not isinstance(node, gast.List | gast.Tuple | gast.Dict | gast.Constant)


def _is_new_axis(node: gast.AST, facts: Facts) -> bool:
    return (isinstance(node, gast.Constant) and node.value is None) or facts.names(node) in ("numpy.newaxis", "tensorflow.newaxis")


def _first(kind: Kind) -> int | None:
    """Of no rows `predict` raises."""
    first = kind.shape[0] if isinstance(kind.shape, tuple) and kind.shape else None
    return first if isinstance(first, int) and first > 0 else None


def _most(rows: list[int | None]) -> int | None:
    known = [one for one in rows if one is not None]
    return max(known) if known and len(known) == len(rows) else None
