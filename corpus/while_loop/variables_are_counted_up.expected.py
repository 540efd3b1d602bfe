# for: both
import tensorflow as tf

total = tf.Variable(tf.zeros([2]))


@tf.function
def accumulate(x):
    def step(i, x):
        x = tf.sin(x)
        total.assign_add(x * tf.cast(i, x.dtype))
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 64,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=64,
        parallel_iterations=1,
    )
    return x


result = accumulate(tf.ones([2]))
