# for: both
# fidelity: tolerance
# peak at most: 0.9
"""What a turn joins goes to where it is to stand. What was there before the loop is joined to it once."""
import tensorflow as tf


def collected(x, drift):
    history = tf.zeros([0, 4000])
    for _ in range(1000):
        # In eager code each turn copies all rows of the turns before.
        x = tf.tanh(x) * 0.9 + drift
        history = tf.concat([history, x], axis=0)
    return history


def begun(x):
    total = 0.0
    history = x[tf.newaxis]
    for i in range(64):
        x = tf.tanh(x) * 0.9
        history = tf.concat([history, x[tf.newaxis]], 0)
        total += tf.reduce_sum(x) * i
    return history, total


def perhaps(x, n):
    history = x[tf.newaxis]
    for _ in range(n):
        x = tf.tanh(x) * 0.9
        history = tf.concat([history, x[tf.newaxis]], 0)
    return history


def perhaps_nothing(x, n):
    history = tf.zeros([0, 3])
    for _ in range(n):
        x = tf.tanh(x) * 0.9
        history = tf.concat([history, x[tf.newaxis]], 0)
    return history


result = collected(tf.ones([1, 4000]), tf.ones([4000]) * 0.01)
few = begun(tf.ones([3])), perhaps(tf.ones([3]), 70), perhaps(tf.ones([3]), 0), perhaps_nothing(tf.ones([3]), 0), perhaps_nothing(tf.ones([3]), 60)
