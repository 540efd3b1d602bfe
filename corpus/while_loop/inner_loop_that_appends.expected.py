# for: both
# fidelity: tolerance
# peak at most: 0.8
import tensorflow as tf


@tf.function
def table(x):
    out = tf.TensorArray(tf.float32, size=300, element_shape=x.shape)

    def step(i, out):
        def inner_step(j, out):
            out = out.write(i * 15 + j, tf.tanh(x * 0.01) * tf.cast(i, tf.float32) + tf.cast(j, tf.float32))
            return j + 1, out

        _, out = tf.while_loop(
            lambda j, out: j < 15,
            inner_step,
            (0, out),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=15,
        )
        return i + 1, out

    _, out = tf.while_loop(
        lambda i, out: i < 20,
        step,
        (0, out),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=20,
        parallel_iterations=1,
    )
    return out.stack()


@tf.function
def grid(x, n: int, m: int):
    cells = []
    if n > 0 and m > 0:
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
        cells = cells.stack()
    return tf.reshape(tf.stack(cells), [n, m, 2])


@tf.function(jit_compile=True)
def compiled(x):
    parts = tf.TensorArray(tf.float32, size=80, element_shape=x.shape)

    def step(i, x, parts):
        def inner_step(j, x, parts):
            x = x * 0.5 + tf.cast(i * j, tf.float32)
            parts = parts.write((8 - i) * 10 + (j - 1) // 2, x)
            return j + 2, x, parts

        _, x, parts = tf.while_loop(
            lambda j, x, parts: j < 20,
            inner_step,
            (1, x, parts),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
            maximum_iterations=10,
        )
        return i - 1, x, parts

    _, x, parts = tf.while_loop(
        lambda i, x, parts: i > 0,
        step,
        (8, x, parts),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=8,
    )
    return parts.concat(), x


result = table(tf.ones([100, 100]))
some = grid(tf.constant([0.5, 1.5]), 9, 10)
none = grid(tf.constant([0.5, 1.5]), 3, 0)
by_xla = compiled(tf.constant([0.5, 1.5]))
