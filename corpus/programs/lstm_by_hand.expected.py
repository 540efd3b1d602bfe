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


@tf.function(jit_compile=True)
def _unroll_loop(inputs, cell, state):
    outputs = tf.TensorArray(tf.float32, size=inputs.shape[1], element_shape=state[0].shape)

    def step(i, state, outputs):
        x = inputs[:, i]
        output, state = cell(x, state)
        outputs = outputs.write(i, output)
        return i + 1, state, outputs

    _, _, outputs = tf.while_loop(
        lambda i, state, outputs: i < inputs.shape[1],
        step,
        (0, state, outputs),
        shape_invariants=(tf.TensorShape([]), (state[0].shape, state[1].shape), tf.TensorShape(None)),
        maximum_iterations=inputs.shape[1],
    )
    return outputs.stack()


def unroll(cell, inputs):
    batch = inputs.shape[0]
    state = (tf.zeros([batch, cell.units]), tf.zeros([batch, cell.units]))
    outputs = _unroll_loop(inputs, cell, state)
    return tf.transpose(outputs, [1, 0, 2])


cell = LSTMCell(inputs=32, units=128)
inputs = tf.random.normal([64, 100, 32], seed=3)

hidden_states = unroll(cell, inputs)
