# for: both
# fidelity: tolerance
# peak at most: 0.6
"""One list of all turns of all loops: each member has its place."""
import tensorflow as tf


def table(x):
    out = []
    for i in range(80):
        for j in range(30):
            out.append(tf.tanh(x * 0.01) * i + j)
    return tf.stack(out)


def grid(x, n, m):
    cells = []
    for i in range(n):
        # a line
        left = tf.sin(x * i)
        for j in range(m):
            cells.append(left + j)
    return tf.reshape(tf.stack(cells), [n, m, 2])


def pairs(a, b):
    out = []
    for p in a:
        for q in b:
            out.append(tf.reduce_sum(p * q))
    out = tf.reshape(tf.stack(out), [a.shape[0], b.shape[0]])
    return out


def after_two(x):
    path = [x]
    for i in range(8, 0, -1):
        for j in range(1, 20, 2):
            x = x * 0.5 + i * j
            path.append(x)
    return tf.concat(path, axis=0), x


def losses(x):
    terms, firsts = [], []
    for i in range(10):
        firsts.append(x * i)
        for j in range(10):
            terms.append(tf.reduce_sum(tf.sin(x * i)) + j)
    return tf.add_n(terms), tf.stack(firsts)


result = table(tf.ones([100, 100]))
some = grid(tf.constant([0.5, 1.5]), 9, 10)
none = tf.zeros([])
for n in (0, 3):
    none = grid(tf.constant([0.5, 1.5]), n, 0)
of_rows = pairs(tf.ones([9, 3]), tf.ones([10, 3]))
known = after_two(tf.constant([0.5, 1.5]))
summed = losses(tf.constant([0.5, 1.5]))
