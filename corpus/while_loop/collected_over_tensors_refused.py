# raises in a graph
import tensorflow as tf


@tf.function
def often(x, n):
    out = []
    for i in tf.range(n):
        for j in tf.range(2):  # refused: while_loop: how many iterations append to out is not known before the loop
            x = x * 0.5 + j
            out.append(x)
    return tf.stack(out)


@tf.function
def sometimes(x, n):
    out = []
    for i in tf.range(n):
        x = x * 0.5
        if i % 2 == 1:
            out.append(x)  # refused: while_loop: out is appended to in some iterations only, and perhaps none at all
    return tf.stack(out)


@tf.function
def growing(x, n):
    out = []
    for i in tf.range(n):
        out.append(tf.fill([i + 1], 2.0))  # refused: while_loop: the shape of what is appended to out is not known
    return tf.concat(out, 0)


@tf.function
def in_words(x, n):
    out = []
    for i in tf.range(n):
        out.append(x + float(f"{i}"))  # refused: while_loop: float makes a Python value while the loop runs
    return tf.stack(out)


@tf.function
def asked(x, n):
    out = []
    for i in tf.range(n):
        out.append(x + i)
    stacked = tf.stack(out)
    return stacked / stacked.shape[0]  # refused: while_loop: the number of rows of stacked is read


@tf.function
def last_index(x, n):
    out = []
    for i in tf.range(n):  # refused: while_loop: i, the index, is read after the loop
        out.append(x * 0.5)
    return tf.stack(out) + tf.cast(i, tf.float32)


@tf.function
def of_floats(x):
    out = []
    for i in tf.range(0.0, 2.0, 0.5):  # refused: while_loop: 0.0 is not known to be a Python int
        out.append(x + i)
    return tf.stack(out)


@tf.function(jit_compile=True)
def compiled(x: tf.Tensor, n):
    x = tf.cast(x, tf.float32)
    out = []
    for i in tf.range(n):  # refused: while_loop: XLA compiles the function, and has to know before the loop how many iterations there are
        out.append(x + 1.0)
    return tf.stack(out)


@tf.function
def perhaps(x, n):
    out = []
    for i in tf.range(n):
        third = i / 3  # refused: while_loop: i / 3 is a tensor of float64 unless x * 2 + i makes the index a Python number
        out.append(x * 2 + i)
    return tf.stack(out), third


@tf.function
def at_once(x, n):
    out, others = [x], []
    for i in tf.range(n):  # refused: while_loop: out is not known to be a list of this function's own
        out.append(x + 1.0)
        others.append(x * 2.0)
    return tf.stack(out), tf.stack(others)


@tf.function
def by_the_count(x, n):
    out = []
    for i in tf.range(n):
        out.append(x * (i / n))  # refused: while_loop: i / n raises where n is 0
    return tf.stack(out)


@tf.function
def of_longs(x, n: int):
    out = []
    limit = tf.constant(3, tf.int64)
    for i in tf.range(limit):  # refused: while_loop: limit is not known to be a Python int
        out.append(x + 1.0)
    return tf.stack(out)


x = tf.constant([1.0, 2.0])
result = [one(x, tf.constant(3)) for one in (often, sometimes, growing, in_words, asked, last_index, compiled, perhaps)], of_floats(x)
again = at_once(x, 3), by_the_count(x, 3), of_longs(x, 3)
