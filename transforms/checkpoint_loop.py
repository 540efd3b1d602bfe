"""Keep the states of a loop under a tape between segments only, and compute the steps again for the gradient.

Before:  for t in range(256):
             h = tf.tanh(x[t] @ w + h @ u)
             loss += tf.reduce_mean(tf.square(h - y[t]))
After:   # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
         def segment(start, stop):
             def steps(h, loss):
                 for t in range(start, stop):
                     h = tf.tanh(x[t] @ w + h @ u)
                     loss += tf.reduce_mean(tf.square(h - y[t]))
                 return h, loss

             return steps if stop == 256 else tf.recompute_grad(steps)

         for start in range(0, 256, 16):
             h, loss = segment(start, min(start + 16, 256))(h, tf.convert_to_tensor(loss, tf.float32))

Also:    In a `tf.function` the loops over segments and over their steps are loops of the graph's own (`tf.range`), and
         variables become arguments. What the steps append to a list is handed on by each segment.

Why:     A tape keeps what every step computes until the gradient is taken, and then a gradient by each weight of each step
         until all of them are added up. In segments of about `sqrt(n)` steps it keeps the states between them, and computes
         the steps of one again; those of the last one are still there. Peak of a warm call, and CPU time:

             256 steps `tanh(state @ w)` of 256x256, eager            69.4 -> 14.6 MB    1.5 times as long
             the same in a `tf.function`                              70.6 -> 11.0 MB    1.2
             256 steps of an RNN with inputs and losses, eager       135.9 -> 24.9 MB    1.35
             the same in a `tf.function`, with `tf.range`             18.3 ->  6.2 MB    1.3
             64, 256 and 1,024 steps of 256x256 in segments, eager     8.3, 14.6, 27.2 MB: n to the power of 0.4

         Left alone are fewer than 16 steps, and less than 1 MB, or 15 MB in a loop of a graph, which becomes two. By hand, a
         segment in a graph that captures where it starts, and doesn't take it as an argument, has wrong gradients without a
         word: a norm of 3.50 for 4.05.
Safety:  - **Tensors.** What a tape may follow becomes an argument, `x` of `tape.watch(x)` or of `x = tf.exp(w)`: what is
           only captured gets no gradient. Refused for a list of tensors, and for `self.x` that is a tensor.
         - **The second run.** Refused for `tf.random.normal`, `print`, `v.assign(x)`, `break`, `if tf.reduce_sum(x) > 0`
           and what isn't known, as `cell(x)`. Layers of Keras may be called that only compute: no `Dropout(0.5)`.
         - **Variables.** Refused if one may change before the gradient is taken: `w.assign(x)` after the loop.
         - **Names.** A name that is given several values is bound for each segment: `segment(start, stop, scale)`.
         - **Other derivatives.** Refused for `persistent=True`, a tape around the tape, and `tape.jacobian`.
         - **None.** A gradient of None would be zeros: refused for `tf.stop_gradient(w)` and `tf.zeros_like(w)`, and for what
           the loss isn't computed from, as `norms.append(tf.norm(x))`.
         - **NaN.** Refused beside a list for `tf.sqrt(x)`: zero times infinity.
         - **Gradients by states.** Refused for `tape.gradient(loss, states)`: what follows a state has another tensor of it.
         - **Errors.** Refused in a `try`, and for a list of the caller's: both would see the last whole segment.
         - **Sparse gradients.** Refused for rows of a variable, as `tf.gather(table, ids)`.
         - **Sizes.** Refused unless the text says what is kept of how many steps; for `range(n)` of any `n` `--verify`
           tries it.
         - **Graphs.** Refused under XLA (102 -> 320 MB), in another loop, for a list, and for an index that has to be a
           Python number, as in `1.0 / (t + 1)`. A graph that unrolls the loop adds up otherwise: refused if that decides.
         - **Rounding.** Eagerly results keep their bits, and gradients are added up in another order: `a + (b + c)`.
           Those that variables are trained with, and nothing else, are not followed further.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.kinds import spelled_dtype
from tfrewrite.loops.loop_text import apply_to, holds_long_texts
from tfrewrite.loops.plans import Names
from tfrewrite.loops.segments import Segmented, length, segmented
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform
from tfrewrite.rounding.operations import Backend, changed
from tfrewrite.source import Span
from tfrewrite.worth import NOISE

_FEWEST = 16  # steps
_NESTED = 14_000_000
"""Bytes, resident ones too, that a process needs to make a loop of a graph inside of another one, with the gradients of both."""
_WIDTH = 100
_FLOAT = "a float, as all that a gradient may be taken by"
_COMMENT = "Between segments the tape keeps the states alone: the steps of one are computed again for the gradient."


@transform(gast.For, fidelity=Fidelity.ROUNDING, mentions=("GradientTape",), late=True)
def checkpoint_loop(loop: gast.For, facts: Facts) -> Outcome:
    tf = facts.tensorflow(loop)
    if tf is None or facts.mode(loop) is Mode.UNKNOWN:
        return None
    found = segmented(loop, facts)
    if not isinstance(found, Segmented):
        return found
    saves = _saved(found)
    if found.steps is not None and found.steps < _FEWEST:
        return Refusal(loop, Code.TOO_SMALL, f"{found.steps} steps are too few for segments")
    if saves is None and facts.of_the_text is facts:
        reason = "how many steps there are, or how much a tape keeps of each, is not known"
        return Refusal(loop, Code.UNKNOWN_SHAPE, reason, "--verify tries it, and keeps it where it saves.")
    if saves is not None and saves < NOISE:
        return Refusal(loop, Code.TOO_SMALL, "the tape keeps too little of the steps to pay for computing them again")
    in_graph = facts.mode(loop) is Mode.GRAPH
    if in_graph and found.steps is None:
        return Refusal(loop, Code.UNKNOWN_COUNT, "how many steps there are is not known, and with it how long a segment is")
    if not in_graph and not facts.only_eager(loop):
        return Refusal(loop, Code.IN_GRAPH, "a graph may run the loop, which unrolls all segments and gains nothing by them")
    if holds_long_texts(loop, facts):
        return Refusal(loop, Code.LAYOUT, "a string of several lines is inside of the loop")
    edits = _in_graph(found, tf, facts) if in_graph else _edits(found, tf, facts)
    many = "steps" if found.steps is None else f"{found.steps:,} steps"
    reason = f"the tape keeps the states between segments of the {many}, and not what each step computes"
    # A graph unrolls a loop over Python's numbers, and simplifies it across its steps; one of its own computes the same bits in segments.
    unrolled = in_graph and not found.header.tensor
    nested = in_graph and not unrolled
    rounded = (*found.gradients, *(changed(loop.body, facts, Backend.GRAPH) if unrolled else ()))
    # Under the tape its gradient is the same. Of second order there is none: the rule refuses tapes around tapes, and unknown callers.
    saved = saves if saves is None or not nested else max(saves - _NESTED, 0)
    return Rewrite(loop, edits, reason, region=(loop,), gradients=False, rounded=rounded, worth=Worth(Setup.NOTHING, saved))


def _saved(found: Segmented) -> int | None:
    """How many bytes less are kept, at least."""
    if found.steps is None or found.kept is None:
        return None
    each = length(found.steps)
    segments = -(-found.steps // each)
    return found.steps * found.kept - each * found.kept - segments * found.carried


# The text


def _edits(found: Segmented, tf: str, facts: Facts) -> tuple[Edit, ...]:
    loop, source, unit = found.loop, facts.source, facts.edit.unit
    names = _free_names(loop, facts)
    segment, steps = names.fresh("segment", "segment_of_steps"), names.fresh("steps", "one_segment")
    start, stop = names.fresh("start", "begin", "first_step"), names.fresh("stop", "end", "last_step")
    newline = source.newline
    span = source.span(loop)
    indent = source.indentation(span.start)
    line = source.line_start(span.start)
    end = facts.edit.block_end(loop.body[-1], source.indentation(source.span(loop.body[0]).start))
    total = found.header.stop.text
    head: list[str] = []
    if found.steps is None:
        each = names.fresh("length", "length_of_segment")
        head.append(f"{indent}{each} = max(int(({total}) ** 0.5), 1)" if " " in total else f"{indent}{each} = max(int({total}**0.5), 1)")
    else:
        each = str(length(found.steps))
    given = [one.name for one in found.states]
    parameters = [*given, *found.followed]
    results = [*given, *found.results, *found.lists]
    head += [
        f"{indent}# {_COMMENT}",
        f"{indent}def {segment}({', '.join([start, stop, *found.bound])}):",
        f"{indent}{unit}def {steps}({', '.join(parameters)}):",
        *(f"{indent}{unit * 2}{name} = []" for name in found.lists),
    ]
    iterated = source.span(loop.iter)
    body = apply_to(source.text, Span(line, end), [_of_segment(loop, iterated, start, stop, facts)])
    moved = [unit * 2 + one if one.strip() else one for one in body.splitlines()]
    arguments = [_handed(one.name, one.dtype, tf) for one in found.states] + list(found.followed)
    collected = {name: names.fresh(f"more_{name}", f"{name}_of_segment") for name in found.lists}
    outcome = [*given, *found.results, *collected.values()]
    call = f"{segment}({', '.join([start, f'min({start} + {each}, {total})', *found.bound])})({', '.join(arguments)})"
    tail = [
        f"{indent}{unit * 2}return {', '.join(results)}",
        "",
        f"{indent}{unit}return {steps} if {stop} == {total} else {tf}.recompute_grad({steps})",
        "",
        f"{indent}for {start} in range(0, {total}, {each}):",
        f"{indent}{unit}{', '.join(outcome)} = {call}",
        *(f"{indent}{unit}{name}.extend({more})" for name, more in collected.items()),
    ]
    ended = source.text[:end].endswith(("\n", "\r"))
    text = newline.join([*_apart(loop, facts), *head, *moved, *tail]) + (newline if ended else "")
    return (Edit(line, end, text),)


def _in_graph(found: Segmented, tf: str, facts: Facts) -> tuple[Edit, ...]:
    """A loop of the graph's own over segments, and one over the steps of each. What a gradient is taken by has to be an argument there."""
    loop, source, unit = found.loop, facts.source, facts.edit.unit
    names = _free_names(loop, facts)
    segment, start = names.fresh("segment", "segment_of_steps"), names.fresh("start", "begin", "first_step")
    first = names.fresh("first", "first_of_segment")
    span = source.span(loop)
    indent, line = source.indentation(span.start), source.line_start(span.start)
    end = facts.edit.block_end(loop.body[-1], source.indentation(source.span(loop.body[0]).start))
    total, each = str(found.steps), length(found.steps or 0)
    if not _may_differ(found, facts):
        total = found.header.stop.text
    states = [one.name for one in found.states]
    read = {
        one.text: one.text if one.text.isidentifier() else names.fresh(one.text.rpartition(".")[2].strip("_")) for one in found.variables
    }
    renamed = [
        Edit(place.start, place.end, read[one.text])
        for one in found.variables
        for place in map(source.span, one.nodes)
        if read[one.text] != one.text
    ]
    parameters = [start, *states, *found.followed, *read.values()]
    handed = [f"{tf}.cast({start}, {tf}.float32)", *states, *found.followed, *(f"{tf}.convert_to_tensor({one})" for one in read)]
    inner = f"{tf}.range({first}, {tf}.minimum({first} + {each}, {total}))"
    body = apply_to(source.text, Span(line, end), [*_at_iterated(loop, inner, facts), *renamed])
    lines = [
        f"{indent}# {_COMMENT}",
        f"{indent}def {segment}({', '.join(parameters)}):",
        f"{indent}{unit}{first} = {tf}.cast({start}, {tf}.int32)  # {_FLOAT}",
        *(unit + one if one.strip() else one for one in body.splitlines()),
        f"{indent}{unit}return {', '.join(states)}",
        "",
        *(f"{indent}{one.name} = {_handed(one.name, one.dtype, tf)}" for one in found.states if one.dtype),
        f"{indent}for {start} in {tf}.range(0, {total}, {each}):",
        *_fitting(f"{indent}{unit}{', '.join(states)} = {tf}.recompute_grad({segment})(", handed, f"{indent}{unit}", unit),
    ]
    ended = source.text[:end].endswith(("\n", "\r"))
    return (Edit(line, end, source.newline.join([*_apart(loop, facts), *lines]) + (source.newline if ended else "")),)


def _may_differ(found: Segmented, facts: Facts) -> bool:
    """May the end of the range be another number where it is read for the gradient?"""
    read = (node for one in found.header.written() for node in gast.walk(one) if isinstance(node, gast.Name))
    owners = ((node.id, facts.scopes.names[node].lookup(node.id)) for node in read)
    return any(owner is not None and len(owner.bindings[name]) > 1 for name, owner in owners)


def _at_iterated(loop: gast.For, text: str, facts: Facts) -> tuple[Edit, ...]:
    span = facts.source.span(loop.iter)
    return (Edit(span.start, span.end, text),)


def _fitting(opening: str, arguments: Sequence[str], indent: str, unit: str) -> list[str]:
    """A call on one line, or with a line for each argument."""
    line = f"{opening}{', '.join(arguments)})"
    return [line] if len(line) <= _WIDTH else [opening, *(f"{indent}{unit}{one}," for one in arguments), f"{indent})"]


def _of_segment(loop: gast.For, iterated: Span, start: str, stop: str, facts: Facts) -> Edit:
    """The header of the loop inside, which runs over a part of the numbers."""
    call = loop.iter
    first, last = facts.edit.outer_span(call.args[0]), facts.edit.outer_span(call.args[-1])
    return Edit(first.start, last.end, f"{start}, {stop}")


def _handed(name: str, dtype: str, tf: str) -> str:
    return f"{tf}.convert_to_tensor({name}, {spelled_dtype(dtype, tf)})" if dtype else name


def _apart(loop: gast.For, facts: Facts) -> Sequence[str]:
    """An empty line above the function, unless a block opens there or a comment stands above."""
    source = facts.source
    line = source.line_start(source.span(loop).start)
    above = source.text[:line].splitlines()[-1].strip() if line else ""
    return [] if not above or above.startswith("#") or above.endswith(":") else [""]


def _free_names(loop: gast.For, facts: Facts) -> Names:
    around = [facts.scopes.of[one] for one in facts.scopes.ancestors(loop) if one in facts.scopes.of]
    below = [inner for one in around[:1] for inner in one.below()]
    return Names({name for one in (*around, *below) for name in (*one.bindings, *one.uses)})
