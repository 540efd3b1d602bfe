# unsafe
import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.Variable(tf.ones([1024, 4]))
kernel = tf.Variable(tf.random.stateless_normal([4, 500], [1, 2]))


def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)
        logits = tf.matmul(x, kernel)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))  # refused: loss_by_rows: all that it makes of its rows is 2.0 MB
    return loss, tape.gradient(loss, [hidden, kernel])


result = gradients(tf.range(1024) % 500)
