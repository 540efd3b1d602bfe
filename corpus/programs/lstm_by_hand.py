# for: both
# fidelity: tolerance
"""An LSTM cell written out, over sequences of 100 steps."""

import tensorflow as tf


class LSTMCell(tf.Module):
    def __init__(self, inputs, units):
        super().__init__()
        self.units = units
        self.kernel = tf.Variable(tf.random.normal([inputs, 4 * units], stddev=0.1, seed=1))
        self.recurrent = tf.Variable(tf.random.normal([units, 4 * units], stddev=0.1, seed=2))
        self.bias = tf.Variable(tf.zeros([4 * units]))

    def __call__(self, x, state):
        h, c = state
        gates = tf.matmul(x, self.kernel) + tf.matmul(h, self.recurrent) + self.bias
        i, f, o, g = tf.split(gates, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
        return h, (h, c)


def unroll(cell, inputs):
    batch = inputs.shape[0]
    state = (tf.zeros([batch, cell.units]), tf.zeros([batch, cell.units]))
    outputs = []
    for x in tf.unstack(inputs, axis=1):
        output, state = cell(x, state)
        outputs.append(output)
    return tf.stack(outputs, axis=1)


cell = LSTMCell(inputs=32, units=128)
inputs = tf.random.normal([64, 100, 32], seed=3)

hidden_states = unroll(cell, inputs)
