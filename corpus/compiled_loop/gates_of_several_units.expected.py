# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def _run_loop(steps, x, w, u, c, h):
    outs = tf.TensorArray(tf.float32, size=steps, element_shape=c.shape)

    def step(t, c, h, outs):
        i, f, g, o = tf.split(x[:, t] @ w + h @ u, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
        outs = outs.write(t, h)
        return t + 1, c, h, outs

    _, c, _, outs = tf.while_loop(
        lambda t, c, h, outs: t < steps,
        step,
        (0, c, h, outs),
        shape_invariants=(tf.TensorShape([]), c.shape, h.shape, tf.TensorShape(None)),
        maximum_iterations=steps,
        parallel_iterations=1,
    )
    return c, outs.stack()


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
        if steps > 0:
            c, outs = _run_loop(tf.constant(steps), x, self.w, self.u, c, h)
        return tf.stack(outs, axis=1), c


for size, units in [(3, 4), (5, 1), (1, 8)]:
    cell = Cell(size, units)
    outs, c = cell.run(tf.ones([2, 50, size]))
    none, _ = cell.run(tf.ones([0, 1, size]))
    print(outs.shape, none.shape, round(float(tf.reduce_sum(c)), 2))
