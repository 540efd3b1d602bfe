"""Run an eager function of tensors as a graph, which frees every step as soon as the next one is computed.

Before:  def scaled(x):
             y = tf.square(x)
             z = y * 2
             return z + 1
After:   @tf.function
         def scaled(x):
             ...

Also:    `@tf.function(jit_compile=True)` if a step needs two others.

Why:     Eager names hold their tensors until the function returns: 12.0 MB with `x` of 4 MB. In a graph every operation
         writes into the memory of the one before: 4.0 MB, the result alone. If two steps meet, a graph holds both, and XLA
         neither: `a = exp(x); b = exp(-x); return (a - b) / (a + b)` takes 20.0 MB eagerly, 16.0 in a graph and 4.0 under
         XLA. `early_release` also frees such names, and leaves two of them at a time (8.0 MB): it is for functions that
         this rule refuses, and for those that are called once.
Safety:  - **Formulas only.** Proven for assignments and a `return` of elementwise operations on tensors of one size. Others
           are tried with `--verify`: `reduce_sum(x * y) + reduce_sum(x - y)` takes 4 MB eagerly, 8 in a graph.
         - **XLA.** Refused if two steps meet and XLA can't be used, as for `tf.sin(x)`: `jit_compile` says why.
         - **Small results.** Refused for results of less than 4 MB, as `[100, 100]`: to call a graph takes 0.1 ms more.
         - **Effects.** Refused for `print`, `seen.append(x)`, random numbers, a new variable, a function that calls
           itself, and a global that is assigned again: a graph runs Python once.
         - **Values.** Refused for `float(x)`, `.numpy()` and `for row in x`, which need values that a graph doesn't have.
         - **Arguments.** Refused unless they are tensors of one size: a Python number that varies is traced again, an array
           becomes a tensor, `1 / x` of an `int` has another dtype.
         - **Result.** Refused unless it is one computed tensor: `return x` would be a copy, and a number a tensor. Operands
           that don't fit together raise another error.
         - **Rounding.** `x / 41.0` may differ in the last bits. Refused where something depends on it, in the function or
           its callers, and where rounding is the result: `(x + 1e8) - 1e8`.
         - **Tapes and graphs.** Refused under a `tf.GradientTape`, which keeps every step in a graph too, and for a function
           that a graph calls.
         - **Unknown callers.** Refused if others may call the function, or it is used as a value: `map(scaled, xs)`.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tfrewrite.analyses.elementwise_formulas import LEAST_BYTES, MOST_OPERATIONS, Formula, Obstacle, formula, why_not_alone
from tfrewrite.analyses.held_memory import Meter, total
from tfrewrite.analyses.moves_into_graphs import Move
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import parameters, walk_within
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform
from tfrewrite.rounding.operations import Backend, beyond_rounding, changed

_READS = {"builtins.float": "float()", "builtins.int": "int()", "builtins.bool": "bool()", "builtins.len": "len()"}


@transform(gast.FunctionDef, fidelity=Fidelity.ROUNDING, mentions=("tensorflow",))
def tf_function(function: gast.FunctionDef, facts: Facts) -> Outcome:
    if not isinstance(facts.parent(function), gast.Module) or facts.contexts.traced(function):
        return None
    if facts.mode(function.body[0]) is not Mode.EAGER or not facts.callers.called_repeatedly(function):
        return None
    if not _holds_more(function, facts):
        return None
    tensorflow = facts.tensorflow(function)
    if tensorflow is None:
        return Refusal(
            function, Code.NAME_TAKEN, "tensorflow is not imported under a name above the function", "Write `import tensorflow as tf`."
        )
    if (found := next(_obstacles(function, facts), None)) is not None:
        return found
    moved = Move(facts, False).obstacle(function.body) or beyond_rounding(function.body, facts, Backend.GRAPH)
    if moved is not None:
        return moved.saying(f"{facts.edit.short(moved.node, 'an operation')}: {moved.reason}")
    result = formula(function, facts)
    on_trial = facts.of_the_text is not facts
    if isinstance(result, Obstacle) and (result.differs or not on_trial):
        more = "" if result.differs else ", and as a graph it may need as much memory as now, or more"
        why = result.why
        reason = f"{facts.edit.short(why.node, 'a part')}: {why.reason}{more}"
        return Refusal(why.node, why.code, reason, "" if result.differs else _TRY)
    setting = ""
    if isinstance(result, Formula) and result.forks:
        if (refusal := _why_not_xla(function, result, facts)) is None:
            setting = "(jit_compile=True)"
        elif not on_trial:
            reason = f"a step of it needs two others, which a graph holds too, and XLA isn't used: {refusal.reason}"
            return Refusal(function, refusal.code, reason, _TRY)
    start = facts.source.span(function).start
    edit = Edit(start, start, f"@{tensorflow}.function{setting}{facts.source.newline}")
    held = "XLA keeps none of the steps" if setting else "a graph frees every step"
    saves = _held(function, facts) - result.size if isinstance(result, Formula) else None
    worth = Worth(Setup.XLA if setting else Setup.GRAPH, saves)
    rounded = changed(function.body, facts, Backend.XLA if setting else Backend.GRAPH)
    reason = f"{held} of {function.name}, which is called repeatedly"
    return Rewrite(function, (edit,), reason, region=(function,), rounded=rounded, worth=worth)


_TRY = "--verify tries it, and keeps it where it saves."


def _holds_more(function: gast.FunctionDef, facts: Facts) -> bool:
    """Does it hold two tensors of some size at once, at least, when it runs eagerly?"""
    if not any(isinstance(one, gast.Return) for one in function.body[-1:]):
        return False
    return _held(function, facts) >= 2 * LEAST_BYTES


def _held(function: gast.FunctionDef, facts: Facts) -> int:
    """How many bytes it holds at once when it runs eagerly."""
    return max((total(one.held)["bytes",] for one in Meter(function, facts).moments), default=0)


def _why_not_xla(function: gast.FunctionDef, result: Formula, facts: Facts) -> Refusal | None:
    if result.slow or result.operations > MOST_OPERATIONS:
        return Refusal(function, Code.NO_GAIN, result.slow or f"it may make several loops of {result.operations} operations")
    return Move(facts, True).obstacle(function.body) or beyond_rounding(function.body, facts, Backend.XLA)


# What a graph would do once, or can't do


def _obstacles(function: gast.FunctionDef, facts: Facts) -> Iterator[Refusal]:
    name = function.name
    if function.decorator_list:
        yield Refusal(function, Code.UNKNOWN_CALL, f"{name} is decorated: what that makes of a graph is not known")
    if function.args.vararg is not None or function.args.kwarg is not None:
        yield Refusal(function, Code.FORM, f"{name} takes any number of arguments, each of which would be traced")
    for node in walk_within(function):
        if refusal := _done_once(node, function, facts):
            yield refusal
    if refusal := why_not_alone(function, facts):
        yield refusal
    if not facts.only_eager(function.body[0]):
        yield Refusal(function, Code.IN_GRAPH, f"{name} is part of a graph too, which holds no more than it has to already")
    tensors = 0
    for parameter in parameters(function):
        kind = facts.kind(parameter)
        tensors += kind.sort is Sort.TENSOR
        if kind.sort is Sort.NUMBER and kind.value is None:
            reason = f"{parameter.id} is a Python number that isn't always the same: each would be traced again"
            yield Refusal(parameter, Code.PYTHON_NUMBER, reason)
        elif kind.sort is Sort.ARRAY:
            yield Refusal(parameter, Code.PYTHON_NUMBER, f"{parameter.id} is a NumPy array, which would be a tensor in a graph")
        elif kind.sort is Sort.VARIABLE:
            yield Refusal(parameter, Code.NO_GAIN, f"{parameter.id} is a variable, and each would be traced again")
        elif kind.sort not in (Sort.TENSOR, Sort.NUMBER) or kind.size is None or kind.dtype is None:
            reason = f"{parameter.id} is not known to be a tensor of one dtype and size, and each other one is traced again"
            yield Refusal(parameter, Code.UNKNOWN_SHAPE, reason)
    if not tensors:
        yield Refusal(function, Code.MAY_CHANGE, f"{name} is passed no tensor: a graph would compute with what it is once")


def _done_once(node: gast.AST, function: gast.FunctionDef, facts: Facts) -> Refusal | None:
    match node:
        case gast.Yield() | gast.YieldFrom():
            return Refusal(node, Code.CONTROL_FLOW, f"{function.name} is a generator, which a graph can't be")
        case gast.Global(names=[name, *_]) | gast.Nonlocal(names=[name, *_]):
            return Refusal(node, Code.EFFECTS, f"it assigns {name} another value, which a graph does once")
        case gast.Attribute(attr="numpy") if isinstance(facts.parent(node), gast.Call):
            return Refusal(node, Code.PYTHON_NUMBER, "it reads a value by .numpy(), and in a graph there is none yet")
        case gast.Attribute(ctx=gast.Store()) | gast.Subscript(ctx=gast.Store()):
            return Refusal(node, Code.EFFECTS, f"it changes {facts.edit.short(node, 'something')}, which a graph does once")
        case gast.For(iter=rows) if facts.kind(rows).is_tensor:
            return Refusal(node, Code.CONTROL_FLOW, f"it iterates over the rows of {facts.edit.short(rows, 'a tensor')} in Python")
        case gast.Assert() | gast.Raise():
            return Refusal(node, Code.RAISES, "what it checks is checked once, while the graph is made")
        case gast.Call():
            return _called_once(node, function, facts)
    return None


def _called_once(call: gast.Call, function: gast.FunctionDef, facts: Facts) -> Refusal | None:
    name, shown = facts.called(call) or "", facts.edit.short(call.func, "a function")
    row = facts.op(call)
    if facts.callers.function_called(call) is function:
        return Refusal(call, Code.CONTROL_FLOW, f"{function.name} calls itself, and would be traced without end")
    if name == "builtins.print":
        return Refusal(call, Code.EFFECTS, "it prints, which a graph does once")
    if name in _READS and len(call.args) == 1 and facts.kind(call.args[0]).sort is not Sort.NUMBER:
        return Refusal(call, Code.PYTHON_NUMBER, f"it reads a value by {_READS[name]}, and in a graph there is none yet")
    if row.is_random:
        return Refusal(call, Code.RANDOM, f"{shown} draws other numbers in a graph")
    if row.name == "Variable":
        return Refusal(call, Code.EFFECTS, "it makes a variable, which a graph can do once only")
    if name.startswith("numpy."):
        return Refusal(call, Code.EFFECTS, f"{shown} computes once, while the graph is made")
    match call.func:
        case gast.Attribute(attr="append" | "extend" | "update" | "add" | "insert" | "assign" | "assign_add" | "assign_sub" as method):
            if not name:
                return Refusal(call, Code.EFFECTS, f".{method}() changes something, and in a graph once or at another time")
    return None
