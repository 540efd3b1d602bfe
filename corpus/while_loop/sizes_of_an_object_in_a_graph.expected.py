# for: both
# fidelity: tolerance
import tensorflow as tf


class Cell:
    def __init__(self, inputs, units):
        self.w = tf.Variable(tf.fill([inputs, units], 0.1))
        self.u = tf.Variable(tf.eye(units) * 0.5)
        self.units = units

    @tf.function
    def run(self, x: tf.Tensor):
        x.shape.assert_has_rank(3)
        h = tf.zeros([tf.shape(x)[0], self.units])
        if x.shape[1] > 0:
            def step(t, h):
                h = tf.tanh(x[:, t] @ self.w + h @ self.u)
                return t + 1, h

            _, h = tf.while_loop(
                lambda t, h: t < x.shape[1],
                step,
                (0, h),
                shape_invariants=(tf.TensorShape([]), h.shape),
                maximum_iterations=x.shape[1],
                parallel_iterations=1,
            )
        return h


small, large = Cell(3, 1), Cell(5, 8)
print(small.run(tf.ones([2, 50, 3])).shape, large.run(tf.ones([1, 60, 5])).shape, large.run(tf.ones([0, 1, 5])).shape)
