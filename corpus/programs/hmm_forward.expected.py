# for: both
# fidelity: tolerance
"""The likelihood of 64 observed sequences under a hidden Markov model, scaled in every step."""

import tensorflow as tf


@tf.function(jit_compile=True)
def _forward_loop(observations, transitions, emissions, log_likelihood, belief):
    def step(t, log_likelihood, belief):
        scale = tf.reduce_sum(belief, axis=1, keepdims=True)
        log_likelihood += tf.math.log(scale[:, 0])
        belief = tf.matmul(belief / scale, transitions)
        belief = belief * tf.transpose(tf.gather(emissions, observations[:, t], axis=1))
        return t + 1, log_likelihood, belief

    _, log_likelihood, belief = tf.while_loop(
        lambda t, log_likelihood, belief: t < observations.shape[1],
        step,
        (1, log_likelihood, belief),
        shape_invariants=(tf.TensorShape([]), log_likelihood.shape, belief.shape),
        maximum_iterations=observations.shape[1] - 1,
    )
    return log_likelihood, belief


def forward(start, transitions, emissions, observations):
    belief = start[None, :] * tf.transpose(tf.gather(emissions, observations[:, 0], axis=1))
    log_likelihood = tf.zeros([observations.shape[0]])
    log_likelihood, belief = _forward_loop(
        observations,
        transitions,
        emissions,
        log_likelihood,
        belief,
    )
    return log_likelihood + tf.math.log(tf.reduce_sum(belief, axis=1))


states, symbols = 50, 2000
start = tf.nn.softmax(tf.random.normal([states], seed=1))
transitions = tf.nn.softmax(tf.random.normal([states, states], seed=2))
emissions = tf.nn.softmax(tf.random.normal([states, symbols], seed=3))
observations = tf.random.uniform([64, 100], maxval=symbols, dtype=tf.int32, seed=4)

log_likelihood = forward(start, transitions, emissions, observations)
