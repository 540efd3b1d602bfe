# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf


def soft_assignments(x, codes, values):
    def of_rows(rows):
        delta = tf.expand_dims(rows, axis=1) - tf.expand_dims(codes, axis=0)
        logits = -tf.reduce_sum(delta**2, axis=2)
        probabilities = tf.nn.softmax(logits)
        del delta
        return tf.einsum("nk,kd->nd", probabilities, values)

    return tf.concat([of_rows(x[start : start + 256]) for start in range(0, x.shape[0], 256)], axis=0)


assigned = soft_assignments(tf.random.normal([900, 24]), tf.random.normal([150, 24]), tf.random.normal([150, 5]))
