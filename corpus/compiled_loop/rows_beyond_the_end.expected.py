# for: both
# fidelity: tolerance
import tensorflow as tf

rates = tf.linspace(0.1, 0.9, 60)


def turned(x, t):
    return tf.tanh(x * rates[t])


@tf.function
def _one_too_many_loop(x):
    def step(t, x):
        x = turned(x, t)
        return t + 1, x

    _, x = tf.while_loop(
        lambda t, x: t < 61,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=61,
        parallel_iterations=1,
    )
    return x


def one_too_many(x):
    x = _one_too_many_loop(x)
    return x


x = tf.linspace(-1.0, 1.0, 60)
try:
    one_too_many(x)
except tf.errors.InvalidArgumentError:
    result = "raised"
