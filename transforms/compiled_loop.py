"""Compile an eager loop over tensors as a function of its own.

Before:  def power(a, r):
             for i in range(5000):
                 r = tf.tanh(r @ a)
             return r
After:   @tf.function(jit_compile=True)
         def _power_loop(a, r):
             def step(i, r):
                 r = tf.tanh(r @ a)
                 return i + 1, r

             _, r = tf.while_loop(
                 lambda i, r: i < 5000,
                 step,
                 (0, r),
                 shape_invariants=(tf.TensorShape([]), r.shape),
                 maximum_iterations=5000,
             )
             return r


         def power(a, r):
             r = _power_loop(a, r)
             return r

         Where XLA would give something else, @tf.function alone, and the reason says why. A tf.while_loop that eager code
         runs goes the same way, and takes its functions with it.

Why:     In eager code Python starts every operation of every turn, and a list holds its members beside the tensor that is
         made of them. 1,000 turns of tanh(x @ a + a) on [10, 10]: 0.09 -> 0.02 MB, 63 -> 0.8 ms. 200 rows of [100, 100],
         appended and stacked: 16.2 -> 8.1 MB, the output alone. The first call pays for it: 0.2 s and 11 MB to compile, so
         loops of fewer than 50 operations in all turns stay. On [500, 500] a product is all there is to do: 5.9 -> 4.3 MB,
         and XLA's own product may take longer than the eager one. Eager code runs tf.while_loop turn by turn too, and gains
         nothing by it: the 1,000 turns written so take 0.11 MB and 67 ms, and as a function 0.01 MB and 0.6 ms.
Safety:  As for while_loop, what passes from turn to turn has to be known: scaled(x: tf.Tensor) says no dtype. And what the
         loop reads becomes a parameter: tensors, variables, and Python numbers as tensors of the dtype that they meet, so
         that another number is not another trace. A NumPy array that meets a tensor of another dtype, an object, a setting
         that is text would be something else in the function.
         Python numbers come out by float() and int(), which a graph can't do: only where nothing traces the function itself
         (compiled(x) that calls it). i after a break is not known.
         Every operation has to mean the same in a graph: tf.maximum(0, x) raises for a float x, what doesn't fit together
         raises another error. It has to mean the same under XLA, or XLA isn't asked: it takes row 2 for x[3] of 3 rows, 1 for
         maximum(nan, 1), some number for 1 // 0, and compiles again for every size that is handed in.
         A graph makes an empty tensor of x + 1 + x in a loop, and of tf.reduce_max(tf.tanh(b)) the largest of a, after
         a, b = tf.split(x, 2): without XLA such loops stay.
         What XLA compiles can't be differentiated from outside: it isn't asked where a tape may record. In a file that opens
         one around the loop, and in a layer's call, the loop stays: the tape keeps what every turn computes.
         Prints, .numpy(), float(x), logging, assertions, NumPy, layers, data sets, return, yield, await, locals() and a try
         around the loop see what happens in each turn. A name that another function changes (nonlocal) may change in between.
         Functions of the file are followed, each call with what it hands over, and so are methods of objects whose class the
         file shows: they may decide and loop by Python's numbers, not by tensors. One that keeps what it is given (seen += [x]),
         counts (self.turns += 1), reads a list or an array of the module, or an attribute that something else gives again
         (self.rate = 0.25), would do so once, while it is traced. For an object the loop is traced, and the graph keeps it with
         its variables: only where each object of the class is made at the top of a script, once. A number that such a
         function needs as Python's (rate**0.5) may not be another one from call to call, nor in each turn of a loop around.
         A tf.while_loop is looked at as the Python loop that eager code makes of it. Its functions are lambdas, or stand beside
         it for it alone: one that two loops share stays. So does a limit (maximum_iterations), and what begins as 0.0 and is
         read after it: tf.while_loop makes a tensor of that, even without a turn. In a graph it is a loop already: only where
         certainly no graph runs the code.
         A list whose length is seen only while the loop runs (a while loop, a break, an append under a condition) grows in the
         function, where XLA isn't asked, as its arrays that grow come back empty from there: only where certainly no graph
         calls the code, for which the length would be unknown, and where the list has a member in any case.
         history = tf.concat([history, x], 1), or history[-1] in the loop, copies all of it in every turn, compiled or not.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.collected import ever_taped
from tfrewrite.facts.compiling import LEAST_OPERATIONS_OUTLINED
from tfrewrite.facts.sums import lost_sum
from tfrewrite.loops.bodies import computes_with_tensors
from tfrewrite.loops.compiling import graph_refusal, holds_more, operations, why_not_xla
from tfrewrite.loops.comprehensions import as_loop
from tfrewrite.loops.eager import as_python
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.judging import asks_for_a_size, branches, tape_around
from tfrewrite.loops.outlining import of_any_length, of_any_size, outline
from tfrewrite.loops.plans import Nest, plan_nest
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform


@transform(gast.For, gast.While, gast.ListComp, gast.Assign, fidelity=Fidelity.ROUNDING, mentions=("for ", "while"), late=True)
def compiled_loop(loop: gast.For | gast.While | gast.ListComp | gast.Assign, facts: Facts) -> Outcome:
    match loop:
        case gast.ListComp():
            return as_loop(loop, facts, _of_loop)
        case gast.Assign():
            return as_python(loop, facts, _of_loop)
    return _of_loop(loop, facts)


def _of_loop(loop: gast.For | gast.While, facts: Facts) -> Outcome:
    if facts.mode(loop) is Mode.GRAPH or facts.tensorflow(loop) is None:
        return None
    if not computes_with_tensors(loop, facts):
        return None
    tf = facts.tensorflow(loop)
    assert tf is not None
    nest = plan_nest(loop, facts, tf, hands_over=True)
    if isinstance(nest, Refusal):
        return nest
    header = nest.plan.header
    if operations(nest) < LEAST_OPERATIONS_OUTLINED and isinstance(header, Counted):
        return Refusal(loop, f"{header.turns} turns are too few to pay for a compiled function")
    if reason := tape_around(loop, facts):
        return Refusal(loop, reason)
    if refusal := branches(nest, nest.varying, autograph=True):
        return refusal
    if grown := next((one.name for one in nest.plan.carried if one.grows and _joins_itself(one.name, loop, facts)), None):
        return Refusal(loop, f"{grown} is copied as a whole in every turn, compiled or not: a list that is joined once is better")
    if refusal := _keeps_numbers(nest, facts):
        return refusal
    if refusal := graph_refusal(nest):
        return refusal
    function = facts.scopes.function_of(loop)
    closed = facts.callers.is_script or (function is not None and facts.callers.is_held(function))
    if ever_taped(loop, facts) or not closed:
        obstacle = "a tape may record it, and what XLA compiles can't be differentiated from outside"
    elif not facts.only_eager(loop) and sum(one.live for one in nest.plan.carried) + len(nest.plan.lists) > 1:
        # As for tf.split(x, 2)[1]; a function that XLA doesn't compile becomes part of the graph.
        obstacle = "a graph may call it, and takes the first of several results for the others where it looks for the largest"
    else:
        obstacle = why_not_xla(nest) or of_any_length(nest) or of_any_size(nest)
    if refusal := holds_more(nest, xla=not obstacle):
        return refusal
    outlined = outline(nest, xla=not obstacle)
    if isinstance(outlined, Refusal):
        return outlined
    if outlined.makes_sizes and (refusal := asks_for_a_size(nest)):
        return refusal
    if not obstacle and outlined.makes_sizes:
        obstacle = "a slice depends on the index"
        if refusal := holds_more(nest, xla=False):
            return refusal
    if obstacle and (lost := lost_sum(loop, nest.facts)) is not None:
        return lost
    reason = f"{outlined.name} runs all turns of the loop compiled" + (f", not by XLA: {obstacle}" if obstacle else "")
    return Rewrite(loop, outlined.edits, reason, region=(outlined.place, loop))


def _keeps_numbers(nest: Nest, facts: Facts) -> Refusal | None:
    """Python numbers that come out of the loop have to be read from tensors again, which only eager code can do."""
    live = [one for one in nest.plan.carried if one.live]
    numbers = [one.name for one in live if one.number]
    if numbers and len(numbers) == len(live) and not nest.plan.lists:
        return Refusal(nest.plan.body.loop, f"only {numbers[0]}, a Python number, comes out of the loop, and nothing is gained")
    if numbers and not facts.only_eager(nest.plan.body.loop):
        return Refusal(nest.plan.body.loop, f"{numbers[0]} is a Python number after the loop, and in a graph it would be a tensor")
    return None


def _joins_itself(name: str, loop: gast.For | gast.While, facts: Facts) -> bool:
    """Is it `name = tf.concat([name, x], 0)`, a statement of the loop's own block?"""
    for statement in loop.body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(args=[gast.List(elts=[_, _]) as joined, *_]) as call):
                if target == name and facts.called(call) == "tensorflow.concat":
                    return any(isinstance(one, gast.Name) and one.id == name for one in joined.elts)
    return False
