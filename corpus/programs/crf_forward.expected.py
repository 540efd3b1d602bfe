# for: both
# fidelity: tolerance
"""The log of the partition function of a linear-chain CRF, for sequences of several lengths."""

import tensorflow as tf


@tf.function(jit_compile=True)
def _crf_log_norm_loop(steps, transitions, emissions, lengths, alphas):
    def step(t, alphas):
        scores = alphas[:, :, None] + transitions[None] + emissions[:, t, None, :]
        new_alphas = tf.reduce_logsumexp(scores, axis=1)
        # Sequences that have ended keep what they had.
        running = tf.cast(t < lengths, tf.float32)[:, None]
        alphas = running * new_alphas + (1.0 - running) * alphas
        return t + 1, alphas

    _, alphas = tf.while_loop(
        lambda t, alphas: t < steps,
        step,
        (1, alphas),
        shape_invariants=(tf.TensorShape([]), alphas.shape),
        maximum_iterations=steps - 1,
    )
    return alphas


def crf_log_norm(emissions, transitions, lengths):
    steps = emissions.shape[1]
    alphas = emissions[:, 0]
    alphas = _crf_log_norm_loop(tf.constant(steps), transitions, emissions, lengths, alphas)
    return tf.reduce_logsumexp(alphas, axis=1)


tags = 40
emissions = tf.random.normal([64, 60, tags], seed=1)
transitions = tf.random.normal([tags, tags], seed=2)
lengths = tf.constant([60, 45, 30, 15] * 16)

log_norm = crf_log_norm(emissions, transitions, lengths)
