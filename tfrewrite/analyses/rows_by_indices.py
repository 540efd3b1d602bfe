"""The functions that pick rows of arrays by their indices, and where a file gets them: once, for all that need them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gast

from tfrewrite.analyses.array_memory import is_fresh, viewed_by
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, FUNCTIONS, LOOPS, bound_arguments
from tfrewrite.kinds import ITEM_BYTES, same_dim
from tfrewrite.loops.outlining import above, apart, imported_above, top_statement
from tfrewrite.outcomes import Edit, Refusal, not_imported

_MOST_VIEWS = 10
_ELSEWHERE = ("tensorflow.distribute", "tensorflow.compat.v1", "tensorflow.data.experimental.service", "tensorflow.experimental.dtensor")


@dataclass(frozen=True)
class _Helper:
    """A function that a file is given."""

    names: tuple[str, ...]
    """What it may be called: the first of these that stands for nothing yet."""
    text: str
    wanted_by: str
    """The method whose calls may need it: above the first of them it is defined."""


_PICKER = _Helper(
    ("rows_of", "picked_rows", "rows_by_indices"),
    '''\
def {name}(arrays):
    """Pick rows of arrays by their indices, where a dataset of the arrays would hold a copy."""
    flat = {tf}.nest.flatten(arrays)
    dtypes = [array.dtype for array in flat]

    def pick(indices):
        rows = {tf}.numpy_function(lambda i: [array[i] for array in flat], [indices], dtypes)
        for row, array in zip(rows, flat):
            row.set_shape(indices.shape + array.shape[1:])
        return {tf}.nest.pack_sequence_as(arrays, rows)

    return pick
''',
    "from_tensor_slices",
)
_BATCHES = _Helper(
    ("shuffled_batches", "batches_in_random_order", "shuffled_rows"),
    '''\
def {name}(*arrays, batch_size=32):
    """Shuffle and batch rows of arrays as `fit` does, which would hold copies of the arrays."""
    dtypes = ["float32" if array.dtype.kind == "f" else array.dtype.name for array in arrays]

    def pick(indices):
        rows = {tf}.numpy_function(
            lambda i: [array[i].astype(dtype, copy=False) for array, dtype in zip(arrays, dtypes)],
            [indices],
            dtypes,
        )
        for row, array in zip(rows, arrays):
            row.set_shape(indices.shape + array.shape[1:])
        return tuple(rows) if len(rows) > 1 else rows[0]

    def order(_):
        return {tf}.random.shuffle({tf}.range(count, dtype={tf}.int64))

    count = len(arrays[0])
    number = {tf}.data.experimental.assert_cardinality(-(-count // batch_size))
    indices = {tf}.data.Dataset.range(1).map(order).prefetch(1)
    indices = indices.flat_map({tf}.data.Dataset.from_tensor_slices)
    batches = indices.batch(batch_size, drop_remainder=count % batch_size == 0)
    return batches.map(pick, {tf}.data.AUTOTUNE).apply(number).prefetch({tf}.data.AUTOTUNE)
''',
    "fit",
)


def picker(node: gast.AST, facts: Facts) -> tuple[str, tuple[Edit, ...]] | Refusal:
    """What the function is called that picks rows where a node stands, and the edits that define it where nothing does yet."""
    return _defined(_PICKER, node, facts)


def batcher(node: gast.AST, facts: Facts) -> tuple[str, tuple[Edit, ...]] | Refusal:
    """The same of the function that makes the batches of `fit`."""
    return _defined(_BATCHES, node, facts)


def _defined(helper: _Helper, node: gast.AST, facts: Facts) -> tuple[str, tuple[Edit, ...]] | Refusal:
    imported = facts.whole_tensorflow(node)
    tf, imports = imported or ("", ())
    place = _place(helper, node, tf, imports, facts)
    if place is None:
        return not_imported(node, "and rows are picked by tf.numpy_function")
    for name in helper.names:
        bindings = facts.scopes.module.bindings.get(name, [])
        if any(_is_it(helper, one, name, tf, facts) and one.lineno < place.lineno for one in bindings) and len(bindings) == 1:
            return name, ()
        if not facts.is_bound(name, node) and not any(name in scope.uses for scope in (facts.scopes.module, *facts.scopes.module.below())):
            text = _written(helper, name, tf, facts)
            start = above(place, facts)
            newline = facts.source.newline
            return name, (*imports, Edit(start, start, f"{apart(start, facts)}{text}{newline}{newline}"))
    return Refusal(node, Code.NAME_TAKEN, f"the function that picks rows would be called {helper.names[0]}, and something else is")


def _place(helper: _Helper, node: gast.AST, tf: str, imports: tuple[Edit, ...], facts: Facts) -> gast.stmt | None:
    """The statement above which the function belongs: the first of the file's that may need it, so that all find it there."""
    readers = [one for one in facts.nodes((gast.Call,)) if getattr(getattr(one, "func", one), "attr", "") == helper.wanted_by]
    places = [top_statement(one, facts) for one in (*readers, node)]
    after = max((one.end for one in imports), default=None)

    def is_known(place: gast.stmt) -> bool:
        return imported_above(tf, place, facts) if after is None else facts.source.span(place).start > after

    return min(filter(is_known, places), key=lambda one: one.lineno, default=None)


def _is_it(helper: _Helper, binding: gast.AST, name: str, tf: str, facts: Facts) -> bool:
    if not isinstance(binding, DEFINITIONS) or facts.parent(binding) is not facts.tree:
        return False
    return facts.source.text_of(binding).strip() == _written(helper, name, tf, facts).strip()


def picks_rows(call: gast.Call, facts: Facts) -> bool:
    """Does it call the function that a rewrite added, which picks rows of arrays by their indices?"""
    function = facts.callers.function_called(call)
    tf = facts.tensorflow(call)
    return function is not None and tf is not None and _is_it(_PICKER, function, getattr(function, "name", ""), tf, facts)


def _written(helper: _Helper, name: str, tf: str, facts: Facts) -> str:
    newline, unit = facts.source.newline, facts.edit.unit
    lines = helper.text.format(name=name, tf=tf).splitlines()
    levels = [(len(line) - len(line.lstrip())) // 4 for line in lines]
    return "".join(f"{unit * level}{line.lstrip()}{newline}" for level, line in zip(levels, lines, strict=True))


# The arrays


def why_not_in_this_process(call: gast.Call, facts: Facts) -> Refusal | None:
    """Why a dataset may be for others than the process that holds the arrays."""
    if any(isinstance(one, gast.With | gast.AsyncWith) for one in facts.scopes.ancestors(call)):
        return Refusal(call, Code.CONTROL_FLOW, "what the with block around it means for the dataset is not known")
    for one in facts.nodes((gast.Attribute, gast.Name)):
        if (facts.names(one) or "").startswith(_ELSEWHERE):
            shown = facts.edit.short(one, "tf.distribute")
            return Refusal(call, Code.SETTINGS, f"this file uses {shown}, and rows can only be picked in the process that holds the arrays")
    return None


def why_not_arrays(call: gast.Call, arrays: list[gast.expr], facts: Facts) -> Refusal | None:
    for one in arrays:
        kind, shown = facts.kind(one), facts.edit.short(one, "what it is given")
        if isinstance(one, gast.Starred) or kind.sort is not Sort.ARRAY:
            return Refusal(one, Code.UNKNOWN_VALUE, f"{shown} is not known to be a NumPy array", "Make it by a function of NumPy.")
        if kind.dtype not in ITEM_BYTES:
            return Refusal(one, Code.UNKNOWN_DTYPE, f"{shown} is not known to be an array of numbers", "Say its dtype, by astype.")
        if not kind.rank:
            return Refusal(one, Code.UNKNOWN_SHAPE, f"{shown} is not known to have rows")
    lengths = [shape[0] for one in arrays if isinstance(shape := facts.kind(one).shape, tuple)]
    if not all(same_dim(lengths[0], one) for one in lengths[1:]):
        reason = "the arrays are not known to have the same length, without which the dataset raises"
        return Refusal(call, Code.UNKNOWN_SHAPE, reason)
    return None


def why_held_longer(call: gast.Call, arrays: list[gast.expr], facts: Facts) -> Refusal | None:
    """Why a dataset that holds the arrays themselves would hold more than one that copies them.

    The function that picks rows is a part of a graph, which only the garbage collector frees: until then its arrays stay.
    """
    for one in arrays:
        if _is_new_each_time(one, call, facts):
            reason = f"{facts.edit.short(one, 'the array')} is another array each time, and would stay until the garbage collector runs"
            return Refusal(call, Code.NO_GAIN, reason, "Make the array once, and shuffle again for each turn.")
        base = _whole(one, facts)
        released = _is_local(base, facts) or (_is_given_up(one, call, facts) and not _is_most_of(one, base, facts))
        if base is not one and released and facts.kind(base).size != facts.kind(one).size:
            reason = f"{facts.edit.short(one, 'the array')} is a part of {facts.edit.short(base)}, all of which would stay"
            return Refusal(call, Code.NO_GAIN, reason, "Give a copy of it a name.")
    return None


def _is_new_each_time(array: gast.AST, place: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> bool:
    """Is an array that is read at a place made anew whenever that is reached again?"""
    function = facts.scopes.function_of(place)
    loops = {one for one in facts.scopes.ancestors(place) if isinstance(one, (*LOOPS, *COMPREHENSIONS))}
    repeated = bool(loops) or (function is not None and _runs_in_a_loop(function, facts))
    if not repeated or place in seen:
        return False
    base = _whole(array, facts)
    if not isinstance(base, gast.Name) or base not in facts.scopes.names:
        return is_fresh(base, facts) or not isinstance(base, gast.Attribute)
    owner = facts.scopes.names[base].lookup(base.id)
    if owner is None or base.id in owner.shared:
        return True
    for binding in owner.bindings[base.id]:
        around = {one for one in facts.scopes.ancestors(binding) if isinstance(one, LOOPS)}
        if owner is facts.scopes.module:
            if around:
                return True
        elif not isinstance(facts.parent(binding), gast.arguments):
            if around & loops or not isinstance(owner.node, FUNCTIONS) or _runs_in_a_loop(owner.node, facts):
                return True
        elif _is_handed_anew(binding, owner.node, facts, seen | {place}):
            return True
    return False


def _runs_in_a_loop(function: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> bool:
    """May a function be called by a loop, as often as that likes? What is called here and there adds up to little."""
    for reference in facts.callers.references(function):
        place = reference.node
        if not reference.direct or any(isinstance(one, (*LOOPS, *COMPREHENSIONS)) for one in facts.scopes.ancestors(place)):
            return True
        caller = facts.scopes.function_of(place)
        if caller is not None and (caller in seen or _runs_in_a_loop(caller, facts, seen | {function})):
            return True
    return False


def _is_handed_anew(parameter: gast.AST, function: gast.AST, facts: Facts, seen: frozenset[gast.AST]) -> bool:
    """May calls of a function hand it arrays that are made for the call?"""
    for reference in facts.callers.references(function):
        given = None
        if reference.direct and reference.call is not None and isinstance(function, DEFINITIONS):
            given = bound_arguments(function, reference.call, facts.callers.is_method(function))
        array = (given or {}).get(getattr(parameter, "id", ""))
        if array is None or reference.call is None:
            return True
        base = _whole(array, facts)
        if not isinstance(base, gast.Name | gast.Attribute) or _is_new_each_time(array, reference.call, facts, seen):
            return True
    return False


def _is_most_of(part: gast.AST, whole: gast.AST, facts: Facts) -> bool:
    """Has an array so many of the elements of another one that the rest is less than half of what no copy of it saves?"""
    size, all_of_it = facts.kind(part).size, facts.kind(whole).size
    return size is not None and all_of_it is not None and 2 * (all_of_it - size) < size


def _is_given_up(array: gast.AST, place: gast.AST, facts: Facts) -> bool:
    """Is each name by which an array, or what it is a view of, is held deleted or given something else afterwards?"""
    names = [one for one in _views(array, facts) if isinstance(one, gast.Name) and one in facts.scopes.names]
    owners = [(one.id, facts.scopes.names[one].lookup(one.id)) for one in names]
    later = [
        any(isinstance(one, gast.Name) and one.lineno > place.lineno for one in owner.bindings[name])
        for name, owner in owners
        if owner is not None
    ]
    return all(later)


def _whole(array: gast.AST, facts: Facts) -> gast.AST:
    """The array that one is a view of, through the names that it was given; itself if it is no view."""
    *_, whole = _views(array, facts)
    return whole


def _views(array: gast.AST, facts: Facts) -> Iterator[gast.AST]:
    """An array, and what it is a view of, through the names that they were given."""
    yield array
    for _ in range(_MOST_VIEWS):
        given = array
        if isinstance(array, gast.Name) and array in facts.scopes.names:
            bound = facts.flow.definitions(array)
            match facts.parent(bound[0]) if bound is not None and len(bound) == 1 else None:
                case gast.Assign(targets=[gast.Name()], value=value):
                    given = value
        viewed = viewed_by(given, facts)
        if viewed is None:
            break
        array = viewed
        yield array


def _is_local(array: gast.AST, facts: Facts) -> bool:
    """Is it an array of a function's own, which nothing holds once that has returned?"""
    if not isinstance(array, gast.Name) or array not in facts.scopes.names:
        return facts.scopes.function_of(array) is not None and not isinstance(array, gast.Attribute)
    owner = facts.scopes.names[array].lookup(array.id)
    return (
        owner is not None
        and owner is not facts.scopes.module
        and not any(isinstance(facts.parent(one), gast.arguments) for one in owner.bindings[array.id])
    )


def counted(array: gast.AST, facts: Facts) -> str | None:
    """A name of as many rows as an array has, whose length can be asked for."""
    whole = facts.kind(array).shape
    for one in gast.walk(array):
        shape = facts.kind(one).shape if isinstance(one, gast.Name) and facts.kind(one).sort is Sort.ARRAY else None
        if (
            isinstance(one, gast.Name)
            and isinstance(shape, tuple)
            and shape
            and (one is array or (isinstance(whole, tuple) and same_dim(shape[0], whole[0])))
        ):
            return str(one.id)
    return None


def array_bytes(arrays: list[gast.expr], facts: Facts) -> int | None:
    """How large all arrays are together, where that is known."""
    total = 0
    for one in arrays:
        kind = facts.kind(one)
        if kind.size is None:
            return None
        total += kind.size * ITEM_BYTES[kind.dtype or ""]
    return total
