# for: both
# fidelity: tolerance
import tensorflow as tf

weights = tf.Variable(tf.eye(3) * 0.5)


def settle(x):
    for _ in range(60):
        x = tf.tanh(x @ weights)
    return x


first = settle(tf.ones([2, 3]))
weights.assign(tf.eye(3) * 2.0)
second = settle(tf.ones([2, 3]))
