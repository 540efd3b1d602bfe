"""What a Python loop over tensors is, and the `tf.while_loop` that does the same.

Reading a loop:
    headers              what it runs over
    bodies               what an iteration does, and which calls in it are known
    calls                the functions of the file that it calls
    comprehensions       a list comprehension as the loop that it stands for
    eager_while_loops    a `tf.while_loop` of eager code as the Python loop that it is
    lists                what is appended to, and what is made of the list after
    numbers              which Python numbers would become tensors, and whether they may
    integers             sizes and positions: a number, a name, or what is computed with them
    carried              what passes from iteration to iteration, with its shape and dtype
    choices              conditions and early exits
    plans                all of that for one loop, and for a nest of them

Deciding:
    autograph_and_tapes  what AutoGraph can convert, and what may be where the loop stands: a tape, a graph
    leaking_loops        loops that AutoGraph converts by itself, and that raise there
    segments             a loop under a tape, whose steps may be computed again for the gradient
    graph_and_xla        does it mean the same in a graph and under XLA, and what is rounded otherwise there?
    compiled_function    does an eager loop become a function of its own that is compiled, and in which form?

Writing:
    loop_text            the `tf.while_loop`
    outlining            the function around a loop that is compiled

The rules that decide where such a loop is worth having stand in `transforms/`.
"""
