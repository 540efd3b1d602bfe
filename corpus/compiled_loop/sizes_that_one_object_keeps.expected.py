# for: both
import tensorflow as tf


@tf.function
def _run_loop(x, w, u, h):
    def step(t, h):
        h = tf.tanh(x[:, t] @ w + h @ u)
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


class Cell:
    def __init__(self, inputs, units):
        self.w = tf.Variable(tf.fill([inputs, units], 0.1))
        self.u = tf.Variable(tf.eye(units) * 0.5)
        self.units = units

    def run(self, x):
        h = tf.zeros([x.shape[0], self.units])
        if x.shape[1] > 0:
            h = _run_loop(x, self.w, self.u, h)
        return h


if __name__ == "__main__":
    small, large = Cell(3, 1), Cell(5, 8)
    print(small.run(tf.ones([2, 100, 3])).shape, float(tf.reduce_sum(large.run(tf.ones([1, 60, 5])))))
    print(small.run(tf.ones([2, 0, 3])).shape, large.run(tf.ones([0, 60, 5])).shape)
