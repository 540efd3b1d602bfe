"""The vectors of the words are gathered and averaged in one go."""

import tensorflow as tf

WORDS = 5000


@tf.function(jit_compile=True)
def scores(sentences, table, direction):
    return tf.linalg.matvec(tf.reduce_mean(tf.gather(table, sentences), axis=1), direction)


table = tf.random.normal([WORDS, 64], seed=1)
direction = tf.random.normal([64], seed=2)
sentences = tf.random.uniform([50, 20], maxval=WORDS, dtype=tf.int32, seed=3)

ranking = tf.argsort(scores(sentences, table, direction))
