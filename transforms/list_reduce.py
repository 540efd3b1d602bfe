"""Add up what a loop computes as it goes instead of keeping it in a list.

Before:  terms = []
         for i in range(256):
             terms.append(tf.sin(x + i))
         total = tf.add_n(terms)
After:   total = 0.0
         for i in range(256):
             total += tf.sin(x + i)

Also:    The same for `sum()`, `tf.reduce_sum`, `tf.reduce_mean` (a sum and a count), `tf.reduce_max` and `tf.reduce_min` of
         the list or its `tf.stack`. `sum([f(i) for i in items])` becomes `sum(f(i) for i in items)`. If the loop may have
         no iteration, or shapes may differ, the list is kept and reduced when it has grown: `terms = [tf.add_n(terms)]`.

Why:     The list keeps every element until it is reduced, and `tf.stack` copies all of them once more. For 256 elements of
         1 MiB: 270 MB for `tf.add_n` and 538 MB for the mean of a stack before, 3.2 MB after.
Safety:  - **Other readers.** Refused if anything but appends and the reduction uses the list: `terms[-1]`, a closure,
           `locals()`, a function that gets it. A global list may be read elsewhere.
         - **Elements.** Refused unless the elements are known to be tensors: a variable may change between `append` and
           `sum`, and `sum()` of Python floats rounds less than adding them.
         - **No iteration.** `sum([])` is 0, `tf.add_n([])` raises, and a mean of nothing is NaN. Refused if that result
           would be another one.
         - **Shapes.** `tf.add_n` raises for different shapes, `+` broadcasts. If the shapes aren't known to be the same,
           `tf.add_n` itself does the adding: `terms = [tf.add_n(terms)]`.
         - **Errors.** Refused if an error that comes some iterations earlier could be caught, or come before an effect:
           `try: ... except ValueError:` around the loop, `print(i)` in it.
         - **Order.** The sum runs from left to right; `tf.add_n` adds several at a time. Refused in `tf.float16` and
           `tf.bfloat16`: 0.51 off against 0.003 for 1000 numbers of `tf.bfloat16`.
         - **Mean of integers.** Refused: `tf.reduce_mean` of integers is rounded down.
         - **Equal elements.** `tf.reduce_max` shares its gradient among them, a running maximum gives half to the last.
           Refused for floats that may have a gradient, unless `--unsafe`.
         - **Tapes and graphs.** Refused unless the loop runs eagerly and under no `tf.GradientTape`: there a running sum
           needs more (203 MB for 136, with 64 elements), and in a graph as much (67 MB).
         - **No gain.** Refused for few or small elements, and for those that something else keeps: `kept.append(terms[i])`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import gast

from tfrewrite.analyses.appended_lists import (
    Collected,
    Iterations,
    beginnings,
    collected,
    eager_alone,
    follows,
    only_computes,
    outermost,
    steady,
    unclaimed,
)
from tfrewrite.codes import Code
from tfrewrite.edits import ATOM, PRODUCT
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import LOOPS, block_of, walk_within
from tfrewrite.kinds import INTEGERS, ITEM_BYTES, Kind
from tfrewrite.loops.comprehensions import as_loop
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_REDUCTIONS = {"reduce_sum": "sum", "reduce_mean": "mean", "reduce_max": "max", "reduce_min": "min"}
_RUNNING = {"sum": "total", "max": "largest", "min": "smallest", "count": "count", "mean": "total"}
_PAIRWISE = {"max": "maximum", "min": "minimum"}
_HALF = {"float16", "bfloat16"}
_LEAST_BYTES = 2**18  # of all members
_LEAST_MEMBER = 2**14
_FEWEST = 4  # a running sum holds the last one, what is added and the next one at once
_AS_THEY_COME = "the elements are added up as they are computed, and not kept in a list"
_CONTEXTS = {
    "in a graph": (Code.IN_GRAPH, "in a graph the loop is unrolled, and a running sum needs as much memory as the list"),
    "under a tape": (Code.UNDER_TAPE, "a gradient tape keeps every element, and with a running sum every sum too"),
    "unknown": (Code.IN_GRAPH, "it is not known to run eagerly and outside of gradient tapes: elsewhere a running sum gains nothing"),
}


@dataclass(frozen=True)
class _Reduction:
    """What is made of the members. `whole`: of all elements of each member too, and not element by element."""

    node: gast.expr
    operation: str
    """sum, mean, max, min, or count"""
    function: str
    """builtins.sum, add_n, reduce"""
    whole: bool
    text: str
    """The call, with `{}` for the list."""

    @property
    def running(self) -> tuple[str, bool]:
        """What has to be kept from iteration to iteration."""
        return "sum" if self.operation == "mean" and not self.whole else self.operation, self.whole


@transform(gast.Assign, gast.Call, fidelity=Fidelity.ROUNDING, mentions=("add_n", "sum(", "reduce_"))
def list_reduce(node: gast.Assign | gast.Call, facts: Facts) -> Outcome:
    if isinstance(node, gast.Call):
        return _comprehension(node, facts)
    if isinstance(node.value, gast.ListComp):
        return as_loop(node.value, facts, _of_loop, _is_named_and_reduced)
    for target, beginning in beginnings(node, facts):
        outcome = _list(target, beginning, facts)
        if outcome is not None:
            return outcome
    return None


def _of_loop(loop: gast.For | gast.While, facts: Facts) -> Outcome:
    """What is said of a comprehension that has a name, written as a loop below its empty list."""
    block = block_of(loop, facts.scopes.parents[loop])
    before = block[next(place for place, one in enumerate(block) if one is loop) - 1]
    match before:
        case gast.Assign(targets=[gast.Name() as target], value=gast.List() as beginning):
            return _list(target, beginning, facts)
    return None


def _is_named_and_reduced(comprehension: gast.ListComp, facts: Facts) -> bool:
    match facts.parent(comprehension):
        case gast.Assign(targets=[gast.Name() as target]):
            return _any_reduced(facts.scopes.names[target].uses.get(target.id, ()), facts)
    return False


def _any_reduced(uses: Sequence[gast.Name], facts: Facts) -> bool:
    return any((found := _reduction(use, facts)) is not None and found.operation != "count" for use in uses)


def _list(target: gast.Name, beginning: gast.expr, facts: Facts) -> Outcome:
    scope = facts.scopes.names[target]
    uses = scope.uses.get(target.id, [])
    if scope.bindings.get(target.id, [target])[0] is not target:
        return None  # said of the first one
    if not _any_reduced(uses, facts):
        return None
    grown = collected(target, beginning, facts)
    if isinstance(grown, Refusal):
        return grown if _grows_in_a_loop(uses, facts) else None
    iterations = [Iterations(call, outermost(call, grown.statement, facts), facts) for call in grown.appends]
    if not any(one.loops for one in iterations):
        return None
    kinds = [facts.kind(one) for one in grown.members]
    if all(kind.sort is Sort.NUMBER for kind in kinds):
        return None
    reductions = [(_reduction(use, facts), use) for use in grown.reads]
    known = [one for one, _ in reductions if one is not None]
    stacked = {one.function for one in known if one.operation != "count"} == {"reduce"}
    if refusal := _obstacle(grown, kinds, iterations, stacked, facts):
        return refusal
    tests = [use for one, use in reductions if one is None]
    if not all(_only_tested(use, facts) for use in tests):
        use = next(one for one in tests if not _only_tested(one, facts))
        return Refusal(use, Code.OTHER_NAMES, f"{grown.name} is also read elsewhere, and its elements are needed for that")
    return _reduced(grown, known, kinds, iterations, bool(tests), facts)


def _grows_in_a_loop(uses: Sequence[gast.Name], facts: Facts) -> bool:
    for use in uses:
        method = facts.parent(use)
        if (
            isinstance(method, gast.Attribute)
            and method.attr == "append"
            and any(isinstance(one, LOOPS) for one in facts.scopes.ancestors(use))
        ):
            return True
    return False


# What the list is read for


def _reduction(use: gast.AST, facts: Facts) -> _Reduction | None:
    call = facts.parent(use)
    if not isinstance(call, gast.Call) or call.func is use:
        return None
    function = facts.source.text_of(call.func)
    match facts.called(call), call:
        case "builtins.len", gast.Call(args=[_], keywords=[]):
            return _Reduction(call, "count", "len", False, "")
        case "builtins.sum", gast.Call(args=[_], keywords=[]):
            return _Reduction(call, "sum", "sum", False, "sum({})")
        case "tensorflow.add_n", gast.Call(args=[_], keywords=[]):
            return _Reduction(call, "sum", "add_n", False, f"{function}({{}})")
        case (("tensorflow.stack" | "tensorflow.convert_to_tensor"), _) if _stacks(call, use, facts):
            outer = _reduction_of(facts.parent(call), call, facts)
            return None if outer is None else _with_text(outer, f"{function}({{}})", facts)
    inner = _reduction_of(call, use, facts)
    return None if inner is None else _with_text(inner, "{}", facts)


def _stacks(call: gast.Call, use: gast.AST, facts: Facts) -> bool:
    """Does it only put the members one above the other?"""
    arguments = facts.arguments(call) or {}
    first = arguments.get("values", arguments.get("value"))
    return (
        first is use and set(arguments) <= {"values", "value", "axis"} and ("axis" not in arguments or _is_zero(arguments["axis"], facts))
    )


def _reduction_of(call: gast.AST | None, operand: gast.AST, facts: Facts) -> _Reduction | None:
    if not isinstance(call, gast.Call):
        return None
    operation = _REDUCTIONS.get((facts.called(call) or "").removeprefix("tensorflow."))
    arguments = facts.arguments(call)
    if operation is None or arguments is None or arguments.get("x") is not operand or not set(arguments) <= {"x", "axis"}:
        return None
    axis = arguments.get("axis")
    if axis is None or facts.kind(axis).sort is Sort.NONE:
        return _Reduction(call, operation, "reduce", True, "")
    return _Reduction(call, operation, "reduce", False, "") if _is_zero(axis, facts) else None


def _is_zero(node: gast.AST, facts: Facts) -> bool:
    value = facts.kind(node).value
    return value == 0 and isinstance(value, int) and not isinstance(value, bool)


def _with_text(reduction: _Reduction, members: str, facts: Facts) -> _Reduction:
    assert isinstance(reduction.node, gast.Call)
    axis = "" if reduction.whole else ", axis=0"
    text = f"{facts.source.text_of(reduction.node.func)}({members}{axis})"
    return _Reduction(reduction.node, reduction.operation, reduction.function, reduction.whole, text)


def _only_tested(use: gast.AST, facts: Facts) -> bool:
    """`if losses:`, `if not losses:`"""
    match facts.parent(use):
        case gast.UnaryOp(op=gast.Not()) as inverted:
            return _only_tested(inverted, facts)
        case gast.If(test=test) | gast.IfExp(test=test):
            return test is use
    return False


# Whether it may, and whether it pays


def _obstacle(grown: Collected, kinds: Sequence[Kind], iterations: Sequence[Iterations], stacked: bool, facts: Facts) -> Refusal | None:
    for place in (grown.statement, *grown.appends):
        if context := eager_alone(place, facts):
            return Refusal(grown.statement, *_CONTEXTS[context])
    for member, kind in zip(grown.members, kinds, strict=True):
        if kind.sort is not Sort.TENSOR:
            shown = facts.edit.short(member, "what is appended")
            return Refusal(
                member,
                Code.UNKNOWN_VALUE,
                f"{shown} is not known to be a tensor",
                "An annotation of the function that computes it, tf.Tensor, would do.",
            )
    # What is made of a stack of the members needs the stack too, whoever holds them.
    for call, iteration in zip(grown.appends, iterations, strict=True) if not stacked else ():
        if iteration.loops and not _is_fresh(call.args[0], iteration.loops[-1], facts):
            return Refusal(
                call, Code.NO_GAIN, f"something else may hold {facts.edit.short(call.args[0], 'what is appended')} too: nothing is gained"
            )
    return _too_small(grown.statement, kinds, [one.number for one in iterations], len(grown.firsts))


def _too_small(node: gast.AST, kinds: Sequence[Kind], numbers: Sequence[int | None], more: int) -> Refusal | None:
    known = [number for number in numbers if number is not None]
    count = sum(known) + more if len(known) == len(numbers) else None
    if count is not None and count < _FEWEST:
        return Refusal(node, Code.TOO_SMALL, f"{count} elements are too few to matter")
    each = [kind.size * ITEM_BYTES.get(kind.dtype or "", 4) if kind.size is not None else None for kind in kinds]
    sizes = [size for size in each if size is not None]
    if len(sizes) == len(each) and (max(sizes) < _LEAST_MEMBER or (count is not None and count * max(sizes) < _LEAST_BYTES)):
        return Refusal(node, Code.TOO_SMALL, "the elements are too small to matter")
    return None


def _is_fresh(value: gast.AST, loop: gast.AST, facts: Facts) -> bool:
    """Is a value's memory its own, so that dropping it frees something?"""
    match value:
        case gast.BinOp() | gast.UnaryOp() | gast.Compare():
            return True
        case gast.IfExp(body=body, orelse=orelse):
            return _is_fresh(body, loop, facts) and _is_fresh(orelse, loop, facts)
        case gast.Call() if (row := facts.op(value)).is_view or row.name == "cast":
            arguments = facts.arguments(value) or {}
            first = arguments.get("x", arguments.get("value"))
            return first is not None and _is_fresh(first, loop, facts)
        case gast.Call():
            return True
        case gast.Subscript(value=whole):
            return _is_fresh(whole, loop, facts)
        case gast.Name():
            given = facts.flow.definitions(value) or []
            return bool(given) and all(_given_fresh(one, loop, facts) for one in given)
    return False


def _given_fresh(name: gast.AST, loop: gast.AST, facts: Facts) -> bool:
    """Is a name given something new in each iteration of the loop?"""
    if not any(one is loop for one in facts.scopes.ancestors(name)):
        return False
    match facts.parent(name):
        case gast.Assign(value=value):
            return not isinstance(value, gast.Name) and _is_fresh(value, loop, facts)
        case gast.AugAssign():
            return True
        case gast.Tuple() as names:
            unpacking = facts.parent(names)
            return isinstance(unpacking, gast.Assign) and isinstance(unpacking.value, gast.Call)
    return False


# The two ways to write it


def _reduced(
    grown: Collected, reductions: Sequence[_Reduction], kinds: Sequence[Kind], iterations: Sequence[Iterations], tested: bool, facts: Facts
) -> Rewrite | Refusal:
    loops = [loop for one in iterations for loop in one.loops]
    alike = steady(kinds, loops)
    dtype = kinds[0].dtype
    plain = {one.function for one in reductions} <= {"sum", "len"}
    if dtype in ("bool", "string"):
        return Refusal(grown.statement, Code.RAISES, f"{dtype} can't be added up, and the error would come earlier")
    if dtype is None and not plain:
        return Refusal(
            grown.statement,
            Code.UNKNOWN_DTYPE,
            "the dtype of the elements is not known, and in half precision a running sum is far less exact",
        )
    if dtype in _HALF and not plain:
        return Refusal(grown.statement, Code.PRECISION, f"a long running sum of {dtype} is far less exact than TensorFlow's own")
    if any(one.operation == "mean" for one in reductions) and dtype in INTEGERS:
        return Refusal(grown.statement, Code.PRECISION, "a mean of integers is rounded down, which a sum and a division are not")
    if not alike and any(one.guarded for one in iterations):
        return Refusal(
            grown.statement, Code.UNKNOWN_SHAPE, "what is appended may differ in shape, and the error of a sum might be caught on its way"
        )
    if not alike and not only_computes(grown.between, facts):
        return Refusal(
            grown.statement,
            Code.UNKNOWN_SHAPE,
            "what is appended is not known to have one shape and dtype, and the error of a sum that doesn't fit would come before what later iterations do",
        )
    running = None if tested else _running(grown, reductions, kinds, iterations, plain, alike, facts)
    written = running or _folded(grown, reductions, facts)
    compared = [one.operation for one in reductions if one.operation in _PAIRWISE]
    if isinstance(written, Rewrite) and compared and not all(kind.fixed for kind in kinds):
        doubt = f"where elements are equal, tf.reduce_{compared[0]} shares its gradient out among them otherwise than a running one does"
        return replace(written, evidence=Evidence.UNPROVEN, doubt=Refusal(written.node, Code.GRADIENTS, doubt))
    return written


def _running(
    grown: Collected,
    reductions: Sequence[_Reduction],
    kinds: Sequence[Kind],
    iterations: Sequence[Iterations],
    plain: bool,
    alike: bool,
    facts: Facts,
) -> Rewrite | None:
    """`total = 0.0` and `total += x`, where that means the same."""
    kept = list(dict.fromkeys(one.running for one in reductions if one.operation != "count"))
    turned = any((one.number or 0) > 0 for one in iterations)
    some = turned or bool(grown.firsts)
    if grown.firsts and not turned and {one.function for one in reductions} != {"add_n"}:
        return None  # of a single member tf.add_n returns that very tensor, the others make a new one
    tf = facts.tensorflow(grown.statement)
    dtype = kinds[0].dtype
    if not plain and not (alike and (some or _starts_like_nothing(reductions, dtype))):
        return None
    if tf is None or len(grown.firsts) > 1 or (len(grown.appends) > 1 and len(kept) > 1):
        return None
    if any(operation in _PAIRWISE for operation, _ in kept) and dtype not in ("float32", "float64"):
        return None
    if len(kept) > 1 and not all(isinstance(call.args[0], gast.Name) for call in grown.appends):
        return None
    if any(isinstance(call.args[0], gast.NamedExpr) for call in grown.appends) or (grown.firsts and any(whole for _, whole in kept)):
        return None
    count = _count(grown, iterations, facts) if any(one.operation in ("mean", "count") for one in reductions) else ""
    results = {running: found for running in kept if (found := _result(grown, reductions, running, facts)) is not None}
    names: dict[tuple[str, bool], str] = {}
    for running in (*kept, *((("count", False),) if count == "count" else ())):
        if running in results:
            names[running] = results[running].targets[0].id
        else:
            wanted = [one for one in _names_for(_RUNNING[running[0]], grown) if one not in names.values()]
            names[running] = unclaimed(wanted, grown.target, facts)
    if count == "count":
        count = names["count", False]
    edits = _beginning(grown, names, some, plain, dtype, tf, facts)
    for call in grown.appends:
        step = _step(call, names, reductions, tf, facts)
        if step is None:
            return None
        edits += step
    for reduction in reductions:
        result = results.get(reduction.running)
        if result is not None and result.value is reduction.node:
            removal = facts.edit.delete_statement(result)
            assert removal is not None
            edits += removal
        elif reduction.operation == "count":
            edits += facts.edit.rebuild(reduction.node, [count])
        elif reduction.operation == "mean":
            edits += facts.edit.rebuild(reduction.node, [f"{names[reduction.running]} / {count}"], PRODUCT)
        else:
            edits += facts.edit.rebuild(reduction.node, [names[reduction.running]], ATOM)
    reason = f"the elements of {grown.name} are {_verb(kept)} as they are computed, and not kept until the end"
    exact = dtype in INTEGERS or (plain and not grown.firsts)
    fidelity = Fidelity.BITWISE if {one for one, _ in kept} == {"sum"} and exact else Fidelity.ROUNDING
    rounded = tuple(one.node for one in reductions if one.operation not in ("max", "min", "count"))
    region = (grown.statement, grown.between[-1])
    return Rewrite(grown.statement, tuple(edits), reason, fidelity, region=region, rounded=rounded)


def _verb(kept: Sequence[tuple[str, bool]]) -> str:
    return "added up" if all(operation not in _PAIRWISE for operation, _ in kept) else "reduced"


def _starts_like_nothing(reductions: Sequence[_Reduction], dtype: str | None) -> bool:
    """Is a running tensor of float32 what TensorFlow makes of no members at all?"""
    return dtype == "float32" and {one.function for one in reductions} <= {"reduce", "len"}


def _beginning(
    grown: Collected, names: dict[tuple[str, bool], str], some: bool, plain: bool, dtype: str | None, tf: str, facts: Facts
) -> list[Edit]:
    edits = []
    texts = [(name, _start(running, grown, some, plain, dtype, tf, facts)) for running, name in names.items()]
    (first, start), *others = texts
    for node, text in ((grown.target, first), (grown.beginning, start)):
        span = facts.edit.outer_span(node) if node is grown.beginning else facts.source.span(node)
        edits.append(Edit(span.start, span.end, text))
    more = _lines([f"{name} = {text}" for name, text in others], grown.statement, facts)
    return edits if more is None else [*edits, more]


def _start(running: tuple[str, bool], grown: Collected, some: bool, plain: bool, dtype: str | None, tf: str, facts: Facts) -> str:
    operation, _ = running
    if operation == "count":
        return str(len(grown.firsts))
    if grown.firsts:
        return facts.source.text_of(grown.firsts[0])
    zero = "0.0" if dtype is not None and dtype.startswith("float") and (some or not plain) else "0"
    text = {"max": 'float("-inf")', "min": 'float("inf")'}.get(operation, zero)
    return text if plain or some else f"{tf}.constant({text})"


def _step(
    call: gast.Call, names: dict[tuple[str, bool], str], reductions: Sequence[_Reduction], tf: str, facts: Facts
) -> list[Edit] | None:
    """What takes the place of `losses.append(x)`."""
    member = call.args[0]
    functions = {one.running: facts.source.text_of(one.node.func) for one in reductions if isinstance(one.node, gast.Call)}
    (first, name), *others = names.items()
    before, after = _update(first, name, functions, tf)
    edits = _in_place(call, before, after, facts)
    lines = []
    for running, other in others:
        if running[0] == "count":
            lines.append(f"{other} += 1")
        else:
            before, after = _update(running, other, functions, tf)
            lines.append(f"{before}{facts.source.text_of(member)}{after}")
    if not lines:
        return edits
    more = _lines(lines, facts.scopes.statement(call), facts)
    return None if more is None else [*edits, more]


def _in_place(call: gast.Call, before: str, after: str, facts: Facts) -> list[Edit]:
    member = call.args[0]
    span, place, source = facts.edit.outer_span(member), facts.source.span(call), facts.source
    if source.line_of(place.start) == source.line_of(span.start):
        return list(facts.edit.rebuild(call, [before, (member, 1 if after else 0), *([after] if after else [])]))
    # Between its brackets the call keeps its lines, with the comments that stand there.
    opening, closing = source.next_token(facts.edit.outer_span(call.func).end), source.next_token(span.end)
    assert opening is not None and closing is not None
    edits = [Edit(place.start, opening.end, before.rstrip() if after else f"{before}(")]
    edits += [Edit(place.end, place.end, after[1:])] if after[1:] else []
    return [*edits, Edit(closing.start, closing.end)] if closing.string == "," and not after else edits


def _update(running: tuple[str, bool], name: str, functions: dict[tuple[str, bool], str], tf: str) -> tuple[str, str]:
    operation, whole = running
    inner, closing = (f"{functions[running]}(", ")") if whole else ("", "")
    if operation not in _PAIRWISE:
        return f"{name} += {inner}", closing
    return f"{name} = {tf}.{_PAIRWISE[operation]}({name}, {inner}", f"){closing}"


def _lines(lines: Sequence[str], statement: gast.stmt, facts: Facts) -> Edit | None:
    """New lines after a statement."""
    if not lines:
        return None
    indentation = facts.source.indentation(facts.source.span(statement).start)
    return facts.edit.insert_after(statement, f"{facts.source.newline}{indentation}".join(lines))


def _count(grown: Collected, iterations: Sequence[Iterations], facts: Facts) -> str:
    """The number of members as the loop's header says it, or "count"."""
    match iterations, grown.between[0]:
        case [one], gast.For(iter=iterable) if one.number and len(one.loops) == 1 and not grown.firsts:
            return _length(iterable, facts) or "count"
        case [one], gast.For(iter=gast.Name(id=name) as rows) if len(one.loops) == 1 and not grown.firsts:
            owner = facts.scopes.names[rows].lookup(name)
            if facts.kind(rows).sort is Sort.LIST and owner is not None and facts.mutation.never_changed(name, owner):
                return f"len({name})"
    return "count"


def _length(iterable: gast.AST, facts: Facts) -> str | None:
    """The `n` of `range(n)`, where that is written so that it can be repeated."""
    match iterable:
        case gast.Call(args=[gast.Constant(value=int(number))], keywords=[]) if facts.called(iterable) == "builtins.range":
            return str(number)
        case gast.Call(args=[gast.Name(id=name) as bound], keywords=[]) if facts.called(iterable) == "builtins.range":
            owner = facts.scopes.names[bound].lookup(name)
            once = owner is not None and len(owner.bindings[name]) == 1 and name not in owner.shared
            return str(name) if once else None
    return None


def _result(grown: Collected, reductions: Sequence[_Reduction], running: tuple[str, bool], facts: Facts) -> gast.Assign | None:
    """The `total = tf.add_n(losses)` whose name the running sum can have from the beginning."""
    match [one for one in reductions if one.running == running]:
        case [_Reduction(operation="sum" | "max" | "min", node=node)]:
            statement = facts.parent(node)
        case _:
            return None
    match statement:
        case gast.Assign(targets=[gast.Name(id=name) as target], value=value) if value is node and statement in grown.between:
            scope = facts.scopes.names[target]
            own = scope.lookup(name) is scope and name not in scope.shared and scope.bindings[name] == [target]
            inner = any(name in one.uses for one in scope.below())
            caught = any(isinstance(one, gast.Try | gast.TryStar | gast.With) for one in facts.scopes.ancestors(statement))
            region = facts.edit.region_span(grown.statement, statement)
            early = any(facts.source.span(use) in region for use in scope.uses.get(name, ()))
            early = early or (_repeats(statement, facts) and not _read_after(name, statement, facts))
            if own and not inner and not caught and not early and facts.edit.delete_statement(statement) is not None:
                return statement
    return None


def _repeats(statement: gast.stmt, facts: Facts) -> bool:
    return any(isinstance(one, LOOPS) for one in facts.scopes.ancestors(statement))


def _read_after(name: str, statement: gast.stmt, facts: Facts) -> bool:
    """Is a name read only in later statements of the block? A loop around it may else show the last iteration's value."""
    scope = facts.scopes.names[statement.targets[0]]
    return all(follows(use, statement, facts) for use in scope.uses.get(name, ()))


def _names_for(wanted: str, grown: Collected) -> tuple[str, ...]:
    return wanted, f"{wanted}_of_{grown.name}"


def _folded(grown: Collected, reductions: Sequence[_Reduction], facts: Facts) -> Rewrite | Refusal:
    """`losses = [tf.add_n(losses)]` after each append: errors, and what becomes of no members, stay what they are."""
    texts = {one.text for one in reductions}
    first = reductions[0]
    if len(texts) > 1 or first.operation not in ("sum", "max", "min") or first.whole:
        return Refusal(
            grown.statement,
            Code.UNKNOWN_COUNT,
            f"{grown.name} may be empty, or its elements may differ in shape or dtype, and what is made of it then can't be kept by a running sum",
            "Say how many iterations there are, and the shape and dtype of the elements.",
        )
    edits = []
    for call in grown.appends:
        line = facts.edit.insert_after(facts.scopes.statement(call), f"{grown.name} = [{first.text.format(grown.name)}]")
        if line is None:
            return Refusal(call, Code.LAYOUT, f"{grown.name}.append shares its line with another statement")
        edits.append(line)
    verb = "added up" if first.operation == "sum" else "reduced"
    reason = f"the elements of {grown.name} are {verb} as they are computed: one is kept instead of all"
    rounded = tuple(one.node for one in reductions) if first.operation == "sum" else ()
    return Rewrite(grown.statement, tuple(edits), reason, region=(grown.statement, grown.between[-1]), rounded=rounded)


# Comprehensions


def _comprehension(call: gast.Call, facts: Facts) -> Outcome:
    """`sum([f(i) for i in items])`: the brackets alone make a list of it."""
    match call:
        case gast.Call(args=[gast.ListComp() as members, *_]):
            pass
        case _:
            return None
    reduction = _reduction(members, facts)
    if reduction is None or reduction.operation == "count":
        return None
    kind = facts.kind(members.elt)
    if kind.sort is Sort.NUMBER:
        return None
    if any(generator.is_async for generator in members.generators) or any(
        isinstance(one, gast.Await | gast.Yield | gast.YieldFrom) for one in walk_within(members)
    ):
        return None
    scope = facts.scopes.of[members].parent
    if scope is None or facts.names.of_name("sum", scope) != "builtins.sum":
        return Refusal(call, Code.NAME_TAKEN, "sum is something else here")
    if _may_stop(members, facts):
        return Refusal(call, Code.RAISES, "next() may raise StopIteration, which a generator turns into another error")
    if context := eager_alone(call, facts):
        return Refusal(call, *_CONTEXTS[context])
    if kind.sort is not Sort.TENSOR:
        return Refusal(members.elt, Code.UNKNOWN_VALUE, f"{facts.edit.short(members.elt, 'each element')} is not known to be a tensor")
    if not _is_fresh(members.elt, members, facts):
        return Refusal(
            call, Code.NO_GAIN, f"something else may hold {facts.edit.short(members.elt, 'each element')} too: nothing is gained"
        )
    iterations = Iterations(members.elt, members, facts)
    if refusal := _too_small(call, [kind], [iterations.number], 0):
        return refusal
    alike = steady([kind], [members])
    if reduction.function == "sum":
        if not alike and not only_computes([gast.Expr(value=members)], facts):
            return Refusal(
                call,
                Code.UNKNOWN_SHAPE,
                "the elements are not known to have one shape and dtype, and an error would come before what later iterations do",
            )
        return Rewrite(reduction.node, _bare(members, "sum({})", reduction, facts), _AS_THEY_COME, Fidelity.BITWISE)
    if kind.dtype in _HALF or reduction.operation in _PAIRWISE or reduction.whole and kind.rank != 0:
        if kind.dtype in _HALF:
            return Refusal(call, Code.PRECISION, "a running sum would be far less exact")
        return Refusal(call, Code.FORM, "Python's sum() is no substitute for it")
    if not alike or kind.dtype is None or not iterations.number:
        return Refusal(
            call,
            Code.UNKNOWN_COUNT,
            "the elements are not known to be some, of one shape and dtype, and what becomes of others can't be kept by a running sum",
            "Say how many iterations there are, and the shape and dtype of the elements.",
        )
    if reduction.operation == "mean":
        if kind.dtype in INTEGERS:
            return Refusal(call, Code.PRECISION, "a mean of integers is rounded down, which a sum and a division are not")
        text, precedence = f"sum({{}}) / {_length(members.generators[0].iter, facts) or iterations.number}", PRODUCT
    else:
        text, precedence = "sum({})", ATOM
    return Rewrite(reduction.node, _bare(members, text, reduction, facts, precedence), _AS_THEY_COME)


def _bare(members: gast.ListComp, text: str, reduction: _Reduction, facts: Facts, precedence: int = ATOM) -> tuple[Edit, ...]:
    """Put `sum(f(i) for i in items)` in the place of the reduction, keeping what stands between the brackets."""
    span, place = facts.source.span(members), facts.edit.outer_span(reduction.node)
    before, after = text.split("{}")
    if precedence < facts.edit.needed(reduction.node):
        before, after = f"({before}", f"{after})"
    return Edit(place.start, span.start + 1, before), Edit(span.end - 1, place.end, after)


def _may_stop(members: gast.ListComp, facts: Facts) -> bool:
    """May a member raise StopIteration, itself or in a function of this file that it calls?"""
    calls = any(facts.called(one) == "builtins.next" for one in walk_within(members))
    own = any(isinstance(one, gast.Call) and facts.function_called(one) is not None for one in walk_within(members))
    stopping = any(getattr(one, "id", "") in ("StopIteration", "next") for one in facts.nodes((gast.Name,)))
    return calls or (own and stopping)
