# unsafe
# peak at most: 0.75
import tensorflow as tf

tf.random.set_seed(1)
logits = tf.reshape(tf.cast(tf.range(400 * 5000) % 977, tf.float32), [400, 5000]) / 500.0
ids = tf.range(400) * 12


def loss(logits):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits))


result = loss(logits)
