# for: both
import tensorflow as tf


class Cell:
    def __init__(self, inputs, units):
        self.w = tf.Variable(tf.fill([inputs, units], 0.1))
        self.u = tf.Variable(tf.eye(units) * 0.5)
        self.units = units

    def run(self, x):
        h = tf.zeros([x.shape[0], self.units])
        for t in range(x.shape[1]):
            h = tf.tanh(x[:, t] @ self.w + h @ self.u)
        return h


if __name__ == "__main__":
    small, large = Cell(3, 1), Cell(5, 8)
    print(small.run(tf.ones([2, 100, 3])).shape, float(tf.reduce_sum(large.run(tf.ones([1, 60, 5])))))
    print(small.run(tf.ones([2, 0, 3])).shape, large.run(tf.ones([0, 60, 5])).shape)
