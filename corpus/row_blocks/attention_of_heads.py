# fidelity: tolerance
# peak at most: 0.5
import tensorflow as tf


def attention(q, k, v, mask):
    scores = tf.matmul(q, k, transpose_b=True)
    scale = tf.sqrt(tf.cast(q.shape[-1], tf.float32))
    # What may not be seen becomes minus infinity, nearly.
    logits = scores / scale + (1.0 - mask) * -1e9
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, v)


q = tf.random.normal([2, 4, 512, 16])
mask = tf.linalg.band_part(tf.ones([512, 512]), -1, 0)
attended = attention(q, tf.random.normal([2, 4, 512, 16]), tf.random.normal([2, 4, 512, 16]), mask)
