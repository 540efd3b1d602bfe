"""One loop of the graph that looks up columns, so that nothing is transposed but what was looked up."""

import tensorflow as tf


@tf.function
def forward(start, transitions, emissions, observations):
    def seen(t):
        return tf.transpose(tf.gather(emissions, observations[:, t], axis=1))

    def step(t, log_likelihood, belief):
        scale = tf.reduce_sum(belief, axis=1, keepdims=True)
        belief = tf.matmul(belief / scale, transitions) * seen(t)
        return t + 1, log_likelihood + tf.math.log(scale[:, 0]), belief

    sequences, steps = observations.shape
    state = (1, tf.zeros([sequences]), start[None, :] * seen(0))
    _, log_likelihood, belief = tf.while_loop(lambda t, *_: t < steps, step, state, parallel_iterations=1)
    return log_likelihood + tf.math.log(tf.reduce_sum(belief, axis=1))


states, symbols = 50, 2000
start = tf.nn.softmax(tf.random.normal([states], seed=1))
transitions = tf.nn.softmax(tf.random.normal([states, states], seed=2))
emissions = tf.nn.softmax(tf.random.normal([states, symbols], seed=3))
observations = tf.random.uniform([64, 100], maxval=symbols, dtype=tf.int32, seed=4)

log_likelihood = forward(start, transitions, emissions, observations)
