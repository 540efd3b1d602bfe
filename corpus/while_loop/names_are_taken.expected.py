# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def search(x, step, done: int):
    def one_step(j, x, stopped):
        x = x - step * (x - 1.0)
        if done > 3:
            return j, x, True
        return j + 1, x, False

    _, x, _ = tf.while_loop(
        lambda j, x, stopped: j < 90 and not stopped,
        one_step,
        (0, x, False),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    i = tf.reduce_max(x)
    return x, i


result = search(tf.constant([1.0, 9.0]), tf.constant(0.25), 2)
