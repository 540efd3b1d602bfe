# unsafe
import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.Variable(tf.ones([1024, 4]))
kernel = tf.Variable(tf.random.stateless_normal([4, 5000], [1, 2]))


def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)
        logits = tf.matmul(x, kernel)
        logits = logits - tf.reduce_max(logits, axis=0)  # refused: loss_by_rows: tf.reduce_max(logits, axis=0) is not known to be computed row by row
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))
    return loss, tape.gradient(loss, [hidden, kernel])


result = gradients(tf.range(1024))
