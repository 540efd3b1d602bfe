# for: both
# fidelity: tolerance
import tensorflow as tf

weights = tf.Variable(tf.eye(3) * 0.5)


@tf.function(jit_compile=True)
def _settle_loop(weights, x):
    def step(i, x):
        x = tf.tanh(x @ weights)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 60,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
    )
    return x


def settle(x):
    x = _settle_loop(weights, x)
    return x


first = settle(tf.ones([2, 3]))
weights.assign(tf.eye(3) * 2.0)
second = settle(tf.ones([2, 3]))
