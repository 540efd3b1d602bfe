# for: both
import tensorflow as tf


@tf.function
def powers(x):
    members = tf.TensorArray(tf.float32, size=64, element_shape=x.shape)

    def step(i, members):
        members = members.write(i, x * tf.sin(x + tf.cast(i, x.dtype)))
        return i + 1, members

    _, members = tf.while_loop(
        lambda i, members: i < 64,
        step,
        (0, members),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=64,
        parallel_iterations=1,
    )
    rows = members.stack()
    return rows


result = powers(tf.constant([0.5, 2.0]))
