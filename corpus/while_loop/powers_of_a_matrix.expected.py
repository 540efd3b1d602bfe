# peak at most: 0.2
"""The graph of 500 products is one of a single product."""
import tensorflow as tf


@tf.function
def power(a, r):
    def step(i, r):
        r = tf.matmul(r, a)
        return i + 1, r

    _, r = tf.while_loop(
        lambda i, r: i < 500,
        step,
        (0, r),
        shape_invariants=(tf.TensorShape([]), r.shape),
        maximum_iterations=500,
        parallel_iterations=1,
    )
    return r


result = power(tf.eye(10), tf.ones([10, 10]))
