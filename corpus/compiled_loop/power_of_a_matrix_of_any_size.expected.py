# for: both
import tensorflow as tf


@tf.function
def _largest_loop(a, v):
    def step(i, v):
        v = a @ v * 0.25
        return i + 1, v

    _, v = tf.while_loop(
        lambda i, v: i < 100,
        step,
        (0, v),
        shape_invariants=(tf.TensorShape([]), v.shape),
        maximum_iterations=100,
        parallel_iterations=1,
    )
    return v


def largest(a: tf.Tensor):
    n, _ = a.shape
    v = tf.ones([n, 1])
    v = _largest_loop(a, v)
    return v


matrices = [tf.eye(1), tf.eye(4) + 1.0, tf.eye(3) * 2.0]
for a in matrices + [tf.eye(2)]:
    print(largest(a).shape)
