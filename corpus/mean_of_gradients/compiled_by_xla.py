# unsafe
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def mean_of(x, y):
    return tf.reduce_mean(tf.stack([x, y]), axis=0)  # refused: mean_of_gradients: XLA


result = mean_of(tf.fill([1000, 800], 3.0), tf.ones([1000, 800]))
