# fidelity: tolerance
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 30]), tf.TensorSpec([30])])
def weighted(x, weights):
    rows = tf.shape(x)[0]
    return tf.exp(x) * tf.tile(weights[tf.newaxis, :], [rows, 1])


result = weighted(tf.random.stateless_normal([50, 30], seed=[1, 2]), tf.range(30.0))
