"""Pick batches from NumPy arrays by their indices instead of copying the arrays into a dataset.

Before:  data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(10000).batch(32)
After:   data = tf.data.Dataset.range(len(x)).shuffle(10000).batch(32).map(rows_of((x, y)))

Also:    `rows_of` is added to the file. It returns a function that picks rows of the arrays, in `tf.numpy_function`.
         `.map(f).batch(32)` becomes `.batch(32).map(rows_of(x)).map(f)` where `f` computes all of its results element by
         element, as a cast and `/ 255.` do, and so makes the same of a batch.

Why:     `from_tensor_slices` makes a tensor of the whole array, which the dataset keeps beside the array, and for a moment
         two more; `shuffle` then holds single elements. Two epochs over 614 MB, arrays not counted: 1,846 -> 11 MB for
         `batch`, 1,233 -> 13 MB for `shuffle` and `batch`, in half the time. A script that trains on 246 MB of images and
         tests on 49: 791 -> 326 MB; one whose map scales 246 MB of bytes: 841 -> 338 MB, in 0.65 of the CPU time. Batches,
         their order for every seed and their `element_spec` are the same.
Safety:  - **Changed array.** Refused unless each use of the array is known to only read it: the dataset would see
           `x[0] = 1`, `x /= 255.`, `both["x"] *= 2` or a change of a view later, and what `queue.put(x)` leads to.
         - **Known arrays.** Refused unless each is known to be a NumPy array of numbers: `[x, y]` is made one tensor, and
           a tensor isn't copied.
         - **Same length.** Refused unless all are known to have as many rows: `from_tensor_slices((x, y[1:]))` raises.
         - **Elements.** Refused where single elements are needed before `batch`, as by `.map(lambda row: row[0]).batch(32)`:
           to pick one row at a time takes up to 3.5 times as long.
         - **Overflow.** Refused where a function that is mapped casts floats to small integers, as `tf.cast(row, tf.uint8)`: what
           becomes of a number that doesn't fit depends on its place in the batch.
         - **Held longer.** Refused for an array that a loop makes anew, which would stay until the garbage collector runs, and
           for a part of a function's own array: all of `x` would stay for `x[:100]`.
         - **Other uses.** Refused if the dataset has another use before `batch`, or `x = x[::2]` comes between the two.
         - **Other processes.** Refused where the file uses `tf.distribute`, the `tf.data` service or `tf.compat.v1`:
           `tf.numpy_function` runs only in the process that made it.
         - **Saved datasets.** Refused if the file has both `iter(...)` and `tf.train.Checkpoint(...)`, which can't save an
           iterator that calls Python, and for `data.snapshot(path)` and `tf.saved_model.save(...)`.
         - **Printed datasets.** Refused for `print(data)` and `isinstance(data, ...)`: its class is another one now.
         - **Small arrays.** Refused if less than 10 MB are known to be copied, or 25 where `rows_of` has to be added:
           `np.zeros([100, 4])`.
"""

from __future__ import annotations

import math
import re

import gast

from tfrewrite.analyses.array_changes import may_change
from tfrewrite.analyses.dataset_operations import element_bytes, kept_in_files, saves_iterators, segment, sets_order, shown_somewhere
from tfrewrite.analyses.mapped_batches import why_not_in_batches
from tfrewrite.analyses.rows_by_indices import array_bytes, counted, picker, why_held_longer, why_not_arrays, why_not_in_this_process
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import block_of, walk_within
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform
from tfrewrite.source import Span

_SLICES = "tensorflow.data.Dataset.from_tensor_slices"
_OF_ELEMENTS = {"shuffle", "repeat", "take", "skip", "shard", "prefetch", "cache"}
"""What does the same to indices as it does to the rows."""
_LEAST = 10_000_000
"""A copy of so many bytes is worth a call more in the line."""
_WORTH_A_FUNCTION = 25_000_000
"""A copy of so many bytes is worth a function more in the file."""
_WIDTH = 88
_CORES = 16
"""So many batches may be mapped at once."""


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("from_tensor_slices",), late=True)
def array_input(call: gast.Call, facts: Facts) -> Outcome:
    if facts.called(call) != _SLICES or not isinstance(call.func, gast.Attribute):
        return None
    rows = (facts.arguments(call) or {}).get("x")
    arrays = None if rows is None else _leaves(rows)
    if rows is None or not arrays or any(_is_something_else(one, facts) for one in arrays):
        return None
    if facts.mode(call) is not Mode.EAGER:
        return Refusal(call, Code.IN_GRAPH, "it may run while a graph is built, which would keep the arrays anyway")
    if refusal := why_not_arrays(call, arrays, facts) or _elsewhere(call, facts):
        return refusal
    length = next((one for array in arrays if (one := counted(array, facts)) is not None), None)
    if length is None:
        return Refusal(call, Code.FORM, "none of the arrays has a name, whose length would be that of the dataset")
    found_batch = _batched(call, facts)
    if isinstance(found_batch, Refusal):
        return found_batch
    batch, maps = found_batch
    first, last = facts.scopes.statement(call), facts.scopes.statement(batch)
    if refusal := _moved_badly(rows, first, last, facts) or may_change(arrays, call, facts):
        return refusal
    if refusal := why_held_longer(call, arrays, facts):
        return refusal
    if not facts.callers.is_script and not facts.world.callers_believed:
        return Refusal(call, Code.CALLERS_UNKNOWN, "a file that imports this one may change the arrays later")
    found = picker(call, facts)
    if isinstance(found, Refusal):
        return found
    name, definition = found
    source = facts.source
    end = source.span(call).end
    start = source.span(call.func).end - len(call.func.attr)
    saves = array_bytes(arrays, facts)
    moved = _moved(maps, batch, saves, facts)
    if isinstance(moved, Refusal):
        return moved
    texts, removed = moved
    picked = _appended(batch, f"{name}({_on_one_line(rows, facts)})", texts, facts)
    edits = (*definition, Edit(start, end, f"range(len({length}))"), *removed, picked)
    if saves is not None and saves < (_WORTH_A_FUNCTION if definition else _LEAST):
        return Refusal(call, Code.TOO_SMALL, f"the copy takes {saves / 1e6:.1f} MB only")
    shown = " and ".join(facts.edit.short(one, "an array") for one in arrays[:3])
    of = f" of {saves / 1e6:,.0f} MB" if saves is not None else ""
    reason = f"each batch is picked from {shown}, of which the dataset holds no copy{of}"
    region = (first, last) if first is not last else (batch,)
    return Rewrite(batch, edits, reason, region=region, worth=Worth(Setup.GRAPH, saves))


# The arrays


def _leaves(rows: gast.AST) -> list[gast.expr]:
    """The expressions that a structure of tuples and dicts is made of."""
    match rows:
        case gast.Tuple(elts=elements):
            return [leaf for one in elements for leaf in _leaves(one)]
        case gast.Dict(keys=keys, values=values) if all(isinstance(one, gast.Constant) for one in keys):
            return [leaf for one in values for leaf in _leaves(one)]
        case gast.expr():
            return [rows]
    return []


def _is_something_else(node: gast.AST, facts: Facts) -> bool:
    """Is it known to be no array: a tensor, or a list?"""
    written = isinstance(node, gast.List | gast.Constant | gast.ListComp | gast.Dict | gast.JoinedStr)
    return written or facts.kind(node).sort not in (Sort.ARRAY, Sort.UNKNOWN)


# The dataset


def _batched(call: gast.Call, facts: Facts) -> tuple[gast.Call, list[gast.Call]] | Refusal:
    """The call that makes batches of the dataset's elements, and what is mapped over them before: the same could be over batches."""
    node: gast.AST = call
    maps: list[gast.Call] = []
    while True:
        parent = facts.parent(node)
        match parent:
            case gast.Attribute(attr=method, value=value) if value is node and isinstance(outer := facts.parent(parent), gast.Call):
                if method == "batch":
                    return outer, maps
                if method == "map":
                    if why := _why_not_mapped_later(outer, facts) or _why_not_flat(call, outer, facts):
                        reason = f".map() needs single elements, and to pick them one at a time takes longer than to copy the arrays: {why}"
                        return Refusal(outer, Code.NO_GAIN, reason, "Make batches before .map().")
                    maps.append(outer)
                    node = outer
                    continue
                if maps and method in ("cache", "repeat"):
                    reason = f"what is mapped would come after .{method}(), and be computed in every epoch, or in another order"
                    return Refusal(outer, Code.NO_GAIN, reason, "Make batches before .map().")
                if method not in _OF_ELEMENTS or (method == "cache" and (outer.args or outer.keywords)):
                    reason = f".{method}() needs single elements, and to pick them one at a time takes longer than to copy the arrays"
                    return Refusal(outer, Code.NO_GAIN, reason, f"Make batches before .{method}().")
                node = outer
            case gast.Assign(targets=[gast.Name() as target]):
                users = facts.flow.users(target)
                if users is None or len(users) != 1 or target.id in facts.scopes.names[target].shared:
                    return Refusal(call, Code.OTHER_NAMES, f"{target.id} is used more than once before its elements are put into batches")
                node = users[0]
                if not isinstance(node, gast.Name) or facts.flow.definitions(node) != [target]:
                    return Refusal(call, Code.MAY_CHANGE, f"{target.id} may be another dataset where elements are put into batches")
                if facts.scopes.function_of(node) is not facts.scopes.function_of(call):
                    return Refusal(node, Code.OTHER_NAMES, f"another function uses {target.id} before its elements are put into batches")
            case _:
                return Refusal(
                    call, Code.FORM, "single elements are needed, and to pick them one at a time takes longer than to copy the arrays"
                )


def _why_not_flat(source: gast.Call, mapped: gast.Call, facts: Facts) -> str:
    """An operation makes one tensor of a tuple: of a tuple of batches it would be another one."""
    given, function = next(iter(source.args), None), next(iter(mapped.args), None)
    handed = facts.callers.function_named(function) if function is not None else None
    returned = [handed.body] if isinstance(handed, gast.Lambda) else []
    if isinstance(handed, gast.FunctionDef):
        returned = [one.value for one in facts.scopes.within(handed) if isinstance(one, gast.Return) and one.value is not None]
    parts = [part for one in (given, *returned) if isinstance(one, gast.Tuple | gast.List) for part in one.elts]
    nested = any(isinstance(one, gast.Tuple | gast.List | gast.Dict) or facts.kind(one).sort in (Sort.TUPLE, Sort.LIST) for one in parts)
    return "a part of an element is made up of several" if nested or given is None or isinstance(given, gast.Dict) else ""


def _why_not_mapped_later(mapped: gast.Call, facts: Facts) -> str:
    """Why a function is not known to make the same of whole batches."""
    given = facts.arguments(mapped) or {}
    if "map_func" not in given or not set(given) <= {"map_func", "num_parallel_calls", "name"}:
        return "what is mapped is not known, or in which order"
    if sets_order(facts):
        return "the order in which elements are mapped is not the same in every run"
    return why_not_in_batches(given["map_func"], facts)


def _moved(maps: list[gast.Call], batch: gast.Call, saves: int | None, facts: Facts) -> tuple[list[str], list[Edit]] | Refusal:
    """The text of what is mapped over elements, to be written behind the batches, and the edits that take it away."""
    text = facts.source.text
    texts: list[str] = []
    removed: list[Edit] = []
    emptied: list[gast.stmt] = []
    for one in maps:
        place, statement = segment(one, facts), _of_maps_only(facts.scopes.statement(one), maps)
        if statement is not None and not _gives_its_own_name(statement):
            return Refusal(one, Code.FORM, "nothing would be left of the statement but another name", "Make batches before .map().")
        if "num_parallel_calls" in (facts.arguments(one) or {}) and not _may_run_at_once(one, batch, saves, facts):
            reason = "several batches would be mapped at once, which may take more than the copy"
            return Refusal(one, Code.NO_GAIN, reason, "Make batches before .map().")
        beside = min(facts.source.line_end(place.end), facts.source.span(batch).end)
        taken = () if statement in emptied else _taken_away(statement, place, max(place.end, beside), facts)
        if taken is None:
            return Refusal(one, Code.TEXT_LOST, "the comment beside the function that is mapped would come to stand beside something else")
        if statement is not None:
            emptied.append(statement)
        texts.append(text[place.start : place.end].strip().lstrip("\\").strip())
        removed += taken
    return texts, removed


def _taken_away(statement: gast.stmt | None, place: Span, end: int, facts: Facts) -> tuple[Edit, ...] | None:
    """The edits that take away a map, or the statement that is nothing else; None where a comment speaks of it."""
    if "#" in facts.source.text[place.start : end]:
        return None
    return (Edit(place.start, place.end),) if statement is None else facts.edit.delete_statement(statement)


def _of_maps_only(statement: gast.stmt, maps: list[gast.Call]) -> gast.Assign | None:
    """The statement, if nothing else happens in it: `data = data.map(f)`."""
    value = statement.value if isinstance(statement, gast.Assign) else None
    while isinstance(value, gast.Call) and any(one is value for one in maps) and isinstance(value.func, gast.Attribute):
        value = value.func.value
    return statement if isinstance(statement, gast.Assign) and isinstance(value, gast.Name) else None


def _gives_its_own_name(statement: gast.Assign) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=value):
            while isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
                value = value.func.value
            return isinstance(value, gast.Name) and value.id == target
    return False


def _may_run_at_once(mapped: gast.Call, batch: gast.Call, saves: int | None, facts: Facts) -> bool:
    """Do as many batches as a machine has cores take much less than the arrays?"""
    after, size = element_bytes(facts.kind(mapped).each), (facts.arguments(batch) or {}).get("batch_size")
    rows = facts.kind(size).value if size is not None else None
    return after is not None and isinstance(rows, int) and saves is not None and _CORES * 2 * after * rows <= saves / 2


def _moved_badly(rows: gast.AST, first: gast.stmt, last: gast.stmt, facts: Facts) -> Refusal | None:
    """Why the arrays may not be read where batches are made, which is later."""
    if first is last:
        return None
    home = facts.parent(first)
    if home is None or facts.parent(last) is not home:
        return Refusal(last, Code.CONTROL_FLOW, "the elements are put into batches in another block than the dataset is made in")
    if not all(isinstance(one, gast.Name | gast.Tuple | gast.Dict | gast.Constant | gast.Load) for one in gast.walk(rows)):
        return Refusal(rows, Code.EFFECTS, "what is computed for the dataset would be computed later", "Give it a name before.")
    block = block_of(first, home)
    places = [next(i for i, one in enumerate(block) if one is each) for each in (first, last)]
    names = {one.id for one in gast.walk(rows) if isinstance(one, gast.Name)}
    for statement in block[places[0] + 1 : places[1] + 1]:
        for node in (statement, *walk_within(statement)):
            bound = node.id if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) else getattr(node, "asname", None)
            if bound in names or getattr(node, "name", None) in names:
                return Refusal(node, Code.MAY_CHANGE, f"{bound} is assigned again before the elements are put into batches")
    return None


def _elsewhere(call: gast.Call, facts: Facts) -> Refusal | None:
    """Why a dataset that picks rows in this process may not do what one that holds them does."""
    if refusal := why_not_in_this_process(call, facts):
        return refusal
    if facts.once(saves_iterators):
        return Refusal(call, Code.EFFECTS, "a checkpoint may hold an iterator, whose state can't be saved if rows are picked by NumPy")
    if (node := facts.once(kept_in_files)) is not None:
        reason = f"{facts.edit.short(node, 'a call')} keeps in files what datasets are made of, and they can't say which rows NumPy picks"
        return Refusal(call, Code.EFFECTS, reason)
    if (node := facts.once(shown_somewhere)) is not None:
        return Refusal(node, Code.EFFECTS, "what a dataset is called is shown or asked for here, and it would be another kind of dataset")
    return None


# The new text


def _on_one_line(rows: gast.AST, facts: Facts) -> str:
    text = facts.source.text_of(rows)
    if "\n" not in text or "#" in text or any(quotes in text for quotes in ('"""', "'''")):
        return text
    joined = re.sub(r"\s*\n\s*", " ", text)
    return re.sub(r",? ([)\]}])", r"\1", re.sub(r"([(\[{]) ", r"\1", joined))


def _appended(batch: gast.Call, function: str, maps: list[str], facts: Facts) -> Edit:
    """`.map(...)` after the call, on a line of its own where the call has one, and what else is mapped."""
    source = facts.source
    span = source.span(batch)
    dot = source.text.rindex(".", source.span(batch.func.value).end, source.span(batch.func).end)
    line = source.line_start(dot)
    if not source.text[line:dot].strip() and source.text[:line].strip():
        lead = f"{source.newline}{source.text[line:dot]}"
        return Edit(span.end, span.end, "".join(f"{lead}{one}" for one in (f".map({function})", *maps)))
    rest = "".join(maps)
    start, end = source.line_start(span.end), source.line_end(span.end)
    width = len(source.text[start:end].rstrip()) + len(f".map({function})") - (math.inf if "\n" in function else 0)
    if width <= max(_WIDTH, facts.edit.longest_line):
        return Edit(span.end, span.end, f".map({function}){rest}")
    indent = source.newline + source.indentation(start)
    return Edit(span.end, span.end, f".map({indent}{facts.edit.unit}{function}{indent}){rest}")
