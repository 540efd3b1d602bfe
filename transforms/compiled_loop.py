"""Move an eager loop over tensors into a compiled function.

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

Also:    If XLA would give other results, or costs more than it saves, the function gets `@tf.function` alone, and the
         reason says why. A `tf.while_loop` in eager code is moved in the same way, with its functions.

Why:     In eager code Python starts every operation of every iteration, and a list holds its elements beside the tensor
         that is made of them. 1,000 iterations of `tanh(x @ a + a)` on `[10, 10]`: 0.09 -> 0.02 MB, 63 -> 0.8 ms. 200
         rows of `[100, 100]`, appended and stacked: 16.2 -> 8.1 MB, which is the result alone. 20 times 30 rows in two
         loops: 49 -> 24 MB, 42 -> 2.5 ms in one list and 44 -> 4 ms in a list for each outer iteration.
         The first call costs 0.2 s, and XLA costs 55 to 66 MB of resident memory once in a process (a graph: 4). So most
         loops are rewritten with `--for time` only; those whose lists hold more than XLA costs are rewritten by default.
         Loops of fewer than 50 operations in all iterations are left alone. On `[500, 500]` the product dominates:
         5.9 -> 4.3 MB, and XLA's own product may take longer than the eager one. Eager `tf.while_loop` gains nothing by
         itself: the 1,000 iterations take 0.11 MB and 67 ms, and as a function 0.01 MB and 0.6 ms.
Safety:  - **Rounding.** XLA rounds `x / 41.0` and `a * b + c` otherwise. Where `tf.floor`, a comparison or a growing
           error (`x = 3.9 * x * (1 - x)`) depends on it, a graph is used, or the loop is refused.
         - **Loop variables.** Refused unless each is known to keep dtype and shape: `x / 2` of integers is of float64, and
           `h @ u` keeps the shape of `h` only if `u` is square.
         - **Inputs.** What the loop reads becomes a parameter, Python numbers as tensors. Refused for
           `options["rate"]` and other objects, text, and NumPy arrays that meet another dtype.
         - **Other meaning in a graph.** Refused for `tf.maximum(0, x)` with a float `x`, which raises there, and for
           shapes that don't fit, which raise another error.
         - **Other meaning under XLA.** A graph is used for `x[3]` of 3 rows (XLA takes row 2), `maximum(nan, 1)` (XLA: 1),
           `1 // 0`, and sizes that differ from call to call.
         - **Tensors that a graph loses.** Refused without XLA: in a loop a graph computes an empty tensor for
           `x + 1 + x`, and the wrong part for `a, b = tf.split(x, 2)`.
         - **Gradients.** Refused under a tape, which keeps every iteration, and in a layer's `call`. XLA isn't used where
           a tape may record: what it compiled can't be differentiated from outside.
         - **Effects in an iteration.** Refused for `print`, `.numpy()`, `float(x)`, logging, assertions, `return`,
           `yield`, `try`, `locals()`, layers and datasets; also for a `nonlocal` name that another function changes.
         - **Called functions.** Functions of this file are followed. Refused if one keeps its argument (`seen += [x]`),
           counts (`self.count += 1`), or reads what changes (`self.rate = 0.25` elsewhere).
         - **Python numbers.** Refused if a number has to stay one (`rate**0.5`) and differs between calls, and for `i`
           after a `break`.
         - **Lists.** Refused if an inner list may be empty or its length varies, as `tf.stack([])` has another shape; if
           the loop reads more than `rows[-1]`; and for `rows = tf.concat([rows, x], 1)`, which copies each time.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.loops.compiled_function import compiled
from tfrewrite.outcomes import Fidelity, Outcome, transform


@transform(gast.For, gast.While, gast.ListComp, gast.Assign, fidelity=Fidelity.ROUNDING, mentions=("for ", "while"), late=True)
def compiled_loop(loop: gast.For | gast.While | gast.ListComp | gast.Assign, facts: Facts) -> Outcome:
    return compiled(loop, facts)
