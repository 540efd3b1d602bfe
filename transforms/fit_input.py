"""Give `fit` batches that are picked from NumPy arrays, instead of the arrays, of which it makes tensors.

Before:  model.fit(x_train, y_train, batch_size=128, epochs=10)
After:   model.fit(shuffled_batches(x_train, y_train, batch_size=128), shuffle=False, epochs=10)

Also:    `shuffled_batches` is added to the file. It shuffles indices by the operations that `fit` has for that, with the same
         seeds, and picks the rows of each batch in `tf.numpy_function`.

         Beside `validation_data`, `batch_size=128` becomes `validation_batch_size=128`. `validation_split=0.1` becomes
         `split = int(len(x_train) * (1 - 0.1))` and `validation_data=(x_train[split:], y_train[split:])`.

Why:     `fit` makes a tensor of each array, which it holds beside the array until it is done, and for a moment one more. A
         script that trains on 60,000 rows of 784 numbers, 188 MB: 570 -> 216 MB. An autoencoder, which is given the array
         twice: 945 -> 217 MB. Losses, weights and histories are the same bits, for every seed; the time is 0.7 to 1.15 times as
         long.
Safety:  - **Changed array.** Refused unless each use of the arrays is known to only read them: `x[0] = 1` in a callback.
         - **Known arrays.** Refused unless each is known to be a NumPy array of numbers, of as many rows: `fit([a, b], y)`.
         - **Keras models.** Refused unless it is known to be a model of Keras that leaves `fit` to Keras: `estimator.fit(x, y)`.
         - **Weights.** Refused for `sample_weight` and `class_weight`, which go with arrays.
         - **Other orders.** Refused for `shuffle=False`, `shuffle="batch"` and `steps_per_epoch=10`.
         - **Size of batches.** Refused unless `batch_size` is known to be a number: `batch_size=None` means 32.
         - **Other floats.** Refused where `set_floatx` is called: `fit` casts floats to that dtype, and the function to `float32`.
         - **Held longer.** Refused for an array that a loop makes anew, as `x = np.concatenate(folds)`: it would stay until the
           garbage collector runs.
         - **Other processes.** Refused where the file uses `tf.distribute`, and inside of `with` blocks.
         - **Small arrays.** Refused unless 25 MB are known to be copied: `np.zeros([100, 4])`.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import gast

from tfrewrite.analyses.array_changes import may_change
from tfrewrite.analyses.imported_texts import gives_methods, imported_texts
from tfrewrite.analyses.keras_models import is_model
from tfrewrite.analyses.rows_by_indices import batcher, why_held_longer, why_not_arrays, why_not_in_this_process
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import COMPREHENSIONS
from tfrewrite.kinds import INTEGERS, ITEM_BYTES
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform

_LEAST = 25_000_000
"""Tensors of so many bytes are worth a function in the file."""
_WIDTH = 88
_KEPT = {
    "batch_size", "callbacks", "epochs", "initial_epoch", "shuffle", "validation_batch_size", "validation_data", "validation_freq",
    "validation_split", "validation_steps", "verbose", "x", "y",
}  # fmt: skip
"""What `fit` may be given: all but the sizes of batches and their order means the same of a dataset."""
_SPLITS = ("split", "split_at", "first_of_the_rest")
_SIMPLE = (gast.Expr, gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Return)
_DOES_MORE = (gast.Call, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom, *COMPREHENSIONS)
_METHODS = ("fit", "make_train_function", "_symbolic_build")
_PICKED = {"bool", "float16", "float32", "float64", *INTEGERS}


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=(".fit(",), late=True)
def fit_input(call: gast.Call, facts: Facts) -> Outcome:
    match call:
        case gast.Call(func=gast.Attribute(value=model, attr="fit"), args=positional, keywords=keywords):
            pass
        case _:
            return None
    given = {**dict(zip(("x", "y"), positional, strict=False)), **{str(one.arg): one.value for one in keywords}}
    arrays = [given[name] for name in ("x", "y") if name in given]
    if "x" not in given or facts.kind(given["x"]).sort is not Sort.ARRAY or not is_model(model, facts):
        return None
    if any(one.arg is None for one in keywords):
        return Refusal(call, Code.FORM, "what it is given by ** is not known")
    if len(positional) > 2 or not given.keys() <= _KEPT:
        other = next((name for name in given if name not in _KEPT), None)
        reason = "it has other arguments than arrays by their places" if other is None else f"{other} is not for datasets"
        return Refusal(call, Code.FORM, reason, "" if other else "Name what follows the arrays.")
    if refusal := _why_not_by_keras(call, given, facts) or _why_not_picked(call, arrays, facts):
        return refusal
    saves = _tensors(arrays, facts)
    if saves is None:
        return Refusal(call, Code.UNKNOWN_SHAPE, "how large the arrays are is not known")
    if saves < _LEAST:
        return Refusal(call, Code.TOO_SMALL, f"the tensors take {saves / 1e6:.1f} MB only")
    split = _split(given, arrays, facts)
    if isinstance(split, Refusal):
        return split
    found = batcher(call, facts)
    if isinstance(found, Refusal):
        return found
    name, definition = found
    if split is not None:
        definition = _with_split(call, definition, split, given, facts)
    edits = _edits(call, name, given, split, facts)
    shown = " and ".join(dict.fromkeys(facts.edit.short(one, "an array") for one in arrays))
    reason = f"each batch is picked from {shown}, of which fit holds no tensors of {saves / 1e6:,.0f} MB"
    return Rewrite(call, (*definition, *edits), reason, worth=Worth(Setup.GRAPH, saves))


def _why_not_picked(call: gast.Call, arrays: list[gast.expr], facts: Facts) -> Refusal | None:
    """Why rows of the arrays can't be picked while the model is trained."""
    if facts.mode(call) is not Mode.EAGER:
        return Refusal(call, Code.IN_GRAPH, "it may run while a graph is built")
    if refusal := why_not_arrays(call, arrays, facts) or why_not_in_this_process(call, facts):
        return refusal
    other = next((one for one in arrays if facts.kind(one).dtype not in _PICKED), None)
    if other is not None:
        return Refusal(call, Code.UNKNOWN_DTYPE, f"{facts.edit.short(other, 'an array')} has a dtype that fit treats by itself")
    return may_change(arrays, call, facts) or why_held_longer(call, arrays, facts)


def _why_not_by_keras(call: gast.Call, given: dict[str, gast.expr], facts: Facts) -> Refusal | None:
    """Why Keras is not known to do with a dataset what it does with the arrays."""
    own = next(
        (one for one in facts.nodes((gast.FunctionDef,)) if getattr(one, "name", "") in _METHODS and facts.scopes.class_of(one)), None
    )
    if own is not None:
        return Refusal(call, Code.MAY_CHANGE, f"a class of the file has its own {getattr(own, 'name', 'fit')}")
    if (changed := gives_methods(_METHODS, facts)) is not None:
        return Refusal(call, Code.MAY_CHANGE, f"the file may give a model a {changed} of its own")
    if any(text is None or "set_floatx" in text for text in (facts.source.text, *imported_texts(facts))):
        return Refusal(call, Code.SETTINGS, "set_floatx may be called, and says which floats fit makes of the arrays")
    if "shuffle" in given and facts.kind(given["shuffle"]).value is not True:
        return Refusal(call, Code.FORM, "it is said in which order the rows are taken")
    for name in ("batch_size", "validation_batch_size"):
        size = facts.kind(given[name]) if name in given else None
        if size is not None and not (size.sort is Sort.NUMBER and size.dtype == "int"):
            return Refusal(call, Code.UNKNOWN_VALUE, f"{facts.edit.short(given[name], name)} is not known to be a number")
    return _why_not_moved(call, given, facts)


def _why_not_moved(call: gast.Call, given: dict[str, gast.expr], facts: Facts) -> Refusal | None:
    """Why what is written for an argument may do more than to give a value, and be asked for elsewhere or twice."""
    moved = [given[name] for name in ("batch_size",) if name in given]
    if "y" in given and list(given).index("y") != list(given).index("x") + 1:
        moved += [given["x"], given["y"]]
    one = next((one for one in moved if any(isinstance(part, _DOES_MORE) for part in gast.walk(one))), None)
    return (
        None if one is None else Refusal(call, Code.EFFECTS, f"{facts.edit.short(one, 'an argument')} would be computed at another place")
    )


def _tensors(arrays: list[gast.expr], facts: Facts) -> int | None:
    """How large the tensors are that `fit` makes: one for each array, also where it is given one twice."""
    total = 0
    for one in arrays:
        kind = facts.kind(one)
        if kind.size is None:
            return None
        total += kind.size * (4 if (kind.dtype or "").startswith("float") else ITEM_BYTES[kind.dtype or ""])
    return total


def _split(given: dict[str, gast.expr], arrays: list[gast.expr], facts: Facts) -> str | None | Refusal:
    """What the row is called at which the part begins that `validation_split` keeps back; None where there is none."""
    if "validation_split" not in given or "validation_data" in given:
        return None
    share = given["validation_split"]
    kind = facts.kind(arrays[0])
    rows = kind.shape[0] if isinstance(kind.shape, tuple) else None
    value = facts.kind(share).value
    plain = all(isinstance(one, gast.Name) for one in arrays) and isinstance(share, gast.Name | gast.Constant)
    if not isinstance(rows, int) or not isinstance(value, float) or not plain:
        return Refusal(share, Code.UNKNOWN_VALUE, "which rows validation_split keeps back is not known", "Pass them as validation_data.")
    if not 0 < int(rows * (1 - value)) < rows:
        return Refusal(share, Code.RAISES, "validation_split keeps back no row, or all of them")
    statement = facts.scopes.statement(share)
    inside = itertools.takewhile(lambda one: one is not statement, facts.scopes.ancestors(share))
    if not isinstance(statement, _SIMPLE) or any(isinstance(one, (gast.Lambda, *COMPREHENSIONS)) for one in inside):
        return Refusal(share, Code.FORM, "what is written above the statement is not computed as often", "Give the call its own statement.")
    start = facts.source.span(statement).start
    if facts.source.text[facts.source.line_start(start) : start].strip():
        return Refusal(share, Code.FORM, "nothing can be written above the statement", "Put it on a line of its own.")
    used = {name for scope in (facts.scopes.module, *facts.scopes.module.below()) for name in (*scope.bindings, *scope.uses)}
    return next(one for one in itertools.chain(_SPLITS, (f"split_{i}" for i in itertools.count(1))) if one not in used)


# The new text


def _with_split(call: gast.Call, definition: tuple[Edit, ...], split: str, given: dict[str, gast.expr], facts: Facts) -> tuple[Edit, ...]:
    """What is written above the statement: at which row the part begins that is kept back."""
    source = facts.source
    place = source.line_start(source.span(facts.scopes.statement(call)).start)
    rows, share = source.text_of(given["x"]), source.text_of(given["validation_split"])
    text = f"{source.indentation(place)}{split} = int(len({rows}) * (1 - {share})){source.newline}"
    if definition and definition[-1].start == place:
        *others, last = definition
        return (*others, replace(last, text=last.text + text))
    return (*definition, Edit(place, place, text))


def _edits(call: gast.Call, name: str, given: dict[str, gast.expr], split: str | None, facts: Facts) -> list[Edit]:
    source, text_of = facts.source, facts.source.text_of
    arrays = [text_of(given[one]) for one in ("x", "y") if one in given]
    batched = [f"{one}[:{split}]" for one in arrays] if split is not None else arrays
    size = [f"batch_size={text_of(given['batch_size'])}"] if "batch_size" in given else []
    changed = {"x": f"{name}({', '.join([*batched, *size])})", "y": "shuffle=False", "shuffle": "", "batch_size": ""}
    if split is not None:
        rest = [f"{one}[{split}:]" for one in arrays]
        kept_back = f"({', '.join(rest)})" if len(rest) > 1 else rest[0]
        changed["validation_split"] = f"validation_data={kept_back}"
    if "batch_size" in given and "validation_batch_size" not in given and (split is not None or "validation_data" in given):
        changed["batch_size"] = f"validation_{size[0]}"
    whole = source.span(call)
    opening = source.next_token(source.outer_span(call.func, call).end)
    if "\n" not in source.text[whole.start : whole.end] and opening is not None:
        texts = {**{str(one.arg): text_of(one) for one in call.keywords}, **changed}
        names = [part for one in given for part in ((one, "y") if one == "x" and "y" not in given else (one,))]
        listed = [f"x={texts[one]}" if one == "x" and not call.args else texts[one] for one in names]
        return [Edit(opening.end, whole.end - 1, _laid_out([one for one in listed if one], opening.end, whole.end, facts))]
    if "y" not in given:
        changed["x"] += ", shuffle=False"
    edits: list[Edit] = []
    keywords = {str(one.arg): one for one in call.keywords}
    for one in given:
        if one not in changed:
            continue
        if not changed[one]:
            edits.append(facts.edit.remove_argument(call, keywords[one]))
        else:
            # In its parentheses, which may have comments.
            value = source.outer_span(given[one], call)
            start = source.span(keywords[one]).start if one in keywords and one != "x" else value.start
            edits.append(Edit(start, value.end, changed[one]))
    return edits


def _laid_out(texts: list[str], start: int, end: int, facts: Facts) -> str:
    """The arguments of a call that stood in one line: in that line, in one of their own, or each in its own."""
    source, unit = facts.source, facts.edit.unit
    line_start = source.line_start(start)
    width = max(_WIDTH, facts.edit.longest_line)
    joined, rest = ", ".join(texts), len(source.text[end - 1 : source.line_end(end)].rstrip())
    if start - line_start + len(joined) + rest <= width:
        return joined
    indent = source.newline + source.indentation(line_start)
    if len(indent) + len(unit) + len(joined) <= width:
        return f"{indent}{unit}{joined}{indent}"
    return "".join(f"{indent}{unit}{one}," for one in texts) + indent
