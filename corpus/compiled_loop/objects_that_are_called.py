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


class Decoder:
    """Its object is named by its class in the function that is made of its loop."""

    def __init__(self, cell, width):
        self.out = tf.random.normal([cell.units, width], seed=3)

    def decode(self, start, steps):
        states: list[tf.Tensor] = []
        value = start
        for _ in range(steps):
            value = self.project(value)
            states.append(value)
        return tf.stack(states)

    def project(self, value):
        return tf.tanh(tf.matmul(value, self.out))


def unroll(cell, inputs):
    state = tf.zeros([inputs.shape[0], cell.units]), tf.zeros([inputs.shape[0], cell.units])
    outputs, sums = [], []
    for x in tf.unstack(inputs, axis=1):
        output, state = cell(x, state)
        outputs.append(output)
        sums.append(tf.reduce_sum(output))
    return tf.stack(outputs, axis=1), tf.stack(sums)


cell = Cell(inputs=4, units=8)
outputs, sums = unroll(cell, tf.random.normal([2, 60, 4], seed=4))
cell.kernel.assign(cell.kernel * 0.5)
again, _ = unroll(cell, tf.random.normal([2, 60, 4], seed=4))
decoder = Decoder(cell, 8)
decoded = decoder.decode(tf.ones([2, 8]), 60)
