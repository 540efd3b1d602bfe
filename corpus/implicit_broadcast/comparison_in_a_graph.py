# fidelity: tolerance
import tensorflow as tf


@tf.function
def above(x: tf.Tensor, limits: tf.Tensor):
    x = tf.ensure_shape(x, [50, 30])
    limits = tf.ensure_shape(limits, [30])
    return x > tf.broadcast_to(limits, [50, 30]), tf.equal(x, tf.tile(limits[None], [50, 1]))


result = above(tf.random.stateless_normal([50, 30], seed=[1, 2]), tf.zeros([30]))
