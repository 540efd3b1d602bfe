"""All steps in one loop that XLA compiles, which writes into sequences of the full length."""

import tensorflow as tf

VOCABULARY = 500
BEAMS = 8
START = 0


@tf.function(jit_compile=True)
def beam_search(table, length):
    def step(i, sequences, scores):
        candidates = scores[:, None] + tf.nn.log_softmax(tf.gather(table, sequences[:, i]))
        scores, flat = tf.math.top_k(tf.reshape(candidates, [-1]), k=BEAMS)
        beams, tokens = flat // VOCABULARY, flat % VOCABULARY
        sequences = tf.where(tf.range(length + 1) == i + 1, tokens[:, None], tf.gather(sequences, beams))
        return i + 1, sequences, scores

    scores = tf.concat([tf.zeros([1]), tf.fill([BEAMS - 1], -1e9)], axis=0)
    state = (0, tf.fill([BEAMS, length + 1], START), scores)
    _, sequences, scores = tf.while_loop(lambda i, *_: i < length, step, state, maximum_iterations=length)
    return sequences, scores


bigrams = tf.random.normal([VOCABULARY, VOCABULARY], stddev=2.0, seed=1)

sequences, scores = beam_search(bigrams, length=40)
