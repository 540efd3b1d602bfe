# for: both
"""Beam search over a language model that sees the last token alone: the eight most likely sequences of 40 tokens."""

import tensorflow as tf

VOCABULARY = 500
BEAMS = 8
START = 0


def next_scores(tokens, table):
    """The log probability of every token after each of `tokens`."""
    return tf.nn.log_softmax(tf.gather(table, tokens))


@tf.function
def _beam_search_loop(length, table, scores, sequences):
    def step(i, scores, sequences):
        candidates = scores[:, None] + next_scores(sequences[:, -1], table)
        scores, flat = tf.math.top_k(tf.reshape(candidates, [-1]), k=BEAMS)
        beams, tokens = flat // VOCABULARY, flat % VOCABULARY
        sequences = tf.concat([tf.gather(sequences, beams), tokens[:, None]], axis=1)
        return i + 1, scores, sequences

    _, scores, sequences = tf.while_loop(
        lambda i, scores, sequences: i < length,
        step,
        (0, scores, sequences),
        shape_invariants=(tf.TensorShape([]), scores.shape, tf.TensorShape([8, None])),
        maximum_iterations=length,
        parallel_iterations=1,
    )
    return scores, sequences


def beam_search(table, length):
    sequences = tf.fill([BEAMS, 1], START)
    # All beams are the same at first: only one of them may be continued.
    scores = tf.concat([tf.zeros([1]), tf.fill([BEAMS - 1], -1e9)], axis=0)
    scores, sequences = _beam_search_loop(tf.constant(length), table, scores, sequences)
    return sequences, scores


bigrams = tf.random.normal([VOCABULARY, VOCABULARY], stddev=2.0, seed=1)

sequences, scores = beam_search(bigrams, length=40)
