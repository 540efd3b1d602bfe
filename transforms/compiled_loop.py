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

         Where XLA would give something else, or costs more than it saves, @tf.function alone, and the reason says why. A
         tf.while_loop that eager code runs goes the same way, and takes its functions with it.

Why:     In eager code Python starts every operation of every turn, and a list holds its members beside the tensor that is
         made of them. 1,000 turns of tanh(x @ a + a) on [10, 10]: 0.09 -> 0.02 MB, 63 -> 0.8 ms. 200 rows of [100, 100],
         appended and stacked: 16.2 -> 8.1 MB, the output alone; 20 times 30 in two loops, in one list or in a list of each outer
         turn: 49 -> 24 MB, 42 -> 2.5 ms, 44 -> 4 ms. The first call pays for it: 0.2 s, and for XLA 55 to 66 MB of
         resident memory once in a process (a graph: 4). So most loops are for time (--for time), and those whose lists hold more than
         XLA costs for memory; loops of fewer than 50 operations in all turns stay. On [500, 500] a product is all there is to do: 5.9 -> 4.3 MB,
         and XLA's own product may take longer than the eager one. Eager code runs tf.while_loop turn by turn too, and gains
         nothing by it: the 1,000 turns written so take 0.11 MB and 67 ms, and as a function 0.01 MB and 0.6 ms.
Safety:  XLA rounds x / 41.0 and a * b + c otherwise, and tf.floor or x > limit may decide by it, in the loop, in a caller, in NumPy. There,
         and where an error may grow from turn to turn (x = 3.9 * x * (1 - x)), the loop becomes a graph that keeps every bit, or stays: a
         graph multiplies by the reciprocal too, and adds constants up. float16 has so few digits that every other rounding counts.
         As for while_loop, what passes from turn to turn has to be known: scaled(x: tf.Tensor) says no dtype. And what the
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
         What inner loops append to one list has n * m places: where m may be 0, only if nothing else would be lost with the turns
         around. A list that a turn makes, fills and joins has to have as many members each time as the text says: none is a tensor
         of another shape. range(i), a condition or a break around the append, and a list that is read on the way stay.
         history = tf.concat([history, x], 1), or history[-1] in the loop, copies all of it in every turn, compiled or not.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.loops.compiled import outlined
from tfrewrite.outcomes import Fidelity, Outcome, transform


@transform(gast.For, gast.While, gast.ListComp, gast.Assign, fidelity=Fidelity.ROUNDING, mentions=("for ", "while"), late=True)
def compiled_loop(loop: gast.For | gast.While | gast.ListComp | gast.Assign, facts: Facts) -> Outcome:
    return outlined(loop, facts)
