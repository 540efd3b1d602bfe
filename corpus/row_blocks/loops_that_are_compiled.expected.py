# for: both
# fidelity: tolerance
import tensorflow as tf


def pull(x):
    apart = x[None, :, :] - x[:, None, :]
    squared = tf.reduce_sum(tf.square(apart), axis=-1) + 0.1
    return tf.reduce_sum(apart / squared[:, :, None], axis=1)


@tf.function(jit_compile=True)
def _settle_loop(steps, x):
    def step(i, x):
        x = x + 0.001 * pull(x)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < steps,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=steps,
    )
    return x


def settle(x, steps):
    x = _settle_loop(tf.constant(steps), x)
    return x


@tf.function(jit_compile=True)
def _settle_in_a_while_loop_loop(x):
    def step(i, x):
        x = x + 0.001 * pull(x)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 30,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=30,
    )
    return x


def settle_in_a_while_loop(x):
    x = _settle_in_a_while_loop_loop(x)
    return x


x = tf.random.normal([500, 3], seed=1)
result = settle(x, 30)
other = settle_in_a_while_loop(x)
