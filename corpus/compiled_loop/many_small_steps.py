# for: both
# fidelity: tolerance
import tensorflow as tf


def simulate(state, drift):
    for step in range(1000):
        state = tf.tanh(tf.matmul(state, drift) + state * 0.1)
    return state


result = simulate(tf.ones([10, 10]), tf.eye(10) * 0.5)
