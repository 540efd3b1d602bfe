# unsafe
import tensorflow as tf

images = tf.Variable(tf.random.stateless_normal([2100, 4], [1, 2]))
texts = tf.Variable(tf.random.stateless_normal([2100, 4], [3, 4]))


def gradients(places):
    total = 0.0
    with tf.GradientTape() as tape:
        a, b = tf.tanh(images), tf.tanh(texts)
        for temperature in [0.1, 0.5, 2.0]:
            # Each as far as its own temperature goes, when its gradient is computed too.
            logits = tf.matmul(a, b, transpose_b=True)
            logits /= temperature
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=places, logits=logits))
            total += loss
    return total, tape.gradient(total, [images, texts])


result = gradients(tf.range(2100))
