# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def doubled(x):
    n = 0

    def step(x, n):
        x = x + tf.sin(x)
        n += 1
        return x, n

    x, _ = tf.while_loop(
        lambda x, n: n < 50,
        step,
        (x, n),
        shape_invariants=(x.shape, tf.TensorShape([])),
        parallel_iterations=1,
    )
    return x


result = doubled(tf.constant([0.1, 0.2]))
