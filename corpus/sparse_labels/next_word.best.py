"""Losses and gradients are computed for 100 words at a time."""

import tensorflow as tf

tf.random.set_seed(4)
WORDS = 30000
text = tf.random.uniform([1201], maxval=WORDS, dtype=tf.int32)
table = tf.Variable(tf.random.normal([WORDS, 16], stddev=0.1))
weights = tf.Variable(tf.random.normal([16, WORDS], stddev=0.1))


def losses_of(words, following):
    hidden = tf.tanh(tf.gather(table, words))
    scores = tf.matmul(hidden, weights)
    return tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(following, WORDS), logits=scores)


def train(steps):
    found = []
    for i in range(steps):
        words = text[600 * i : 600 * i + 601]
        parts, gradient = [], tf.zeros_like(weights)
        for start in range(0, 600, 100):
            with tf.GradientTape() as tape:
                losses = losses_of(words[start : start + 100], words[start + 1 : start + 101])
                loss = tf.reduce_sum(losses) / 600
            parts.append(losses)
            gradient += tape.gradient(loss, weights)
            del tape, loss
        found.append(float(tf.reduce_mean(tf.concat(parts, 0))))
        weights.assign_sub(0.1 * gradient)
    return found


losses = train(2)
print([round(loss, 2) for loss in losses])
