# for: both
import tensorflow as tf


class Filter(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.eye(4) * 0.5)

    @tf.function(input_signature=[tf.TensorSpec([2, 4])])
    def run(self, x):
        if x.shape[0] > 1:
            def step(i, x):
                x = tf.tanh(tf.matmul(x, self.kernel))
                return i + 1, x

            _, x = tf.while_loop(
                lambda i, x: i < 80,
                step,
                (0, x),
                shape_invariants=(tf.TensorShape([]), x.shape),
                maximum_iterations=80,
                parallel_iterations=1,
            )
        else:
            x = x @ self.kernel
        return x


class Other(tf.Module):
    @tf.function
    def run(self, x):
        return x + 1.0


filter, other = Filter(), Other()
result = filter.run(tf.ones([2, 4])), other.run(tf.ones([2]))
del filter, other
