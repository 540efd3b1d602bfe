"""Scale an array in place instead of copying it once more.

Before:  x_train = x_train.astype("float32") / 255
After:   x_train = x_train.astype("float32")
         x_train /= 255

Also:    Bytes that are read as float32 anyway, as by Keras, don't become float64: `x_train / 255.` before
         `model.fit(x_train)` becomes `np.divide(x_train, 255., dtype="float32")`.

         In place for several steps too, `(x.astype("float32") - 127.5) / 127.5`, with a `reshape` or `np.expand_dims` on the
         way, and for `x = x / 255` of a float array that nothing else holds, alone or as `x, y = x / 255, y / 255`. Inside of
         an expression one step becomes one call: `f(x.astype("float32") / 255)` becomes `f(np.divide(x, 255, dtype="float32"))`.

Why:     `astype` makes an array, and the division another one of the same size. For 50 million bytes of pixels: 391 -> 195 MB
         beside them, in the same time; `x / 255.` in float64 takes 391 MB, and Keras makes a float32 copy of it in `fit`.
         A script that trains on 10,000 images of 32 x 32 x 3 and tries 2,000: 665 -> 394 MB.
Safety:  - **What is scaled.** Refused unless it is known to be a NumPy array: `frame.astype("float32") / 255` of a pandas
           `DataFrame` is another thing.
         - **Rank.** Refused unless the rank is known to be 1 or more: `np.array(7).astype("float32") / 255` is a number, and
           no array. In place it stays an array.
         - **Integers.** Not rewritten unless the array is known to be of floats: `x /= 255` raises for integers.
         - **Other names.** `x = x / 255` is rewritten only where `x` was made just before, and nothing but its shape was
           read: after `y = x`, `x /= 255` changes `y` too.
         - **Whose memory.** Refused where the file asks for it, by `x.base`, `np.shares_memory(x, y)`, `id(x)` or `x is y`.
         - **Numbers.** Not rewritten unless what it is scaled by is a Python number: `x - mean` may have another dtype or
           another shape than `x`. A number above 3e38 becomes an infinity in `float32`.
         - **Errors.** Refused where the file sets that NumPy raises or keeps its warnings: under `np.errstate(all="raise")` an
           error would leave `x` cast and not scaled.
         - **Numbers first.** Several steps with a `1 - x` among them have no form in place, and are refused:
           `(1 - x.astype("float32")) / 2`. `2 * x` is `x * 2`, to the bit.
         - **Readers of float64.** Bytes stay float64 where anything but their shape and the data of a Keras model reads them, or a
           loop's batches of them, as `np.mean(x)`, and where the file, or one around it, says `float64`, `floatx` or `mixed_`.
         - **Keras' methods.** So they do where one of these files gives models another `fit`: `tf.keras.Model.fit = logged`.
         - **Pictures.** `plt.imshow(x_train[0])` makes 256 shades of numbers, and one of its pixels may have the shade beside.
           Such a rewrite counts as rounding: `--fidelity bitwise` makes none.
         - **Last bits.** All 256 values are tried: those of `x / 255.` and `(x - 127.5) / 127.5` are the same in float32. Refused
           for `x / 127.5 - 1` (128 values differ) and `x * (1 / 255)` (126).
         - **Sizes.** Refused if the array is known to have less than 1 MB: `x` of shape `[100, 28, 28]`.
         - **Layout.** Refused if the statement shares its line: `x = x.astype("float32") / 255; print(x.shape)`.
"""

from __future__ import annotations

import struct
import types

import gast

from tfrewrite.analyses.appended_lists import block_around
from tfrewrite.analyses.array_memory import is_fresh, memory_is_compared, viewed_by
from tfrewrite.analyses.float32_readers import who_sees
from tfrewrite.analyses.scaling import BYTE_VALUES, Chain, Step, chain_of, computed, made_in, numpy_may_raise, rounded, value_of
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Kind, Sort
from tfrewrite.facts.scopes import DEFINITIONS, walk_within
from tfrewrite.kinds import FLOATS, INTEGERS, ITEM_BYTES
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform
from tfrewrite.worth import NOISE

_FUNCTIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_LARGEST = {"float16": 65504.0, "float32": 3e38, "float64": 1e308}
_CHANNELS = 4
_SLICES = "tensorflow.data.Dataset.from_tensor_slices"
_SETTINGS = frozenset({"shape", "dtype", "ndim", "size", "nbytes"})
_OTHER_AXES = frozenset({"reshape", "ravel", "expand_dims", "squeeze", "transpose", "swapaxes", "moveaxis"})
_LIBRARIES = ("numpy.", "builtins.print", "builtins.len", "keras.utils.set_random_seed", "tensorflow.random.set_seed")


@transform(gast.BinOp, fidelity=Fidelity.BITWISE, mentions=("astype", "/", "*", "-"), late=True)
def scaled_images(scaled: gast.BinOp, facts: Facts) -> Outcome:
    chain = chain_of(scaled, facts)
    if chain is None or _is_inside_of_another(scaled, facts):
        return None
    found = _scaled(scaled, chain, facts)
    if found is None:
        return None
    if numpy_may_raise(facts):
        return Refusal(
            scaled, Code.RAISES, "the file sets what NumPy does with an overflow or a zero divisor, which two statements may meet"
        )
    if (asked := facts.once(memory_is_compared)) is not None:
        return Refusal(asked, Code.EFFECTS, f"whose memory an array has is asked for here, and {facts.edit.short(scaled)} makes a new one")
    return found


def _scaled(scaled: gast.BinOp, chain: Chain, facts: Facts) -> Outcome:
    statement = facts.parent(scaled)
    target = _target(statement, scaled)
    made = made_in(chain.base, facts)
    narrowed = _narrowed(scaled, statement, chain, made, facts)
    if narrowed is not None and (made is None or isinstance(narrowed, Rewrite)):
        return narrowed
    if made is not None:
        if (refusal := _refused(scaled, made, chain, facts)) is not None:
            return refusal
        if isinstance(statement, gast.Assign) and target is not None and all(one.commutes for one in chain.steps):
            return _below(statement, target, chain, made, facts)
        return _called(scaled, chain, made, facts)
    if isinstance(statement, gast.Assign) and target is not None:
        return _in_place(statement, target, chain, facts)
    if isinstance(statement, gast.Tuple) and statement.elts[0] is scaled:
        return _together(statement, facts)
    return None


def _is_inside_of_another(node: gast.AST, facts: Facts) -> bool:
    """Is it one of the steps of a longer chain?"""
    parent = facts.parent(node)
    return isinstance(parent, gast.BinOp) and chain_of(parent, facts) is not None


def _target(statement: gast.AST | None, value: gast.AST) -> gast.Name | None:
    match statement:
        case gast.Assign(targets=[gast.Name() as target], value=given) if given is value:
            return target
    return None


def _refused(scaled: gast.BinOp, made: gast.Call, chain: Chain, facts: Facts) -> Refusal | None:
    """Why a chain of a new array can't be computed in it."""
    assert isinstance(made.func, gast.Attribute)
    before, after = facts.kind(made.func.value), facts.kind(made)
    shown = facts.edit.short(made.func.value, "what is scaled")
    if before.sort is not Sort.ARRAY and not _is_array(after):
        return Refusal(scaled, Code.UNKNOWN_VALUE, f"{shown} is not known to be a NumPy array")
    if after.dtype is None:
        return Refusal(scaled, Code.UNKNOWN_DTYPE, f"the dtype that {shown} is given is not known")
    if after.dtype not in FLOATS or after.dtype == "bfloat16":
        return Refusal(scaled, Code.OTHER_DTYPE, f"{shown} becomes an array of {after.dtype}, and what it is scaled to is another one")
    if not facts.kind(chain.base).rank:
        reason = f"{shown} is not known to have an axis, and without any it becomes a number"
        return Refusal(scaled, Code.UNKNOWN_SHAPE, reason, "Give it a shape: .reshape(n, -1).")
    if _is_too_large(chain, after.dtype, facts):
        return Refusal(scaled, Code.OVERFLOW, f"a number is too large for {after.dtype}, and may make the result another dtype")
    return _too_small(scaled, after, facts)


def _is_array(kind: Kind) -> bool:
    return kind.sort is Sort.ARRAY


def _is_too_large(chain: Chain, dtype: str, facts: Facts) -> bool:
    return any(abs(value_of(one.number, facts) or 0.0) > _LARGEST[dtype] for one in chain.steps)


def _too_small(node: gast.AST, kind: Kind, facts: Facts) -> Refusal | None:
    saved = _bytes(kind)
    sizes = kind.shape if isinstance(kind.shape, tuple) else ()
    if saved is None and len(sizes) in (1, 2, 3) and not any(isinstance(dim, int) and dim > _CHANNELS for dim in sizes):
        return Refusal(node, Code.TOO_SMALL, "it may be a single image, of which a copy more is soon gone", "Say its sizes, by reshape.")
    if saved is None or saved >= NOISE:
        return None
    return Refusal(node, Code.TOO_SMALL, f"the copy that it saves has {saved / 1e6:.2g} MB: less than 1 MB counts for nothing")


def _bytes(kind: Kind) -> int | None:
    return None if kind.size is None else kind.size * ITEM_BYTES[kind.dtype or "float32"]


def _said(name: str, kind: Kind, facts: Facts) -> str:
    """What is saved, in the user's terms."""
    size = _bytes(kind)
    if size is None:
        return f"{name} is scaled in place, and not copied once more"
    return f"{name} is scaled in place: one array of {size / 1e6:,.0f} MB, and not two"


def _below(statement: gast.Assign, target: gast.Name, chain: Chain, made: gast.Call, facts: Facts) -> Outcome:
    """`x = y.astype("float32") / 255` with the division on a line of its own."""
    rest = _lines(statement, target.id, chain.steps, facts)
    added = facts.edit.insert_after(statement, rest)
    if added is None:
        return Refusal(statement, Code.LAYOUT, f"the statement of {target.id} shares its line with another")
    kept = facts.edit.rebuild(statement.value, [(chain.base, 0)], facts.edit.precedence(chain.base))
    return Rewrite(statement, (*kept, added), _said(target.id, facts.kind(made), facts), region=(statement,))


def _lines(statement: gast.stmt, name: str, steps: tuple[Step, ...], facts: Facts) -> str:
    indentation = facts.source.indentation(facts.source.span(statement).start)
    lines = (f"{name} {one.operator}= {facts.source.text_of(one.number)}" for one in steps)
    return f"{facts.source.newline}{indentation}".join(lines)


def _called(scaled: gast.BinOp, chain: Chain, made: gast.Call, facts: Facts) -> Outcome:
    """`x.astype("float32") / 255` as one call, where it is a part of something else."""
    assert isinstance(made.func, gast.Attribute)
    array, kind = made.func.value, facts.kind(made)
    shown = facts.edit.short(array, "the array")
    if len(chain.steps) > 1 or chain.base is not made:
        return Refusal(scaled, Code.FORM, f"{shown} is scaled in several steps inside of an expression", "Give the array a name first.")
    if facts.kind(array).dtype not in INTEGERS | FLOATS - {"bfloat16"} | {"bool"}:
        return Refusal(scaled, Code.UNKNOWN_DTYPE, f"the dtype of {shown} is not known", "Give the scaled array a name first.")
    (step,) = chain.steps
    number, limits = value_of(step.number, facts), _limits(facts.kind(array).dtype or "")
    if isinstance(facts.kind(step.number).value, int) and limits is not None and not limits[0] <= (number or 0) <= limits[1]:
        reason = f"{facts.source.text_of(step.number)} is no {facts.kind(array).dtype}"
        return Refusal(scaled, Code.OVERFLOW, reason, "Write it as a float.")
    numpy = facts.numpy(scaled)
    if numpy is None:
        return not_imported(scaled, library="NumPy")
    name, imported = numpy
    ending = f", dtype={facts.source.text_of(made.args[0])})"
    function = f"{name}.{_FUNCTIONS[step.operator]}("
    operands = [(step.number, 1), (array, 1)] if step.flipped else [(array, 1), (step.number, 1)]
    edits = facts.edit.rebuild(scaled, [function, operands[0], ", ", operands[1], ending])
    return Rewrite(scaled, (*imported, *edits), _said(shown, kind, facts))


def _limits(dtype: str) -> tuple[int, int] | None:
    """The numbers that an integer dtype holds."""
    if dtype not in INTEGERS:
        return None
    bits = 8 * ITEM_BYTES[dtype]
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


# An array that has a name already


def _in_place(statement: gast.Assign, target: gast.Name, chain: Chain, facts: Facts) -> Outcome:
    """`x = x / 255` as `x /= 255`."""
    use = chain.base
    if not _has_form(target, chain, facts):
        return None
    kind = facts.kind(use)
    if (refusal := _why_not_in_place(use, statement, chain, facts)) is not None:
        return refusal
    first, *others = chain.steps
    if others and _bytes(kind) is None:
        return Refusal(
            statement, Code.TOO_SMALL, f"how large {target.id} is isn't known, and {len(chain.steps)} lines would take the place of one"
        )
    place = facts.source.span(statement)
    text = f" {first.operator}= {facts.source.text_of(first.number)}"
    edits = [Edit(facts.source.span(target).end, place.end, text)]
    if others:
        added = facts.edit.insert_after(statement, _lines(statement, target.id, tuple(others), facts))
        if added is None:
            return Refusal(statement, Code.LAYOUT, f"the statement of {target.id} shares its line with another")
        edits.append(added)
    return Rewrite(statement, tuple(edits), _said(target.id, kind, facts), region=(statement,))


def _together(values: gast.Tuple, facts: Facts) -> Outcome:
    """`x, y = x / 255, y / 255` as a line for each."""
    statement = facts.parent(values)
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=targets)]) if len(targets) == len(values.elts):
            pass
        case _:
            return None
    lines, said = [], []
    for target, value in zip(targets, values.elts, strict=True):
        chain = chain_of(value, facts)
        if not isinstance(target, gast.Name) or chain is None or not _has_form(target, chain, facts):
            return None
        if (refusal := _why_not_in_place(chain.base, statement, chain, facts)) is not None:
            return refusal
        lines.append(_lines(statement, target.id, chain.steps, facts))
        said.append((target.id, _bytes(facts.kind(chain.base))))
    if len({name for name, _ in said}) < len(said):
        return None
    if facts.edit.insert_after(statement, "pass") is None:
        return Refusal(statement, Code.LAYOUT, f"the statement of {said[0][0]} shares its line with another")
    place, indentation = facts.source.span(statement), facts.source.indentation(facts.source.span(statement).start)
    edit = Edit(place.start, place.end, f"{facts.source.newline}{indentation}".join(lines))
    sizes = [f"{name} ({size / 1e6:,.0f} MB)" if size is not None else name for name, size in said]
    return Rewrite(statement, (edit,), f"{' and '.join(sizes)}: scaled in place, and not copied once more", region=(statement,))


def _has_form(target: gast.Name, chain: Chain, facts: Facts) -> bool:
    """Is a float array scaled under its own name, by steps that have a form in place?"""
    kind = facts.kind(chain.base)
    named = isinstance(chain.base, gast.Name) and chain.base.id == target.id
    is_float = kind.sort is Sort.ARRAY and kind.dtype in FLOATS and kind.dtype != "bfloat16"
    return named and is_float and all(one.commutes for one in chain.steps)


def _why_not_in_place(use: gast.AST, statement: gast.Assign, chain: Chain, facts: Facts) -> Refusal | None:
    assert isinstance(use, gast.Name)
    kind = facts.kind(use)
    if not kind.rank:
        reason = f"{use.id} is not known to have an axis, and without any it becomes a number"
        return Refusal(statement, Code.UNKNOWN_SHAPE, reason, "Give it a shape: .reshape(n, -1).")
    if _is_too_large(chain, kind.dtype or "", facts):
        return Refusal(statement, Code.OVERFLOW, f"a number is too large for {kind.dtype}, and may make the result another dtype")
    if (refusal := _too_small(statement, kind, facts)) is not None:
        return refusal
    if not _is_alone(use, statement, facts):
        reason = f"something else may hold the array of {use.id}, and would see it change"
        return Refusal(statement, Code.OTHER_NAMES, reason, f"Write it as one expression, beside what makes {use.id}.")
    return None


def _is_alone(use: gast.Name, statement: gast.Assign, facts: Facts) -> bool:
    """Is the array certainly held by this name alone when the statement is reached?

    It was made in the same block, by an expression that leaves it to nothing else, and only its shape was read since. It may be a view of
    what had the same name before, `x = x.reshape(n, -1)`, where that holds of this array too.
    """
    scope = facts.scopes.names[use]
    if not isinstance(scope.node, (gast.Module, *DEFINITIONS)) or scope.lookup(use.id) is not scope or scope.is_read_as_a_whole:
        return False
    if use.id in scope.shared or facts.mutation.module_is_open:
        return False
    reaching = facts.flow.definitions(use)
    if reaching is None or len(reaching) != 1:
        return False
    assigned = _assigned(reaching[0], facts)
    if assigned is None:
        return False
    assignment, value = assigned
    block = block_around(statement, facts)
    begin = next((index for index, one in enumerate(block) if one is assignment), None)
    if begin is None:
        return False
    end = next(index for index, one in enumerate(block) if one is statement)
    inside = any(use.id in inner.uses or use.id in inner.outer for inner in scope.below())
    if inside and not all(_calls_libraries(one, facts) for one in block[begin + 1 : end]):
        return False  # a function may have handed it on
    cells = facts.source.cells
    if cells is not None and cells.place(assignment.lineno)[0] != cells.place(statement.lineno)[0]:
        return False  # what is run between two cells of a notebook isn't written
    if made_in(value, facts) is None and chain_of(value, facts) is None:
        while (base := _seen_whole(value, facts)) is not None:
            value = base
        if isinstance(value, gast.Name):
            if value.id != use.id or not _is_alone(value, assignment, facts):
                return False
        elif not is_fresh(value, facts) or viewed_by(value, facts) is not None:
            return False  # a part of an array would hold all of it, in another order in memory
    users = facts.flow.users(reaching[0])
    return users is not None and all(one is use or _reads_a_setting(one, facts) for one in users)


def _seen_whole(node: gast.AST, facts: Facts) -> gast.AST | None:
    """The array of which an expression is another view with the same elements, each of them once: a slice would hold the rest in memory."""
    match node:
        case gast.Call() if facts.row(node).name.rpartition(".")[2] in _OTHER_AXES:
            return viewed_by(node, facts)
        case gast.Attribute(attr="T"):
            return viewed_by(node, facts)
        case gast.Subscript(slice=part):
            parts = part.elts if isinstance(part, gast.Tuple) else [part]
            return viewed_by(node, facts) if all(_takes_all(one) for one in parts) else None
    return None


def _takes_all(part: gast.AST) -> bool:
    match part:
        case gast.Slice(lower=None, upper=None, step=None) | gast.Constant(value=None) | gast.Constant(value=types.EllipsisType()):
            return True
    return False


def _calls_libraries(statement: gast.AST, facts: Facts) -> bool:
    """Does a statement call nothing but functions of libraries and methods of arrays, which call none of the file's?"""
    calls = (one for one in (statement, *walk_within(statement)) if isinstance(one, gast.Call))
    return all((facts.called(one) or facts.row(one).name).startswith(_LIBRARIES) for one in calls)


def _assigned(name: gast.AST, facts: Facts) -> tuple[gast.Assign, gast.AST] | None:
    """The assignment of a name, and what it gives to it: also in `x, y = a, b`."""
    holder = facts.parent(name)
    match holder, facts.parent(holder) if isinstance(holder, gast.Tuple) else None:
        case gast.Assign(targets=[given], value=value), None if given is name:
            return holder, value
        case gast.Tuple(elts=names), gast.Assign(targets=[_], value=gast.Tuple(elts=values)) as assignment if len(names) == len(values):
            if not any(isinstance(one, gast.Starred) for one in (*names, *values)):
                return assignment, next(value for one, value in zip(names, values, strict=True) if one is name)
    return None


def _reads_a_setting(use: gast.AST, facts: Facts) -> bool:
    match facts.parent(use):
        case gast.Attribute(attr=attr) as read:
            return attr in _SETTINGS and isinstance(read.ctx, gast.Load)
        case gast.Call(args=[_], keywords=[]) as call:
            return facts.called(call) == "builtins.len"
    return False


# Bytes that are read as float32 anyway


def _narrowed(scaled: gast.BinOp, statement: gast.AST | None, chain: Chain, made: gast.Call | None, facts: Facts) -> Outcome:
    """`x / 255.` of bytes as float32, where nothing sees that it was float64."""
    array = made.func.value if made is not None and isinstance(made.func, gast.Attribute) and chain.base is made else chain.base
    before, after = facts.kind(array), facts.kind(scaled)
    if before.sort is not Sort.ARRAY or before.dtype not in BYTE_VALUES or not before.rank or after.dtype != "float64":
        return None
    first = chain.steps[0]
    if made is None and first.operator != "/" and not isinstance(facts.kind(first.number).value, float):
        return None  # bytes that are computed with integers are bytes
    if (refusal := _too_small(scaled, after, facts)) is not None:
        return refusal
    shown, size = facts.edit.short(array, "the array"), _bytes(after)
    if not _same_as_float32(chain, before.dtype or "", facts):
        said = facts.edit.short(scaled, "what is computed")
        return Refusal(scaled, Code.PRECISION, f"in float32 the last bits of {said} would be others for some of the 256 values")
    drawings: list[gast.AST] = []
    if (seen := who_sees(scaled, facts, drawings=drawings)) is not None:
        return seen.at(scaled).saying(f"{shown} becomes float64, and {seen.reason}")
    if (beside := _wide_beside(scaled, statement, facts)) is not None:
        reason = f"{facts.edit.short(beside, 'what stands beside it')} beside it stays float64"
        return Refusal(scaled, Code.OTHER_DTYPE, reason)
    numpy = facts.numpy(scaled)
    if numpy is None:
        return not_imported(scaled, library="NumPy")
    target = _target(statement, scaled)
    if len(chain.steps) > 1 and (target is None or not all(one.commutes for one in chain.steps[1:])):
        return Refusal(scaled, Code.FORM, f"{shown} is scaled in several steps inside of an expression", "Give the array a name first.")
    limits, number = _limits(before.dtype or ""), facts.kind(first.number).value
    if isinstance(number, int) and limits is not None and not limits[0] <= number <= limits[1]:
        return Refusal(scaled, Code.OVERFLOW, f"{number} is no {before.dtype}", "Write it as a float.")
    name, imported = numpy
    parts = [(first.number, 1), (array, 1)] if first.flipped else [(array, 1), (first.number, 1)]
    edits = facts.edit.rebuild(scaled, [f"{name}.{_FUNCTIONS[first.operator]}(", parts[0], ", ", parts[1], ', dtype="float32")'])
    reason = f"{target.id if target is not None else shown} is read as float32 anyway"
    if size is not None:
        reason += f": {size / 1e6:,.0f} MB as float64 -> {size / 2e6:,.0f} MB"
    fidelity, rounded = (Fidelity.ROUNDING, tuple(drawings)) if drawings else (None, None)
    if drawings:
        reason += "; pictures drawn of it may differ by one of 256 shades"
    casts = _dead_casts(target, facts) if target is not None else []
    edits = (*edits, *(Edit(facts.source.span(one.func.value).end, facts.source.span(one).end) for one in casts))
    region = (statement, *(facts.scopes.statement(one) for one in casts[-1:])) if casts and statement is not None else ()
    if len(chain.steps) == 1:
        return Rewrite(scaled, (*imported, *edits), reason, fidelity, region=region, rounded=rounded)
    assert isinstance(statement, gast.Assign) and target is not None
    added = facts.edit.insert_after(statement, _lines(statement, target.id, chain.steps[1:], facts))
    if added is None:
        return Refusal(statement, Code.LAYOUT, f"the statement of {target.id} shares its line with another")
    return Rewrite(statement, (*imported, *edits, added), reason, fidelity, region=region or (statement,), rounded=rounded)


def _dead_casts(target: gast.Name, facts: Facts) -> list[gast.Call]:
    """The `x.astype("float32")` of what is float32 by then, whose copy only a dataset reads, which copies it again."""
    found = []
    for use in facts.flow.users(target) or ():
        method = facts.parent(use)
        call = facts.parent(method) if isinstance(method, gast.Attribute) and method.attr == "astype" else None
        if not isinstance(call, gast.Call) or call.func is not method or len(call.args) != 1 or call.keywords:
            continue
        reader = facts.parent(call)
        reader = facts.parent(reader) if isinstance(reader, gast.Tuple) else reader
        alone = isinstance(use, gast.Name) and facts.flow.definitions(use) == [target]
        if alone and facts.kind(call).dtype == "float32" and facts.called(reader or call) == _SLICES:
            found.append(call)
    return found


def _wide_beside(scaled: gast.BinOp, statement: gast.AST | None, facts: Facts) -> gast.AST | None:
    """The other half of `x_train, x_test = x_train / 255., x_test / 255.`, where that has to stay as it is."""
    if not isinstance(statement, gast.Tuple):
        return None
    others = [one for one in statement.elts if isinstance(one, gast.BinOp) and one is not scaled]
    return next((one for one in others if facts.kind(one).dtype == "float64" and who_sees(one, facts, drawings=[]) is not None), None)


def _same_as_float32(chain: Chain, dtype: str, facts: Facts) -> bool:
    """Are the results for all values the same, whether each step is rounded to float32 or only the last?

    One operation in float64 that is rounded to float32 is the operation in float32.
    """
    for value in BYTE_VALUES[dtype]:
        wide, narrow = float(value), float(value)
        for step in chain.steps:
            number = value_of(step.number, facts) or 0.0
            if step.operator == "/" and 0.0 in ((wide, narrow) if step.flipped else (number,)):
                return False
            wide = computed(step, wide, number)
            narrow = rounded(computed(step, narrow, rounded(number)))
        if _bits(rounded(wide)) != _bits(narrow):
            return False
    return True


def _bits(x: float) -> bytes:
    """Which tells 0.0 from -0.0."""
    return struct.pack("f", x)
