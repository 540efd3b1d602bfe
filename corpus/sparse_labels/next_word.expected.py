# unsafe
# peak at most: 0.8
"""A model of the next word: batches of 600 words of 30,000, whose one-hot vectors take 72 MB each."""

import tensorflow as tf

tf.random.set_seed(4)
WORDS = 30000
text = tf.random.uniform([1201], maxval=WORDS, dtype=tf.int32)
table = tf.Variable(tf.random.normal([WORDS, 16], stddev=0.1))
weights = tf.Variable(tf.random.normal([16, WORDS], stddev=0.1))


def losses_of(words, following):
    hidden = tf.tanh(tf.gather(table, words))
    scores = tf.matmul(hidden, weights)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=following, logits=scores)


def train(steps):
    found = []
    for i in range(steps):
        words = text[600 * i : 600 * i + 601]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(losses_of(words[:-1], words[1:]))
        found.append(float(loss))
        gradient = tape.gradient(loss, weights)
        weights.assign_sub(0.1 * gradient)
    return found


losses = train(2)
print([round(loss, 2) for loss in losses])
