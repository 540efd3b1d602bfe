# for: both
"""Beam search over a language model that sees the last token alone: the eight most likely sequences of 40 tokens."""

import tensorflow as tf

VOCABULARY = 500
BEAMS = 8
START = 0


def next_scores(tokens, table):
    """The log probability of every token after each of `tokens`."""
    return tf.nn.log_softmax(tf.gather(table, tokens))


def beam_search(table, length):
    sequences = tf.fill([BEAMS, 1], START)
    # All beams are the same at first: only one of them may be continued.
    scores = tf.concat([tf.zeros([1]), tf.fill([BEAMS - 1], -1e9)], axis=0)
    for _ in range(length):
        candidates = scores[:, None] + next_scores(sequences[:, -1], table)
        scores, flat = tf.math.top_k(tf.reshape(candidates, [-1]), k=BEAMS)
        beams, tokens = flat // VOCABULARY, flat % VOCABULARY
        sequences = tf.concat([tf.gather(sequences, beams), tokens[:, None]], axis=1)
    return sequences, scores


bigrams = tf.random.normal([VOCABULARY, VOCABULARY], stddev=2.0, seed=1)

sequences, scores = beam_search(bigrams, length=40)
