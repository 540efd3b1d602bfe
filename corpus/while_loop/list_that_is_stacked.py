# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def trajectory(x, a):
    states = []
    for _ in range(60):
        x = tf.tanh(tf.reduce_sum(a * x, 1))
        states.append(x)
    return tf.stack(states)


result = trajectory(tf.ones([3]), tf.eye(3) * 0.9)
