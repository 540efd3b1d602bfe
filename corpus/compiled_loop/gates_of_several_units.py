# for: both
# fidelity: tolerance
import tensorflow as tf


class Cell:
    def __init__(self, size, units):
        self.units = units
        self.w = tf.Variable(tf.fill([size, 4 * units], 0.1))
        self.u = tf.Variable(tf.fill([units, 4 * units], 0.05))

    def run(self, x: tf.Tensor):
        batch, steps, _ = x.shape
        h = tf.zeros([batch, self.units])
        c = tf.zeros([batch, self.units])
        outs = []
        for t in range(steps):
            i, f, g, o = tf.split(x[:, t] @ self.w + h @ self.u, 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
            outs.append(h)
        return tf.stack(outs, axis=1), c


for size, units in [(3, 4), (5, 1), (1, 8)]:
    cell = Cell(size, units)
    outs, c = cell.run(tf.ones([2, 50, size]))
    none, _ = cell.run(tf.ones([0, 1, size]))
    print(outs.shape, none.shape, round(float(tf.reduce_sum(c)), 2))
