# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def counted(x):
    def step(i, x):
        x = x + 1.0
        return i + 2, x

    _, x = tf.while_loop(
        lambda i, x: i < 200,
        step,
        (3, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=99,
        parallel_iterations=1,
    )
    i = 199
    # i is 199 here
    return x * i


result = counted(tf.ones([2]))
