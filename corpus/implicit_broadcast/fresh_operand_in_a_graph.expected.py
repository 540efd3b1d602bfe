# fidelity: tolerance
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 30]), tf.TensorSpec([30])])
def weighted(x, weights):
    return tf.exp(x) * weights[tf.newaxis, :]


result = weighted(tf.random.stateless_normal([50, 30], seed=[1, 2]), tf.range(30.0))
