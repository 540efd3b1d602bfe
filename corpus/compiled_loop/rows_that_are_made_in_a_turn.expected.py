# for: both
# fidelity: tolerance
# peak at most: 0.6
"""A turn fills a list of its own, and only the tensor that is made of it stays."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _table_loop(x):
    rows = tf.TensorArray(tf.float32, size=80, element_shape=[30, 100, 100])

    def step(i, rows):
        row = tf.TensorArray(tf.float32, size=30, element_shape=x.shape)  # of this turn

        def inner_step(j, row):
            row = row.write(j, tf.tanh(x * 0.01) * tf.cast(i, tf.float32) + tf.cast(j, tf.float32))
            return j + 1, row

        _, row = tf.while_loop(
            lambda j, row: j < 30,
            inner_step,
            (0, row),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=30,
        )
        # All of them stay.
        rows = rows.write(i, row.stack())
        return i + 1, rows

    _, rows = tf.while_loop(
        lambda i, rows: i < 80,
        step,
        (0, rows),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=80,
    )
    return rows.stack()


def table(x):
    rows = _table_loop(x)
    return rows


@tf.function(jit_compile=True)
def _planes_loop(x):
    planes = tf.TensorArray(tf.float32, size=3, element_shape=[4, 2, 5])

    def step(i, planes):
        plane = tf.TensorArray(tf.float32, size=4, element_shape=[2, 5])

        def inner_step(j, plane):
            row = tf.TensorArray(tf.float32, size=5, element_shape=x.shape)

            def innermost_step(k, row):
                row = row.write(k, tf.sin(x * tf.cast(i, x.dtype)) + tf.cast(j * k, tf.float32))
                return k + 1, row

            _, row = tf.while_loop(
                lambda k, row: k < 5,
                innermost_step,
                (0, row),
                shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
                maximum_iterations=5,
            )
            plane = plane.write(j, tf.transpose(row.stack(), [1, 0]))
            return j + 1, plane

        _, plane = tf.while_loop(
            lambda j, plane: j < 4,
            inner_step,
            (0, plane),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=4,
        )
        planes = planes.write(i, plane.stack())
        return i + 1, planes

    _, planes = tf.while_loop(
        lambda i, planes: i < 3,
        step,
        (0, planes),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=3,
    )
    return planes.concat()


def planes(x):
    planes = _planes_loop(x)
    return planes


@tf.function
def _sums_loop(x, y, s):
    kept = tf.TensorArray(tf.float32, size=20, element_shape=[6, 2])

    def step(i, s, kept):
        a = tf.TensorArray(tf.float32, size=6, element_shape=x.shape)
        b = tf.TensorArray(tf.float32, size=6, element_shape=y.shape[1:])

        def inner_step(j, a, b):
            a = a.write(j, x * tf.cast(j, x.dtype))
            b = b.write(j, y[i] - tf.cast(j, tf.float32))
            return j + 1, a, b

        _, a, b = tf.while_loop(
            lambda j, a, b: j < 6,
            inner_step,
            (0, a, b),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape(None)),
            maximum_iterations=6,
        )
        s = tf.tanh(s + tf.cast(i, s.dtype))
        kept = kept.write(i, a.stack())
        kept_b = tf.ensure_shape(b.concat(), [18])
        s = s + tf.reduce_max(kept_b)
        return i + 1, s, kept

    _, s, kept = tf.while_loop(
        lambda i, s, kept: i < 20,
        step,
        (0, s, kept),
        shape_invariants=(tf.TensorShape([]), s.shape, tf.TensorShape(None)),
        maximum_iterations=20,
        parallel_iterations=1,
    )
    return s, kept.stack()


def sums(x, y):
    s = tf.zeros([6])
    s, kept = _sums_loop(x, y, s)
    return kept, s


result = table(tf.ones([100, 100]))
in_three = planes(tf.constant([0.5, 1.5]))
with_a_state = sums(tf.constant([1.0, 2.0]), tf.ones([20, 3]))
