# for: both
# fidelity: tolerance
# peak at most: 0.6
"""One list of all turns of all loops: each member has its place."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _table_loop(x):
    out = tf.TensorArray(tf.float32, size=2400, element_shape=x.shape)

    def step(i, out):
        def inner_step(j, out):
            out = out.write(i * 30 + j, tf.tanh(x * 0.01) * tf.cast(i, tf.float32) + tf.cast(j, tf.float32))
            return j + 1, out

        _, out = tf.while_loop(
            lambda j, out: j < 30,
            inner_step,
            (0, out),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=30,
        )
        return i + 1, out

    _, out = tf.while_loop(
        lambda i, out: i < 80,
        step,
        (0, out),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=80,
    )
    return out.stack()


def table(x):
    out = _table_loop(x)
    return out


@tf.function
def _grid_loop(n, x, m):
    cells = tf.TensorArray(tf.float32, size=n * m, element_shape=x.shape)

    def step(i, cells):
        # a line
        left = tf.sin(x * tf.cast(i, x.dtype))

        def inner_step(j, cells):
            cells = cells.write(i * m + j, left + tf.cast(j, left.dtype))
            return j + 1, cells

        _, cells = tf.while_loop(
            lambda j, cells: j < m,
            inner_step,
            (0, cells),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=m,
        )
        return i + 1, cells

    _, cells = tf.while_loop(
        lambda i, cells: i < n,
        step,
        (0, cells),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    return cells.stack()


def grid(x, n, m):
    cells = []
    if n > 0 and m > 0:
        cells = _grid_loop(tf.constant(n), x, tf.constant(m))
    return tf.reshape(tf.stack(cells), [n, m, 2])


@tf.function(jit_compile=True)
def _pairs_loop(a, b):
    out = tf.TensorArray(tf.float32, size=a.shape[0] * b.shape[0], element_shape=[])

    def step(i, out):
        p = a[i]

        def inner_step(j, out):
            q = b[j]
            out = out.write(i * b.shape[0] + j, tf.reduce_sum(p * q))
            return j + 1, out

        _, out = tf.while_loop(
            lambda j, out: j < b.shape[0],
            inner_step,
            (0, out),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=b.shape[0],
        )
        return i + 1, out

    _, out = tf.while_loop(
        lambda i, out: i < a.shape[0],
        step,
        (0, out),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=a.shape[0],
    )
    return out.stack()


def pairs(a, b):
    out = _pairs_loop(a, b)
    out = tf.reshape(out, [a.shape[0], b.shape[0]])
    return out


@tf.function(jit_compile=True)
def _after_two_loop(x):
    path = tf.TensorArray(tf.float32, size=81, element_shape=x.shape).write(0, x)

    def step(i, x, path):
        def inner_step(j, x, path):
            x = x * 0.5 + tf.cast(i * j, tf.float32)
            path = path.write((8 - i) * 10 + (j - 1) // 2 + 1, x)
            return j + 2, x, path

        _, x, path = tf.while_loop(
            lambda j, x, path: j < 20,
            inner_step,
            (1, x, path),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
            maximum_iterations=10,
        )
        return i - 1, x, path

    _, x, path = tf.while_loop(
        lambda i, x, path: i > 0,
        step,
        (8, x, path),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=8,
    )
    return x, path.concat()


def after_two(x):
    x, path = _after_two_loop(x)
    return path, x


@tf.function(jit_compile=True)
def _losses_loop(x):
    firsts = tf.TensorArray(tf.float32, size=10, element_shape=x.shape)

    def step(i, firsts, total):
        firsts = firsts.write(i, x * tf.cast(i, x.dtype))

        def inner_step(j, total):
            total += tf.reduce_sum(tf.sin(x * tf.cast(i, x.dtype))) + tf.cast(j, tf.float32)
            return j + 1, total

        _, total = tf.while_loop(
            lambda j, total: j < 10,
            inner_step,
            (0, total),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([])),
            maximum_iterations=10,
        )
        return i + 1, firsts, total

    _, firsts, total = tf.while_loop(
        lambda i, firsts, total: i < 10,
        step,
        (0, firsts, tf.zeros([], tf.float32)),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape([])),
        maximum_iterations=10,
    )
    return firsts.stack(), total


def losses(x):
    firsts, total = _losses_loop(x)
    return total, firsts


result = table(tf.ones([100, 100]))
some = grid(tf.constant([0.5, 1.5]), 9, 10)
none = tf.zeros([])
for n in (0, 3):
    none = grid(tf.constant([0.5, 1.5]), n, 0)
of_rows = pairs(tf.ones([9, 3]), tf.ones([10, 3]))
known = after_two(tf.constant([0.5, 1.5]))
summed = losses(tf.constant([0.5, 1.5]))
