"""The most likely path through a hidden Markov model: forward with pointers, then back along them."""

import tensorflow as tf


def viterbi(log_start, log_transitions, log_emissions):
    steps = log_emissions.shape[0]
    scores = log_start + log_emissions[0]
    pointers = []
    for t in range(1, steps):
        candidates = scores[:, None] + log_transitions
        pointers.append(tf.argmax(candidates, axis=0))
        scores = tf.reduce_max(candidates, axis=0) + log_emissions[t]
    state = tf.argmax(scores)
    path = [state]
    for pointer in reversed(pointers):
        state = pointer[state]
        path.append(state)
    path.reverse()
    return tf.stack(path), tf.reduce_max(scores)


states, steps = 100, 400
log_start = tf.nn.log_softmax(tf.random.normal([states], seed=1))
log_transitions = tf.nn.log_softmax(tf.random.normal([states, states], seed=2))
log_emissions = tf.nn.log_softmax(tf.random.normal([steps, states], seed=3))

path, score = viterbi(log_start, log_transitions, log_emissions)
