# for: both
import tensorflow as tf


def step(state, drive):
    return 0.9 * state + tf.tanh(drive)


@tf.function
def drive(x, u):
    def one_step(i, x):
        x = step(x, u)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 48,
        one_step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=48,
        parallel_iterations=1,
    )
    return x


result = drive(tf.zeros([4]), tf.ones([4]))
