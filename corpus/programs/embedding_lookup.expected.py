"""Scores sentences by the mean of the vectors of their words, looked up as a product with one-hot rows."""

import tensorflow as tf

WORDS = 5000


def embed(words, table):
    return tf.gather(table, words)


def scores(sentences, table, direction):
    vectors = embed(tf.reshape(sentences, [-1]), table)
    vectors = tf.reshape(vectors, [sentences.shape[0], sentences.shape[1], -1])
    return tf.linalg.matvec(tf.reduce_mean(vectors, axis=1), direction)


table = tf.random.normal([WORDS, 64], seed=1)
direction = tf.random.normal([64], seed=2)
sentences = tf.random.uniform([50, 20], maxval=WORDS, dtype=tf.int32, seed=3)

ranking = tf.argsort(scores(sentences, table, direction))
