"""Blocks of four sequences, in a loop that XLA compiles: only a block's states have to be turned."""

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


BLOCK = 4


@tf.function(jit_compile=True)
def unroll(cell, inputs):
    batch, steps, _ = inputs.shape

    def unrolled(block):
        rows = tf.slice(inputs, [block * BLOCK, 0, 0], [BLOCK, steps, inputs.shape[2]])

        def step(t, state, outputs):
            output, state = cell(rows[:, t], state)
            return t + 1, state, outputs.write(t, output)

        zeros = tf.zeros([BLOCK, cell.units])
        outputs = tf.TensorArray(tf.float32, size=steps, element_shape=zeros.shape)
        _, _, outputs = tf.while_loop(lambda t, *_: t < steps, step, (0, (zeros, zeros), outputs), maximum_iterations=steps)
        return tf.transpose(outputs.stack(), [1, 0, 2])

    blocks = tf.map_fn(unrolled, tf.range(batch // BLOCK), fn_output_signature=tf.float32)
    return tf.reshape(blocks, [batch, steps, cell.units])


cell = LSTMCell(inputs=32, units=128)
inputs = tf.random.normal([64, 100, 32], seed=3)

hidden_states = unroll(cell, inputs)
