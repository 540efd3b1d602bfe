"""Common advice on memory that does not help, as measured."""

from __future__ import annotations

_PAGES = {
    "vectorized_map": """\
tf.vectorized_map instead of tf.map_fn does not save memory: it computes all rows at once, and holds what all of them need.

    reduce_sum(repeat(x, 10000)) of 1000 rows, in a graph     peak
    tf.map_fn                                                1.7 MB
    tf.map_fn(..., parallel_iterations=1)                    0.2 MB
    tf.vectorized_map                                       40.0 MB

It may save time if rows are small. For memory: parallel_iterations=1 (tfrewrite rule map_fn_parallel).""",
    "clear_session": """\
tf.keras.backend.clear_session() does not free models that were fitted: their compiled functions are kept.

    a model of 1000 units, built, compiled and fitted        kept of each
    nothing in between                                       5.2 MB
    clear_session() after each                               4.6 MB
    one model, set_weights() to its first weights            0.0 MB

What helps: one model whose weights are reset, or a process for each.""",
    "del": """\
del has no effect in a graph: a graph has no names, and frees each tensor after its last use anyway.

    y = square(x); z = y * 2; return z + 1, x of 4 MB        without    with del
    eager                                                   12.0 MB      8.0 MB
    in tf.function                                           4.0 MB      4.0 MB
    in tf.function(jit_compile=True)                         4.0 MB      4.0 MB

The graphs are the same, node by node. In eager code it helps, outside of a tape (tfrewrite rule early_release).""",
    "while_loop": """\
tf.while_loop in eager code is a Python loop: it saves neither memory nor time there.

    r = tanh(r @ a + r), [10, 10], 2000 iterations              time       peak
    for loop, eager                                            57 ms    0.09 MB
    tf.while_loop, eager                                       61 ms    0.10 MB
    tf.while_loop in a tf.function                              7 ms    0.09 MB

What helps is to compile the loop: tfrewrite rule compiled_loop. Inside of a tf.function, over a Python range, it keeps the graph
small (tfrewrite rule while_loop).""",
}
TOPICS = tuple(_PAGES)


def about(topic: str) -> str | None:
    """The page of a topic, however its name is dotted: `tf.vectorized_map` too."""
    return _PAGES.get(topic.rpartition(".")[2])
