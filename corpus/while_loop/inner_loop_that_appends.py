# for: both
# fidelity: tolerance
# peak at most: 0.8
import tensorflow as tf


@tf.function
def table(x):
    out = []
    for i in range(20):
        for j in range(15):
            out.append(tf.tanh(x * 0.01) * i + j)
    return tf.stack(out)


@tf.function
def grid(x, n: int, m: int):
    cells = []
    for i in range(n):
        # a line
        left = tf.sin(x * i)
        for j in range(m):
            cells.append(left + j)
    return tf.reshape(tf.stack(cells), [n, m, 2])


@tf.function(jit_compile=True)
def compiled(x):
    parts = []
    for i in range(8, 0, -1):
        for j in range(1, 20, 2):
            x = x * 0.5 + i * j
            parts.append(x)
    return tf.concat(parts, axis=0), x


result = table(tf.ones([100, 100]))
some = grid(tf.constant([0.5, 1.5]), 9, 10)
none = grid(tf.constant([0.5, 1.5]), 3, 0)
by_xla = compiled(tf.constant([0.5, 1.5]))
