"""Keep an array of bytes in a dataset, and scale it batch by batch.

Before:  images = images.reshape(-1, 784).astype("float32")
         images = (images - 127.5) / 127.5
         rows = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(64)
After:   images = images.reshape(-1, 784)
         rows = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(64).map(lambda x: (tf.cast(x, tf.float32) - 127.5) / 127.5)

Also:    For pairs, `from_tensor_slices((images, labels))`, and for `images /= 255` in place.

Why:     `from_tensor_slices` copies its arrays, and `shuffle` and `cache` hold elements: as bytes all of them are a quarter as
         large as in float32. The elements are the same to the bit: `Dataset.map` divides as NumPy does, batched or not, in
         parallel, and read by a `tf.function`, whose own division is another one (126 of 256 values of `x / 255` differ). A
         script that trains on 35,000 images of 28 x 28: 357 -> 83 MB together with `released_array`, in 0.7 of the time.
Safety:  - **Other readers.** Refused if anything but its shape is read of the scaled array besides: `plt.imshow(images[0])`.
           At the top level only in scripts that no other file imports, and in no notebook: `from train import images`.
         - **Dtype.** Only `uint8`, `int8` and `bool` that become `float32`: `tf.cast` and `astype` agree on each value.
         - **One by one.** Refused unless the same expression makes batches: scaled one by one, elements take longer:
           `rows = tf.data.Dataset.from_tensor_slices(images)`.
         - **Graphs.** Only where the dataset is made eagerly: in a graph one more operation changes the seeds of
           `tf.random.uniform` after it.
         - **Order.** Refused where batches are shuffled last and a `repeat` may follow: TensorFlow makes one operation of the
           two, which orders every epoch but the first otherwise.
         - **Errors.** Refused where the file sets what NumPy raises or warns of: `np.errstate(divide="raise")`.
         - **Tiny numbers.** Refused where a number below 1e-38 is met, which NumPy keeps and TensorFlow takes for zero, and for
           `/ 0`.
         - **Files.** Refused for `cache("images.tmp")`, where an earlier run may have left elements in float32, and if the file
           has both `iter(...)` and `tf.train.Checkpoint(...)`.
         - **Changed bytes.** Refused if anything between the cast and the dataset may change an array: `raw[0] = 0`.
         - **Numbers.** Only Python numbers, and an array before numbers: `images - images.mean()` and `1 - images` stay.
         - **Lambdas.** Refused if the statement has a `lambda`: AutoGraph can't tell two on a line apart.
         - **Sizes.** Refused if the array is known to have less than 1 MB: `images` of shape `[100, 28, 28]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.appended_lists import block_around
from tfrewrite.analyses.array_holders import SETTINGS, bytes_of
from tfrewrite.analyses.array_memory import is_fresh
from tfrewrite.analyses.dataset_operations import saves_iterators, shown_somewhere, why_next_to_repeat
from tfrewrite.analyses.float32_readers import why_not_private
from tfrewrite.analyses.scaling import BYTE_VALUES, OPERATORS, Chain, Step, chain_of, made_in, meets_subnormals, numpy_may_raise, value_of
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import walk_within
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform
from tfrewrite.worth import NOISE

_SOURCE = "tensorflow.data.Dataset.from_tensor_slices"
_KEEP = frozenset({"shuffle", "batch", "repeat", "take", "skip", "cache"})
_BINDING = {"+": 9, "-": 9, "*": 10, "/": 10}


@dataclass(frozen=True)
class _Scaled:
    """An array of bytes with a name, the statements that scale it, and what they do."""

    use: gast.Name
    made: gast.Call
    dtype: str
    first: gast.Assign
    others: tuple[gast.stmt, ...]
    steps: tuple[Step, ...]


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("from_tensor_slices",))
def bytes_in_dataset(source: gast.Call, facts: Facts) -> Outcome:
    if facts.called(source) != _SOURCE or len(source.args) != 1 or source.keywords:
        return None
    given = source.args[0]
    parts = given.elts if isinstance(given, gast.Tuple) else [given]
    scaled = {index: found for index, one in enumerate(parts) if isinstance(one, gast.Name) and (found := _scaled(one, facts)) is not None}
    if not scaled or len(parts) > 2:
        return None
    batches, end = _batched(source, facts)
    names = " and ".join(one.use.id for one in scaled.values())
    sizes = [bytes_of(facts.kind(one.use)) for one in scaled.values()]
    total = sum(one or 0 for one in sizes)
    if None not in sizes and total < NOISE:
        return Refusal(source, Code.TOO_SMALL, f"{names} has {total / 1e6:.2g} MB: less than 1 MB counts for nothing")
    if facts.is_interactive and any(facts.scopes.names[one.use] is facts.scopes.module for one in scaled.values()):
        shared = f"{names} belongs to all cells of the notebook, and what is written in one later would find bytes"
        return Refusal(source, Code.NOTEBOOK, shared, "Make the dataset in a function.")
    for one in scaled.values():
        if (reader := _other_reader(one, facts)) is not None:
            return reader.at(source)
    if not batches:
        return Refusal(source, Code.FORM, f"what makes batches of {names} stands elsewhere, and one by one they would take longer to scale")
    if numpy_may_raise(facts):
        return Refusal(
            source, Code.RAISES, "the file sets what NumPy does with an overflow or a zero divisor, of which TensorFlow does nothing"
        )
    if any(meets_subnormals(one.steps, one.dtype, facts) for one in scaled.values()):
        return Refusal(source, Code.ROUNDING_ZERO, f"{names} may hold numbers below 1e-38, which NumPy keeps and TensorFlow takes for zero")
    if _caches_in_file(source, end):
        return Refusal(source, Code.EFFECTS, "a file keeps the elements, and one of an earlier run would hold them in float32")
    if facts.once(saves_iterators):
        return Refusal(source, Code.EFFECTS, "a checkpoint may hold an iterator, whose state would be another one")
    if (reason := _reordered(source, end, facts)) is not None:
        return Refusal(source, Code.RANDOM, reason)
    if facts.mode(source) is not Mode.EAGER:
        return Refusal(source, Code.IN_GRAPH, "it may run while a graph is made, and one operation more changes the seeds after it")
    if any(isinstance(one, gast.Lambda) for one in gast.walk(facts.scopes.statement(source))):
        return Refusal(source, Code.FORM, "the statement has a lambda, and AutoGraph can't tell two on a line apart")
    tf = facts.tensorflow(source)
    if tf is None:
        return not_imported(source)
    if (printed := _shown(end, facts)) is not None:
        text = facts.edit.short(printed, "a statement")
        return Refusal(source, Code.OTHER_NAMES, f"{text} shows the dataset, and says of what kind it is")
    twins = [twin for one in scaled.values() if (twin := _left_beside(one, facts)) is not None]
    if twins:
        return Refusal(source, Code.FORM, f"{twins[0]} is scaled beside it in the same way, and is not only read by a dataset")
    changer = next((one for part in scaled.values() for one in _between(part, source, facts) if _may_change_arrays(one, facts)), None)
    if changer is not None:
        shown = facts.edit.short(changer, "a statement")
        return Refusal(source, Code.MAY_CHANGE, f"{shown} may change the bytes of {names} before the dataset copies them")
    gone = [_unscaled(one, facts) for one in scaled.values()]
    if None in gone:
        return Refusal(source, Code.LAYOUT, f"the statements that scale {names} share their lines, or are all that their block has")
    said = [comment for one in scaled.values() for statement in _removed(one, facts) if (comment := _comment_beside(statement, facts))]
    mapped = _mapped(end, f".map({_function(parts, scaled, tf, facts)})", said, facts)
    if mapped is None or any(_is_told_of(statement, facts) for one in scaled.values() for statement in _removed(one, facts)):
        return Refusal(source, Code.TEXT_LOST, f"a comment speaks of what scales {names}, and would stand alone")
    removed = tuple(edit for edits in gone for edit in edits or ())
    reason = f"{names}: bytes in the dataset, scaled batch by batch"
    if None not in sizes:
        reason += f": {total / 1e6:,.0f} MB in float32 -> {total / 4e6:,.0f} MB, and as much less in its copies"
    first = min((one.first for one in scaled.values()), key=lambda one: facts.source.span(one).start)
    return Rewrite(first, (*removed, mapped), reason, region=(first, facts.scopes.statement(source)))


# The array


def _scaled(use: gast.Name, facts: Facts) -> _Scaled | None:
    """The statements of a block that cast an array of bytes and scale it, one after the other."""
    steps: list[Step] = []
    others: list[gast.stmt] = []
    statement = _before(use, facts.scopes.statement(use), facts)
    while statement is not None:
        if (found := _made_by(statement, steps, others, use, facts)) is not None:
            return found
        match statement:
            case gast.AugAssign(op=op, value=number) if type(op) in OPERATORS and value_of(number, facts) is not None:
                steps.insert(0, Step(OPERATORS[type(op)], number, False))
            case gast.Assign(targets=[gast.Name()], value=value):
                chain = chain_of(value, facts)
                if chain is None or not isinstance(chain.base, gast.Name) or chain.base.id != use.id or not _commute(chain):
                    return None
                steps[:0] = chain.steps
            case _:
                return None
        others.insert(0, statement)
        statement = _before(use, statement, facts)
    return None


def _made_by(statement: gast.stmt, steps: list[Step], others: list[gast.stmt], use: gast.Name, facts: Facts) -> _Scaled | None:
    """Does this statement cast the bytes?"""
    if not isinstance(statement, gast.Assign) or len(statement.targets) != 1:
        return None
    chain = chain_of(statement.value, facts) or Chain(statement.value, ())
    made = made_in(chain.base, facts)
    if made is None or not _commute(chain) or not (chain.steps or steps):
        return None
    assert isinstance(made.func, gast.Attribute)
    before, after = facts.kind(made.func.value), facts.kind(made)
    if before.sort is not Sort.ARRAY or before.dtype not in BYTE_VALUES or after.dtype != "float32" or not facts.kind(chain.base).rank:
        return None
    bytes_ = made.func.value
    if chain.base is made and isinstance(bytes_, gast.Name) and bytes_.id != use.id:
        return None  # `scaled = images` would be all that is left
    return _Scaled(use, made, before.dtype, statement, tuple(others), (*chain.steps, *steps))


def _before(name: gast.Name, statement: gast.stmt, facts: Facts) -> gast.stmt | None:
    """The last statement of the block that gave a name, if nothing but a setting was read of it since."""
    block = block_around(statement, facts)
    place = next(index for index, one in enumerate(block) if one is statement)
    for earlier in reversed(block[:place]):
        names = [one for one in gast.walk(earlier) if isinstance(one, gast.Name) and one.id == name.id]
        if any(not isinstance(one.ctx, gast.Load) for one in names):
            return earlier
        if not all(_is_setting(one, facts) for one in names):
            return None
    return None


def _between(one: _Scaled, source: gast.Call, facts: Facts) -> list[gast.stmt]:
    """The statements from the cast up to the dataset, but for those that scale the array."""
    block = block_around(one.first, facts)
    first, last = (next(index for index, found in enumerate(block) if found is end) for end in (one.first, facts.scopes.statement(source)))
    return [found for found in block[first + 1 : last] if not any(found is other for other in one.others)]


def _may_change_arrays(statement: gast.stmt, facts: Facts) -> bool:
    """May a statement change an array that has another name, too?"""
    if isinstance(statement, gast.FunctionDef | gast.ClassDef | gast.Import | gast.ImportFrom):
        return False
    for node in (statement, *walk_within(statement)):
        match node:
            case gast.Subscript() | gast.Attribute() if not isinstance(node.ctx, gast.Load):
                return True
            case gast.AugAssign(target=gast.Name() as target):
                earlier = _before(target, statement, facts) if node is statement else None
                fresh = isinstance(earlier, gast.Assign) and is_fresh(earlier.value, facts)
                if facts.kind(target).sort not in (Sort.NUMBER, Sort.TENSOR) and not fresh:
                    return True
            case gast.AugAssign():
                return True
            case gast.Call() if not _changes_nothing(node, facts):
                return True
    return False


def _changes_nothing(call: gast.Call, facts: Facts) -> bool:
    name, row = facts.called(call) or "", facts.op(call)
    if name.startswith(("builtins.", "tensorflow.keras.layers.", "tensorflow.keras.utils.", "tensorflow.data.")):
        return name not in ("builtins.exec", "builtins.eval", "builtins.map", "builtins.next")
    if name.startswith("numpy."):
        return row.is_fresh and not any(one.arg in ("out", None) for one in call.keywords)
    if name.startswith("tensorflow."):
        return row.is_pure
    array = isinstance(call.func, gast.Attribute) and facts.kind(call.func.value).sort is Sort.ARRAY
    return array and call.func.attr in ("astype", "reshape", "mean", "min", "max", "sum", "std", "copy")


def _left_beside(one: _Scaled, facts: Facts) -> str | None:
    """An array that is scaled next to it in the same way, as `x_test` beside `x_train`, and that stays as it is."""
    block = block_around(one.first, facts)
    place = next(index for index, statement in enumerate(block) if statement is one.first)
    own = facts.source.text_of(one.first.value).replace(one.use.id, "x")
    for statement in (_next_made(block[:place][::-1]), _next_made(block[place + 1 :])):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name) as target], value=value) if name != one.use.id:
                if facts.source.text_of(value).replace(name, "x") == own and not any(
                    _is_moved(use, facts) for use in _reads(target, facts)
                ):
                    return str(name)
    return None


def _next_made(statements: Sequence[gast.stmt]) -> gast.stmt | None:
    """The first that does more than scale in place."""
    return next((one for one in statements if not isinstance(one, gast.AugAssign)), None)


def _reads(target: gast.Name, facts: Facts) -> list[gast.Name]:
    return facts.scopes.names[target].uses.get(target.id, [])


def _is_moved(use: gast.Name, facts: Facts) -> bool:
    """Is it the array of a dataset that is scaled there, too?"""
    call = next((one for one in facts.scopes.ancestors(use) if isinstance(one, gast.Call)), None)
    if call is None or facts.called(call) != _SOURCE or not _batched(call, facts)[0]:
        return False
    found = _scaled(use, facts)
    return found is not None and _other_reader(found, facts) is None


def _commute(chain: Chain) -> bool:
    return all(one.commutes for one in chain.steps)


def _is_setting(use: gast.AST, facts: Facts) -> bool:
    match facts.parent(use):
        case gast.Attribute(attr=attr) as read:
            return attr in SETTINGS - {"dtype", "nbytes", "itemsize"} and isinstance(read.ctx, gast.Load)
        case gast.Call(args=[_], keywords=[]) as call:
            return facts.called(call) == "builtins.len"
    return False


def _other_reader(one: _Scaled, facts: Facts) -> Refusal | None:
    """What else may see the array, or read it when it is scaled."""
    target = one.first.targets[0]
    names = {target.id if isinstance(target, gast.Name) else "", *(_given_by(other) for other in one.others)}
    if names != {one.use.id}:
        return Refusal(one.use, Code.OTHER_NAMES, f"{one.use.id} is scaled under another name")
    if not isinstance(target, gast.Name) or (refusal := why_not_private(target, facts)) is not None:
        return refusal if isinstance(target, gast.Name) else Refusal(one.use, Code.FORM, f"{one.use.id} is one of several targets")
    scope = facts.scopes.names[one.use]
    if scope is not facts.scopes.names[target] or any(one.use.id in inner.uses for inner in scope.below()):
        return Refusal(one.use, Code.OTHER_NAMES, f"{one.use.id} is also known to an inner function or a comprehension")
    chain = [node for statement in one.others for node in gast.walk(statement)]
    given = [target, *(node for node in chain if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store))]
    augmented = [node for node in scope.bindings[one.use.id] if isinstance(facts.parent(node), gast.AugAssign)]
    for use in (*scope.uses.get(one.use.id, ()), *augmented):
        if use is one.use or any(use is node for node in chain) or _is_setting(use, facts):
            continue
        reaching = facts.flow.definitions(use)
        if reaching is None or any(node is other for node in reaching for other in given):
            shown = facts.edit.short(facts.scopes.statement(use), "a statement")
            return Refusal(one.use, Code.OTHER_NAMES, f"{shown} reads {one.use.id} too, and would see bytes")
    return None


def _given_by(statement: gast.stmt) -> str:
    target = statement.target if isinstance(statement, gast.AugAssign) else statement.targets[0]
    return str(getattr(target, "id", ""))


# The text


def _batched(source: gast.Call, facts: Facts) -> tuple[bool, gast.Call]:
    """Do the methods that follow make batches, and the last one that only hands elements on."""
    end, batches = source, False
    while True:
        method = facts.parent(end)
        call = facts.parent(method) if isinstance(method, gast.Attribute) and method.attr in _KEEP else None
        if not isinstance(call, gast.Call) or call.func is not method:
            return batches, end
        batches = batches or method.attr == "batch"
        end = call


def _caches_in_file(source: gast.Call, end: gast.Call) -> bool:
    call: gast.AST = end
    while isinstance(call, gast.Call) and call is not source and isinstance(call.func, gast.Attribute):
        if call.func.attr == "cache" and (call.args or call.keywords):
            return True
        call = call.func.value
    return False


def _reordered(source: gast.Call, end: gast.Call, facts: Facts) -> str | None:
    """Why what is mapped behind the last method may part a `shuffle` from a `repeat`; None where it doesn't."""
    call: gast.AST = end
    while isinstance(call, gast.Call) and call is not source and isinstance(call.func, gast.Attribute) and call.func.attr != "batch":
        if call.func.attr == "shuffle":
            return why_next_to_repeat(end, facts) or None
        call = call.func.value
    return None


def _unscaled(one: _Scaled, facts: Facts) -> tuple[Edit, ...] | None:
    """The edits that take the cast and the scaling away."""
    assert isinstance(one.made.func, gast.Attribute)
    edits: list[Edit] = []
    for statement in _removed(one, facts):
        if facts.edit.delete_statement(statement) is None:
            return None
        place = facts.source.span(statement)
        edits.append(Edit(facts.source.line_start(place.start), facts.source.line_end(place.end)))
    if _goes(one, facts):
        return tuple(edits)
    chain = chain_of(one.first.value, facts) or Chain(one.first.value, ())
    value, base, made, kept = (facts.source.span(node) for node in (one.first.value, chain.base, one.made, one.made.func.value))
    if "\n" in facts.source.text[value.start : value.end]:
        return None
    outer = facts.edit.outer_span(one.first.value)
    if chain.base is one.made:
        base = kept  # without the brackets of `(images > 9).astype("float32")`
    else:
        kept = facts.edit.outer_span(one.made.func.value)
    cut = (Edit(outer.start, base.start), Edit(kept.end, made.end), Edit(max(base.end, made.end), outer.end))
    return (*edits, *(edit for edit in cut if edit.start < edit.end))


def _mapped(end: gast.Call, method: str, comments: list[str], facts: Facts) -> Edit | None:
    """The edit that adds a method after another one: on a line of its own where the others have one, or where it is too long.

    A comment on the scaling comes with it, on a line of its own.
    """
    source, place = facts.source, facts.source.span(end).end
    line = source.line_start(place)
    if not comments and source.text[line:place].lstrip().startswith("."):
        return Edit(place, place, f"{source.newline}{source.indentation(line)}{method}")
    match facts.parent(end):
        case gast.Assign(targets=[gast.Name(id=name)], value=value) as statement if value is end:
            if comments or source.line_end(place) - line + len(method) > facts.edit.longest_line:
                return facts.edit.insert_after(statement, "  ".join([f"{name} = {name}{method}", *dict.fromkeys(comments)]))
    return None if comments else Edit(place, place, method)


def _removed(one: _Scaled, facts: Facts) -> list[gast.stmt]:
    """The statements that are taken away whole."""
    return [*one.others, *([one.first] if _goes(one, facts) else [])]


def _goes(one: _Scaled, facts: Facts) -> bool:
    """Is nothing left of `x = x.astype("float32") / 255`?"""
    assert isinstance(one.made.func, gast.Attribute)
    chain = chain_of(one.first.value, facts) or Chain(one.first.value, ())
    bytes_ = one.made.func.value
    return chain.base is one.made and isinstance(bytes_, gast.Name) and bytes_.id == one.use.id


def _comment_beside(statement: gast.stmt, facts: Facts) -> str:
    end = facts.source.span(statement).end
    return facts.source.text[end : facts.source.line_end(end)].strip()


def _is_told_of(statement: gast.stmt, facts: Facts) -> bool:
    """Does a comment stand above a statement?"""
    start = facts.source.line_start(facts.source.span(statement).start)
    above = facts.source.text[:start].splitlines()[-1:] or [""]
    return above[0].lstrip().startswith("#")


def _shown(end: gast.Call, facts: Facts) -> gast.AST | None:
    """Where a dataset is printed: `<_BatchDataset ...>` becomes `<_MapDataset ...>`. A notebook prints what is an expression alone."""
    match facts.parent(end):
        case gast.Assign(targets=[gast.Name() as target]):
            for use in _reads(target, facts):
                if isinstance(facts.parent(use), gast.Expr):
                    return facts.scopes.statement(use)
    return facts.once(shown_somewhere)


def _function(parts: list[gast.expr], scaled: dict[int, _Scaled], tf: str, facts: Facts) -> str:
    names = ["x", "y"][: len(parts)]
    values = [_formula(names[index], scaled[index].steps, tf, facts) if index in scaled else names[index] for index in range(len(parts))]
    whole = f"({', '.join(values)})" if len(parts) > 1 else values[0]
    return f"lambda {', '.join(names)}: {whole}"


def _formula(name: str, steps: tuple[Step, ...], tf: str, facts: Facts) -> str:
    text, binds = f"{tf}.cast({name}, {tf}.float32)", 14
    for step in steps:
        number = facts.source.text_of(step.number)
        right = f"({number})" if isinstance(step.number, gast.BinOp | gast.UnaryOp) else number
        level = _BINDING[step.operator]
        text, binds = f"{f'({text})' if binds < level else text} {step.operator} {right}", level
    return text
