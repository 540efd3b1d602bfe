# for: both
# fidelity: tolerance
"""A state that is a tuple passes from turn to turn as one."""
import tensorflow as tf


def rnn(xs, w):
    state = (tf.zeros([3]), tf.zeros([3]))
    for i in range(xs.shape[0]):
        h, c = state
        c = tf.tanh(xs[i] + h * w) * 0.5 + c * 0.5
        state = (tf.tanh(c), c)
    return state[0]


def nested(xs, w):
    state = (tf.zeros([3]), (tf.zeros([3]), tf.ones([])))
    outputs = []
    for x in tf.unstack(xs):
        h, (c, n) = state
        c = tf.tanh(x + h * w) * 0.5 + c * 0.5
        state = tf.tanh(c), (c, n + 1.0)
        outputs.append(c)
    return state, tf.stack(outputs)


xs = tf.reshape(tf.sin(tf.range(150.0)), [50, 3])
result = rnn(xs, tf.ones([3])), nested(xs, tf.ones([3]))
