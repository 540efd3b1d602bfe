# for: both
# fidelity: tolerance
import tensorflow as tf

ids = tf.range(60) % 30
table = tf.reshape(tf.range(600.0), [30, 20]) / 600.0


@tf.function
def _beyond_loop(table, ids, x):
    def step(i, x):
        x = tf.tanh(x + tf.gather(table, ids, axis=1)[:, 0])
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 60,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return x


def beyond(x):
    x = _beyond_loop(table, ids, x)
    return x


@tf.function(jit_compile=True)
def _inside_loop(table, ids, x):
    def step(i, x):
        x = tf.tanh(x + tf.gather(table, ids % 20, axis=-1)[:, 0])
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 60,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
    )
    return x


def inside(x):
    x = _inside_loop(table, ids, x)
    return x


result = inside(tf.linspace(-1.0, 1.0, 30))
try:
    beyond(tf.linspace(-1.0, 1.0, 30))
except tf.errors.InvalidArgumentError:
    raised = True
