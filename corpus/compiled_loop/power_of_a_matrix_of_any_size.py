# for: both
import tensorflow as tf


def largest(a: tf.Tensor):
    n, _ = a.shape
    v = tf.ones([n, 1])
    for _ in range(100):
        v = a @ v * 0.25
    return v


matrices = [tf.eye(1), tf.eye(4) + 1.0, tf.eye(3) * 2.0]
for a in matrices + [tf.eye(2)]:
    print(largest(a).shape)
