# for: both
# fidelity: tolerance
"""The likelihood of 64 observed sequences under a hidden Markov model, scaled in every step."""

import tensorflow as tf


def forward(start, transitions, emissions, observations):
    belief = start[None, :] * tf.gather(tf.transpose(emissions), observations[:, 0])
    log_likelihood = tf.zeros([observations.shape[0]])
    for t in range(1, observations.shape[1]):
        scale = tf.reduce_sum(belief, axis=1, keepdims=True)
        log_likelihood += tf.math.log(scale[:, 0])
        belief = tf.matmul(belief / scale, transitions)
        belief = belief * tf.gather(tf.transpose(emissions), observations[:, t])
    return log_likelihood + tf.math.log(tf.reduce_sum(belief, axis=1))


states, symbols = 50, 2000
start = tf.nn.softmax(tf.random.normal([states], seed=1))
transitions = tf.nn.softmax(tf.random.normal([states, states], seed=2))
emissions = tf.nn.softmax(tf.random.normal([states, symbols], seed=3))
observations = tf.random.uniform([64, 100], maxval=symbols, dtype=tf.int32, seed=4)

log_likelihood = forward(start, transitions, emissions, observations)
