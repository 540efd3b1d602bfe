"""Pass a number that differs from call to call to a compiled function as a tensor.

Before:  @tf.function
         def decayed(x, rate):
             return x * rate

         for step in range(300):
             y = decayed(x, 0.99**step)
After:   @tf.function
         def decayed(x, rate):
             return x * rate

         for step in range(300):
             y = decayed(x, tf.constant(0.99**step, tf.float32))

Also:    If the size of a tensor differs, the decorator becomes `@tf.function(reduce_retracing=True)`.

Why:     A `tf.function` is traced again for every Python number that it has not seen, and keeps each graph; of a tensor
         only dtype and shape count. `tf.tanh(x * k) + x` for 300 values of `k`: 300 traces and 35.7 MB kept, one trace
         and 0.3 MB after; a warm call takes as much memory as before and no more time. 299 sizes of `x[:i]`: 299 traces
         and 39.5 MB, two and 1.6 MB after; warm calls take the same for elementwise operations, reductions and products.
         Each value takes 0.1 MB, so fewer than 5 values are left alone.
Safety:  - **Dtype.** The tensor gets the dtype of what it meets. Refused if that isn't known (`x: tf.Tensor`), or if `k`
           meets two dtypes: `x * k` of float32 and `n + k` of int32.
         - **Own dtype.** Refused if `k` is returned, or in `tf.maximum(k, x)`, which raises unless `x` has the dtype that
           a number has of its own.
         - **Python number needed.** Refused for `if k > 3`, `range(k)`, `tf.zeros([k])`, `f"{k}"`, `layers[k]`, `k is None`
           and `x[k]`.
         - **Arithmetic.** Python computes `1 - k` with 53 bits: 0.9999999 leaves 1e-7, in float32 1.19e-7. Refused except
           for `k / 10`, `0.1 * k` and, with an int, `k + 1`.
         - **Optimized graphs.** Refused for `x ** k` (0.5 becomes a root), `(x + k) - k` (becomes `x`) and
           `tf.cos(k * tf.range(1000.))`, which a graph computes once a trace.
         - **Shared traces.** Refused if one call passes `1` and another `1.0`: they share a trace, and `k` may be either.
         - **Effects while tracing.** Refused if the function prints, appends, sets `self.calls`, reads what changes, or
           draws from `tf.random`. `--unsafe` assumes that an unknown layer does none of this.
         - **Unknown sizes.** For `reduce_retracing` refused if `x.shape[0]`, `len(x)`, `tf.unstack(x)` or `for row in x`
           needs the size, and under XLA, which compiles for each size anyway.
         - **Errors.** A graph of any size raises another error for `x[5]`, `x + w` and `tf.matmul(x, w)`: refused unless
           they are known to fit, or if a `try` or `with` is around a call.
         - **Tapes.** Refused under a tape that the file shows: the gradient of the number would be computed too (24 MB for
           16, with `x` of 4 MB).
         - **Counted traces.** Refused if the file asks how often a function was traced, as
           `decayed.experimental_get_tracing_count()` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import gast

from tfrewrite.analyses.call_places import Turning, arguments, as_called_here, functions_of, loops_around, names_read, owner_of
from tfrewrite.analyses.numbers_into_tensors import EVERYTHING, Handing, Interval, Number, handed_to
from tfrewrite.analyses.shape_errors import misfitting
from tfrewrite.analyses.trace_effects import why_shapes_count, why_traces_count
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import Function, walk_within
from tfrewrite.kinds import FLOATS, Kind, Symbol, tensor
from tfrewrite.loops.numbers import COUNTER_BELOW, Numbers
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform
from tfrewrite.rounding.operations import Backend, changed, changed_by_numbers

_LEAST_VALUES = 5  # 0.51 -> 0.09 MB kept; TensorFlow itself warns of retracing from the fifth on

_LETS_ERRORS_THROUGH = {"builtins.open"} | {
    f"tensorflow.{name}" for name in ("device", "name_scope", "GradientTape", "control_dependencies", "init_scope")
}
_TENSORS = (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY)


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("function",))
def retraced_argument(call: gast.Call, facts: Facts) -> Outcome:
    iterations = list(loops_around(call, facts))
    if not iterations or not (call.args or call.keywords) or (found := _function(call, facts)) is None:
        return None
    function, of_object = found
    if facts.mode(call) is Mode.GRAPH or facts.callers.may_have_signature(function):
        return None
    varying = [one for one in arguments(call) if facts.kind(one).sort is Sort.NUMBER and _varies(one, iterations, facts)]
    if not varying:
        return _of_shapes(call, function, iterations, facts)
    shown = facts.edit.short(call.func)
    tensorflow = facts.tensorflow(call)
    if tensorflow is None:
        return not_imported(call, "so tf.constant can't be called")
    for argument in varying:
        if (count := _values(argument, iterations, facts)) is not None and count < _LEAST_VALUES:
            return Refusal(argument, Code.TOO_SMALL, f"{count} values are too few: each takes a tenth of a megabyte")
    here = as_called_here(call, function, of_object, facts)
    edits: list[Edit] = []
    dtypes = []
    for argument in varying:
        dtype = _dtype(argument, call, function, of_object, iterations, facts, here)
        if isinstance(dtype, Refusal):
            return dtype.at(argument)
        dtypes.append(dtype)
        edits += facts.edit.rebuild(argument, [f"{tensorflow}.constant(", (argument, 0), f", {tensorflow}.{dtype})"])
    if refusal := _other_reason(call, dtypes, facts):
        return refusal
    names = " and ".join(facts.edit.short(one, "its argument") for one in varying)
    reason = f"{shown} is traced once, not for every value of {names}"
    trace = why_traces_count(function, here)
    if trace is not None and trace.certain:
        return Refusal(call, trace.why.code, f"{shown} would be traced once only: {trace.why.reason}")
    doubt = trace.why if trace is not None else _may_be_tensor(call, varying, iterations, facts)
    if doubt:
        return Rewrite(call, tuple(edits), reason, evidence=Evidence.UNPROVEN, doubt=doubt)
    handed = [handed_to(call, one, function, of_object) for one in varying]
    numbers = {one.id: facts.kind(argument).dtype or "" for one, argument in zip(handed, varying, strict=True) if one is not None}
    backend = Backend.XLA if _is_compiled(function, facts) else Backend.GRAPH
    rounded, beyond = changed_by_numbers([function], here, backend, numbers)
    if beyond is not None:
        return beyond.saying(f"{facts.edit.short(beyond.node, 'an operation')}: {beyond.reason}")
    zeros = any(_may_be_zero(one, iterations, facts) for one in varying)
    signs_zero = tuple(_sums(function, numbers, facts)) if zeros else ()
    return Rewrite(call, tuple(edits), reason, rounded=rounded, among=here, signs_zero=signs_zero)


def _function(call: gast.Call, facts: Facts) -> tuple[Function, bool] | None:
    """The compiled function of this file that is called, and whether it is a method of an object."""
    if (function := facts.contexts.compiled_function(call.func)) is not None:
        return (function, False) if facts.callers.plainly_decorated(function) else None
    match call.func:
        case gast.Attribute(value=value, attr=attr):
            method = facts.callers.method_of(facts.kind(value).instance, attr)
            if method is not None and facts.callers.plainly_decorated(method) and facts.contexts.makes_graph(method):
                return method, True
    return None


def _is_compiled(function: Function, facts: Facts) -> bool:
    first = function.body if isinstance(function, gast.Lambda) else function.body[0]
    return facts.contexts.compiled_by_xla(first)


def _sums(function: Function, numbers: Mapping[str, str], facts: Facts) -> Iterator[gast.AST]:
    """What adds such a number: of a constant 0 a graph makes nothing, and -0.0 + 0.0 is 0.0."""
    for node in walk_within(function):
        match node:
            case gast.BinOp(left=left, right=right):
                operands = [left, right]
            case gast.Call(args=args):
                operands = args
            case _:
                continue
        if facts.op(node).adds and any(isinstance(one, gast.Name) and one.id in numbers for one in operands):
            yield node


def _may_be_zero(argument: gast.expr, loops: list[Turning], facts: Facts) -> bool:
    low, high = _bounds(argument, loops, facts)
    return low <= 0 <= high


# What varies, and how often


def _given_in(name: gast.Name, loop: Turning, facts: Facts) -> list[gast.AST]:
    """The places inside of a loop that give a name its value."""
    owner = owner_of(name, facts)
    inside = [] if owner is None else owner.bindings[name.id]
    return [one for one in inside if any(ancestor is loop for ancestor in facts.scopes.ancestors(one))]


def _varies(argument: gast.AST, loops: list[Turning], facts: Facts) -> bool:
    return any(_given_in(name, loop, facts) for name in names_read(argument) for loop in loops)


def _values(argument: gast.AST, loops: list[Turning], facts: Facts) -> int | None:
    """How many values an argument has at most, where the text says so."""
    match argument:
        case gast.BinOp(op=gast.Mod(), right=gast.Constant(value=int(value))):
            return abs(value)
    count = 1
    for loop in loops:
        given = [one for name in names_read(argument) for one in _given_in(name, loop, facts)]
        inner = [one for one in loops if one is not loop and any(above is loop for above in facts.scopes.ancestors(one))]
        own = [one for one in given if not any(above in inner for above in facts.scopes.ancestors(one))]
        if own:
            iterations = _iterations(loop, facts)
            if iterations is None:
                return None
            count *= iterations
    return count


def _iterations(loop: Turning, facts: Facts) -> int | None:
    if isinstance(loop, gast.While):
        return None
    return _length(loop.iter, facts)


def _length(iterable: gast.AST, facts: Facts) -> int | None:
    arguments = iterable.args if isinstance(iterable, gast.Call) else []
    match facts.called(iterable):
        case "builtins.range":
            values = [facts.kind(one).value for one in arguments]
            numbers = [one for one in values if isinstance(one, int)]
            return len(range(*numbers)) if len(numbers) == len(values) and numbers[2:] != [0] else None
        case "builtins.enumerate" | "builtins.reversed" | "builtins.zip" if arguments:
            lengths = [_length(one, facts) for one in arguments[: None if facts.called(iterable) == "builtins.zip" else 1]]
            return min((one for one in lengths if one is not None), default=None)
    items = facts.kind(iterable).items
    return None if items is None else len(items)


# Which dtype


def _dtype(
    argument: gast.expr, call: gast.Call, function: Function, of_object: bool, loops: list[Turning], facts: Facts, here: Facts
) -> str | Refusal:
    kind, shown = facts.kind(argument), facts.edit.short(argument, "the argument")
    if kind.dtype not in ("int", "float"):
        if kind.dtype == "bool":
            return Refusal(argument, Code.PYTHON_NUMBER, f"{shown} can't be a tensor: a bool decides what is built")
        reason = f"{shown} can't be a tensor: it is not known to be an int in all iterations, or a float in all"
        return Refusal(argument, Code.UNKNOWN_DTYPE, reason)
    parameter = handed_to(call, argument, function, of_object)
    if parameter is None:
        return Refusal(argument, Code.UNKNOWN_CALL, f"which parameter {shown} is for is not known")
    handing = Handing(here, function)
    number = Number(kind.dtype, _bounds(argument, loops, facts))
    if (refusal := handing.read(parameter, function, number) or handing.folded()) is not None:
        return refusal
    if handing.keeps_type and (other := _of_another_type(kind.dtype, parameter, call, function, facts)) is not None:
        shares = (
            f"{facts.edit.short(other, 'it')} of another call is of another type, and 1 and 1.0 share a trace: {parameter.id} may be either"
        )
        return Refusal(argument, Code.OTHER_DTYPE, shares)
    return handing.dtype(number)


def _of_another_type(type_: str, parameter: gast.Name, call: gast.Call, function: Function, facts: Facts) -> gast.expr | None:
    for each in _calls(function, facts) or ():
        for argument in arguments(each) if each is not call else ():
            kind = facts.kind(argument)
            of_object = isinstance(each.func, gast.Attribute)
            if handed_to(each, argument, function, of_object) is parameter and kind.sort is Sort.NUMBER and kind.dtype != type_:
                return argument
    return None


def _calls(function: Function, facts: Facts) -> list[gast.Call] | None:
    """Every call that the file shows of a function, or of methods of its name; None where it is handed on."""
    if facts.callers.is_method(function):
        named = [one for one in facts.nodes([gast.Attribute]) if getattr(one, "attr", "") == getattr(function, "name", "")]
        found = [parent for one in named if isinstance(parent := facts.parent(one), gast.Call) and parent.func is one]
        return found if len(found) == len(named) else None
    references = facts.callers.references(function)
    calls = [one.call for one in references if one.call is not None]
    if any(not one.direct and facts.called(one.call) != "tensorflow.function" for one in references if one.call) or len(calls) < len(
        references
    ):
        return None
    return [one.call for one in references if one.direct and one.call is not None]


def _bounds(argument: gast.expr, loops: list[Turning], facts: Facts) -> Interval:
    """Between which numbers an argument lies."""
    bounds: dict[str, Interval] = {}
    for name in names_read(argument):
        for loop in loops:
            given = _given_in(name, loop, facts)
            if given and name.id not in bounds:
                bounds[name.id] = _bounds_of(given, loop, facts)
    return Numbers(facts, "", {}, bounds).interval(argument)


def _bounds_of(given: list[gast.AST], loop: Turning, facts: Facts) -> Interval:
    """A counter, or the index of a range, is taken to go no further than a million."""
    counted = (-float(COUNTER_BELOW), float(COUNTER_BELOW))
    match given, loop:
        case [gast.Name() as target], gast.For() | gast.comprehension() if facts.parent(target) is loop:
            return _elements(loop.iter, facts)
        case [gast.Name() as target], gast.For(target=gast.Tuple(elts=[first, _]), iter=gast.Call(args=[_]) as header) if first is target:
            if facts.called(header) == "builtins.enumerate":
                return 0.0, float(COUNTER_BELOW)
    if all(isinstance(one := facts.parent(place), gast.AugAssign) and _is_step(one, facts) for place in given):
        return counted
    return EVERYTHING


def _is_step(statement: gast.AugAssign, facts: Facts) -> bool:
    value = facts.kind(statement.value).value
    return isinstance(statement.op, gast.Add | gast.Sub) and isinstance(value, int) and abs(value) <= 1


def _elements(iterable: gast.AST, facts: Facts) -> Interval:
    if facts.called(iterable) == "builtins.range" and isinstance(iterable, gast.Call):
        values = [facts.kind(one).value for one in iterable.args]
        numbers = [float(one) for one in values if isinstance(one, int)]
        if len(numbers) == len(values):
            low, high = (0.0, numbers[0]) if len(numbers) == 1 else (min(numbers[:2]), max(numbers[:2]))
            return low, high - (1 if len(numbers) < 3 and high > low else 0)
        start = values[0] if len(values) > 1 else 0
        return min(float(start), 0.0) if isinstance(start, int) else -float(COUNTER_BELOW), float(COUNTER_BELOW)
    items = [one.value for one in facts.kind(iterable).items or ()]
    numbers = [float(one) for one in items if isinstance(one, int | float)]
    return (min(numbers), max(numbers)) if numbers and len(numbers) == len(items) else EVERYTHING


# Tensors of another size in every iteration


def _of_shapes(call: gast.Call, function: Function, iterations: list[Turning], facts: Facts) -> Outcome:
    sized = next((one for one in arguments(call) if (count := _sizes(one, iterations, facts)) is None or count >= _LEAST_VALUES), None)
    place = _where_compiled(call, function, facts)
    if sized is None or place is None:
        return None
    shown, name = facts.edit.short(sized, "its argument"), facts.edit.short(call.func)
    settings = {one.arg for one in place.keywords} if isinstance(place, gast.Call) else set()
    if "reduce_retracing" in settings:
        return None
    if settings - {"autograph"}:
        reason = f"{name} is compiled with settings of its own" + (
            ", and XLA compiles each size anyway" if "jit_compile" in settings else ""
        )
        return Refusal(call, Code.FORM, reason)
    calls = _calls(function, facts)
    if calls is None:
        return Refusal(call, Code.CALLERS_UNKNOWN, f"{name} is passed on, and may be called with tensors of another rank")
    if any(_errors_are_looked_at(each, facts, frozenset()) for each in calls):
        return Refusal(call, Code.RAISES, "errors of its calls are looked at, and sizes that don't fit would raise another one")
    if refusal := _ranks(call, calls, function, facts):
        return refusal
    here = facts.given(facts.world.called_here({function}))
    if (found := why_shapes_count(function, here)) is not None:
        return Refusal(call, found.code, f"{name} would be traced without the size of {shown}: {found.reason}")
    if facts.contexts.counts_traces:
        return Refusal(call, Code.EFFECTS, f"this file counts how often functions are traced, and {name} would be traced twice")
    if (misfit := next(filter(None, (misfitting(function, _as_called_by(each, function, facts)) for each in calls)), None)) is not None:
        shown = facts.edit.short(misfit, "it")
        return Refusal(
            call, Code.RAISES, f"{shown} raises another error in a graph of any size, where sizes don't fit, and they are not known to"
        )
    trace = why_traces_count(function, here)
    if trace is not None and trace.certain:
        return Refusal(call, trace.why.code, f"{name} would be traced twice only: {trace.why.reason}")
    doubt = trace.why if trace is not None else _may_be_imported(call, function, name, facts)
    reason = f"{name} is traced twice, not for every size of {shown}"
    span = facts.source.span(place)
    if not isinstance(place, gast.Call):
        edit = Edit(span.end, span.end, "(reduce_retracing=True)")
    elif place.args or place.keywords:
        edit = facts.edit.append_argument(place, "reduce_retracing=True")
    else:
        edit = Edit(span.end - 1, span.end - 1, "reduce_retracing=True")
    if doubt:
        return Rewrite(place, (edit,), reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=(function, place, call))
    # A graph of any size doesn't fold what it would fold for one size.
    backend = Backend.XLA if _is_compiled(function, facts) else Backend.GRAPH
    rounded = changed([function], here, backend)
    return Rewrite(place, (edit,), reason, region=(function, place, call), rounded=rounded)


def _may_be_imported(call: gast.Call, function: Function, name: str, facts: Facts) -> Refusal | None:
    inside = facts.scopes.function_of(function) is not None
    return (
        None
        if inside or facts.callers.is_script
        else Refusal(
            call, Code.CALLERS_UNKNOWN, f"a file that imports this one may call {name} with tensors of another rank, or look at its errors"
        )
    )


def _errors_are_looked_at(node: gast.AST, facts: Facts, seen: frozenset[gast.AST]) -> bool:
    """Is something around a node, or around the calls of its function, that may see an exception go by?"""
    for ancestor in facts.scopes.ancestors(node):
        match ancestor:
            case gast.Try():
                return True
            case gast.With(items=items) | gast.AsyncWith(items=items):
                if any(facts.called(one.context_expr) not in _LETS_ERRORS_THROUGH for one in items):
                    return True
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda() if ancestor not in seen:
                if not facts.callers.plainly_decorated(ancestor):
                    return True
                calls = _calls(ancestor, facts)
                if calls is None or any(_errors_are_looked_at(one, facts, seen | {ancestor}) for one in calls):
                    return True
    return False


def _as_called_by(call: gast.Call, function: Function, facts: Facts) -> Facts:
    """The facts of what a call runs, of tensors of the sizes that it hands over."""
    handed: dict[gast.AST, Kind] = {}
    for argument in arguments(call):
        kind, parameter = facts.kind(argument), handed_to(call, argument, function, isinstance(call.func, gast.Attribute))
        if parameter is not None and kind.sort in (Sort.TENSOR, Sort.ARRAY):
            handed[parameter] = tensor(kind.dtype, kind.shape)
    return facts.given(facts.world.called_here(functions_of(function, facts), handed))


def _ranks(call: gast.Call, calls: list[gast.Call], function: Function, facts: Facts) -> Refusal | None:
    """A function of tensors of two ranks gets one graph for tensors of any, in which an axis may not be counted from the end."""
    ranks: dict[gast.Name, int] = {}
    for each in calls:
        for argument in arguments(each):
            kind, shown = facts.kind(argument), facts.edit.short(argument, "an argument")
            parameter = handed_to(each, argument, function, isinstance(each.func, gast.Attribute))
            if parameter is None:
                return Refusal(call, Code.UNKNOWN_CALL, f"which parameter {shown} is for is not known")
            if kind.sort in (Sort.NUMBER, Sort.TEXT, Sort.NONE):
                continue
            if kind.sort not in _TENSORS or kind.rank is None:
                return Refusal(
                    call, Code.UNKNOWN_SHAPE, f"the rank of {shown} is not known, and a graph of any size may become one of any rank"
                )
            if ranks.setdefault(parameter, kind.rank) != kind.rank:
                return Refusal(
                    call, Code.OTHER_SHAPE, f"other calls pass another rank than {ranks[parameter]}, and its graph would be one of any rank"
                )
    return None


def _where_compiled(call: gast.Call, function: Function, facts: Facts) -> gast.expr | None:
    """The decorator, or the `tf.function(f)` that gave the name which is called."""
    for decorator in getattr(function, "decorator_list", ()):
        name = decorator.func if isinstance(decorator, gast.Call) else decorator
        return decorator if facts.names(name) == "tensorflow.function" and len(function.decorator_list) == 1 else None
    if isinstance(call.func, gast.Name) and (owner := owner_of(call.func, facts)) is not None:
        match facts.parent(owner.bindings[call.func.id][0]):
            case gast.Assign(value=gast.Call(args=[_]) as made) if facts.called(made) == "tensorflow.function":
                return made
    return None


def _sizes(argument: gast.expr, loops: list[Turning], facts: Facts) -> int | None:
    """How many sizes an argument certainly has: `x[:i]`, `tf.zeros([i, 3])` of the index of a range; 0 where nobody knows."""
    kind = facts.kind(argument)
    if kind.sort is not Sort.TENSOR or not isinstance(kind.shape, tuple):
        return 0
    for loop in loops:
        if not isinstance(loop, gast.For | gast.comprehension) or facts.called(loop.iter) != "builtins.range":
            continue
        if Symbol((id(loop), "index"), "") in [replace(one, name="", loops=frozenset()) for one in kind.shape if isinstance(one, Symbol)]:
            return _iterations(loop, facts)
        match argument:
            case gast.Subscript(value=gast.Name() as rows, slice=gast.Slice(lower=None, upper=end, step=None)) if end is not None:
                pass
            case gast.Subscript(value=gast.Name() as rows, slice=gast.Slice(lower=end, upper=None, step=None)) if end is not None:
                pass
            case _:
                continue
        index = [name for name in names_read(end) if any(one is loop.target for one in _given_in(name, loop, facts))]
        if index and facts.kind(end).sort is Sort.NUMBER and not _given_in(rows, loop, facts):
            return _iterations(loop, facts)
    return 0


# What else stands against it


def _other_reason(call: gast.Call, dtypes: list[str], facts: Facts) -> Refusal | None:
    shown = facts.edit.short(call.func)
    if any(dtype in FLOATS for dtype in dtypes) and facts.contexts.under_a_tape(call):
        return Refusal(call, Code.UNDER_TAPE, "under a tape its gradient would be computed too: 16 MB become 24 of 1000 x 1000 numbers")
    if facts.contexts.counts_traces:
        return Refusal(call, Code.EFFECTS, f"this file counts how often functions are traced, and {shown} would be traced once")
    return None


def _may_be_tensor(call: gast.Call, varying: list[gast.expr], loops: list[Turning], facts: Facts) -> Refusal | None:
    """What a range counts to may be a tensor, where the function around is traced: then so is its index."""
    if facts.only_eager(call):
        return None
    for name in {name.id: name for one in varying for name in names_read(one)}.values():
        for loop in loops:
            if _given_in(name, loop, facts) and isinstance(loop, gast.For) and facts.called(loop.iter) == "builtins.range":
                for bound in loop.iter.args:
                    if facts.kind(bound).sort is not Sort.NUMBER:
                        return Refusal(
                            call,
                            Code.IN_GRAPH,
                            f"where {facts.edit.short(bound, 'the end of the range')} is a tensor and a graph is built, {name.id} is one already",
                        )
    return None
