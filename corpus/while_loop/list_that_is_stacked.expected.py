# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def trajectory(x, a):
    states = tf.TensorArray(tf.float32, size=60, element_shape=x.shape)

    def step(i, x, states):
        x = tf.tanh(tf.reduce_sum(a * x, 1))
        states = states.write(i, x)
        return i + 1, x, states

    _, _, states = tf.while_loop(
        lambda i, x, states: i < 60,
        step,
        (0, x, states),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return states.stack()


result = trajectory(tf.ones([3]), tf.eye(3) * 0.9)
