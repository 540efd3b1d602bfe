# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def sampled(x):
    columns = tf.TensorArray(tf.float32, size=66, element_shape=x.shape)

    def step(i, x, columns):
        x = x * 0.99 + tf.cast(0.001 * tf.cast(i, tf.float64), tf.float32)
        columns = columns.write((200 - i) // 3, x)
        return i - 3, x, columns

    _, _, columns = tf.while_loop(
        lambda i, x, columns: i > 2,
        step,
        (200, x, columns),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=66,
        parallel_iterations=1,
    )
    return tf.transpose(columns.stack(), [1, 2, 0])


result = sampled(tf.ones([2, 3]))
