# fidelity: tolerance
# peak at most: 0.5
import tensorflow as tf


def attention(q, k, v, mask):
    scale = tf.sqrt(tf.cast(q.shape[-1], tf.float32))

    def of_block(q_block, mask_block):
        scores = tf.matmul(q_block, k, transpose_b=True)
        # What may not be seen becomes minus infinity, nearly.
        logits = scores / scale + (1.0 - mask_block) * -1e9
        weights = tf.nn.softmax(logits, axis=-1)
        return tf.matmul(weights, v)

    return tf.concat(
        [
            of_block(q[:, :, start : start + 128], mask[start : start + 128])
            for start in range(0, q.shape[2], 128)
        ],
        axis=2,
    )


q = tf.random.normal([2, 4, 512, 16])
mask = tf.linalg.band_part(tf.ones([512, 512]), -1, 0)
attended = attention(q, tf.random.normal([2, 4, 512, 16]), tf.random.normal([2, 4, 512, 16]), mask)
