# unsafe
import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.Variable(tf.ones([1024, 4], tf.float16))
kernel = tf.Variable(tf.random.stateless_normal([4, 5000], [1, 2], dtype=tf.float16))


def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)
        logits = tf.matmul(x, kernel)  # refused: loss_by_rows: x is not known to be of float32
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))
    return loss, tape.gradient(loss, [hidden, kernel])


result = gradients(tf.range(1024))
