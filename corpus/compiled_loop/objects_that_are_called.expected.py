# for: both
# fidelity: tolerance
import tensorflow as tf


class Cell(tf.Module):
    def __init__(self, inputs, units, activation=0.5):
        super().__init__()
        self.units, self.slope = units, activation
        self.kernel = tf.Variable(tf.random.normal([inputs, 2 * units], stddev=0.3, seed=1))
        self.recurrent = tf.Variable(tf.random.normal([units, 2 * units], stddev=0.3, seed=2))

    def __call__(self, x, state):
        h, c = state
        gate, new = tf.split(tf.matmul(x, self.kernel) + tf.matmul(h, self.recurrent), 2, axis=1)
        c = tf.sigmoid(gate) * c + tf.tanh(new) * self.slope
        h = self.activated(c)
        return h, (h, c)

    def activated(self, c):
        return tf.tanh(c)


@tf.function(jit_compile=True)
def _decode_loop(steps, this_decoder, value):
    states = tf.TensorArray(tf.float32, size=steps, element_shape=value.shape)

    def step(i, value, states):
        value = this_decoder.project(value)
        states = states.write(i, value)
        return i + 1, value, states

    _, _, states = tf.while_loop(
        lambda i, value, states: i < steps,
        step,
        (0, value, states),
        shape_invariants=(tf.TensorShape([]), value.shape, tf.TensorShape(None)),
        maximum_iterations=steps,
    )
    return states.stack()


class Decoder:
    """Its object is named by its class in the function that is made of its loop."""

    def __init__(self, cell, width):
        self.out = tf.random.normal([cell.units, width], seed=3)

    def decode(self, start, steps):
        value = start
        states = _decode_loop(tf.constant(steps), self, value)
        return states

    def project(self, value):
        return tf.tanh(tf.matmul(value, self.out))


@tf.function(jit_compile=True)
def _unroll_loop(inputs, cell, state):
    outputs = tf.TensorArray(tf.float32, size=inputs.shape[1], element_shape=state[0].shape)
    sums = tf.TensorArray(tf.float32, size=inputs.shape[1], element_shape=[])

    def step(i, state, outputs, sums):
        x = inputs[:, i]
        output, state = cell(x, state)
        outputs = outputs.write(i, output)
        sums = sums.write(i, tf.reduce_sum(output))
        return i + 1, state, outputs, sums

    _, _, outputs, sums = tf.while_loop(
        lambda i, state, outputs, sums: i < inputs.shape[1],
        step,
        (0, state, outputs, sums),
        shape_invariants=(tf.TensorShape([]), (state[0].shape, state[1].shape), tf.TensorShape(None), tf.TensorShape(None)),
        maximum_iterations=inputs.shape[1],
    )
    return outputs.stack(), sums.stack()


def unroll(cell, inputs):
    state = tf.zeros([inputs.shape[0], cell.units]), tf.zeros([inputs.shape[0], cell.units])
    outputs, sums = _unroll_loop(inputs, cell, state)
    return tf.transpose(outputs, [1, 0, 2]), sums


cell = Cell(inputs=4, units=8)
outputs, sums = unroll(cell, tf.random.normal([2, 60, 4], seed=4))
cell.kernel.assign(cell.kernel * 0.5)
again, _ = unroll(cell, tf.random.normal([2, 60, 4], seed=4))
decoder = Decoder(cell, 8)
decoded = decoder.decode(tf.ones([2, 8]), 60)
