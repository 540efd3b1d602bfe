# unsafe
# peak at most: 0.5
import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.Variable(tf.ones([1030, 16]))
kernel = tf.Variable(tf.random.stateless_normal([16, 8000], [1, 2]))
bias = tf.Variable(tf.zeros([8000]))


def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)
        logits = tf.matmul(x, kernel) + bias  # a result for each word
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))
    return loss, tape.gradient(loss, [hidden, kernel, bias])


result = gradients(tf.range(1030))
