# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def rnn(xs, w, n):
    state = tf.zeros([3]), tf.zeros([3])
    for i in range(n):
        h, c = state
        c = tf.tanh(xs[i] + h * w) * 0.5 + c * 0.5
        state = tf.tanh(c), c
    return state[0]


@tf.function
def changes(x):
    state = x, x[:1]
    for i in range(60):  # refused: while_loop: state, a loop variable, is not known to be a tuple of tensors that keep their shape and dtype
        x, rest = state
        state = x * 0.9, tf.concat([rest, x[:1]], 0)
    return state[0], state[1]


xs = tf.reshape(tf.sin(tf.range(150.0)), [50, 3])
result = rnn(xs, tf.ones([3]), 50), rnn(xs, tf.ones([3]), 0), changes(xs[0])
