# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def _collected_loop(n, x, total):
    outs = tf.TensorArray(tf.float32, size=(n << 1) - 1, element_shape=total.shape)

    def step(i, total, outs):
        total = tf.tanh(total + x) * 0.5
        outs = outs.write(i - 1, total)
        return i + 1, total, outs

    _, _, outs = tf.while_loop(
        lambda i, total, outs: i < n << 1,
        step,
        (1, total, outs),
        shape_invariants=(tf.TensorShape([]), total.shape, tf.TensorShape(None)),
        maximum_iterations=(n << 1) - 1,
        parallel_iterations=1,
    )
    return outs.stack()


def collected(x, n):
    outs = []
    total = tf.zeros([3])
    if 1 < n << 1:
        outs = _collected_loop(n, x, total)
    return tf.stack(outs)


@tf.function(jit_compile=True)
def _backwards_loop(n, x, total):
    def step(i, total):
        total = tf.tanh(total + x) * tf.cast(i, tf.float32)
        return i - 1, total

    _, total = tf.while_loop(
        lambda i, total: i > -1,
        step,
        ((n | 1) - 1, total),
        shape_invariants=(tf.TensorShape([]), total.shape),
        maximum_iterations=n | 1,
    )
    return total


def backwards(x, n):
    total = tf.zeros([3])
    if (n | 1) - 1 >= 0:
        total = _backwards_loop(n, x, total)
    return total


result = collected(tf.ones([3]), 31), backwards(tf.ones([3]), 31)
