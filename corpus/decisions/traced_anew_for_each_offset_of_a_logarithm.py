# for: both
import tensorflow as tf


@tf.function
def smoothed(counts, k):
    return tf.math.log(counts + k) > counts * 0.99995  # refused: jit_compile: tf.math.log(counts + k): a graph takes log(1 + x) for log1p(x), which has other digits near zero


print([smoothed(tf.constant([1e-4, 2e-4, 3e-4, 4e-4, 5e-4]), k).numpy().tolist() for k in (0.5, 1.0, 1.5, 2.0, 2.5)])
