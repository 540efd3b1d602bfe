# for: both
# fidelity: tolerance
"""The log of the partition function of a linear-chain CRF, for sequences of several lengths."""

import tensorflow as tf


def crf_log_norm(emissions, transitions, lengths):
    steps = emissions.shape[1]
    alphas = emissions[:, 0]
    for t in range(1, steps):
        scores = alphas[:, :, None] + transitions[None] + emissions[:, t, None, :]
        new_alphas = tf.reduce_logsumexp(scores, axis=1)
        # Sequences that have ended keep what they had.
        running = tf.cast(t < lengths, tf.float32)[:, None]
        alphas = running * new_alphas + (1.0 - running) * alphas
    return tf.reduce_logsumexp(alphas, axis=1)


tags = 40
emissions = tf.random.normal([64, 60, tags], seed=1)
transitions = tf.random.normal([tags, tags], seed=2)
lengths = tf.constant([60, 45, 30, 15] * 16)

log_norm = crf_log_norm(emissions, transitions, lengths)
