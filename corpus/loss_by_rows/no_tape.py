# unsafe
import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.Variable(tf.ones([1024, 4]))
kernel = tf.Variable(tf.random.stateless_normal([4, 5000], [1, 2]))


def gradients(words):
    x = tf.tanh(hidden)
    logits = tf.matmul(x, kernel)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))
    return loss


result = gradients(tf.range(1024))
