# unsafe
import tensorflow as tf

tf.random.set_seed(1)
ids = tf.random.uniform([300], maxval=1000, dtype=tf.int32)
scores = tf.random.normal([300, 1000])


@tf.function(jit_compile=True)
def losses(scores, ids):
    scores, ids = tf.ensure_shape(scores, [300, 1000]), tf.ensure_shape(ids, [300])
    return tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(ids, 1000), logits=scores)  # refused: sparse_labels: XLA


result = losses(scores, ids)
