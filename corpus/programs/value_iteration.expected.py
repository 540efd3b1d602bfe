# for: both
# fidelity: tolerance
"""Value iteration for 300 states and six actions, until no value moves any more."""

import tensorflow as tf


def bellman(values, rewards, transitions, discount):
    expected = tf.linalg.matvec(transitions, values)
    return rewards + discount * expected


@tf.function
def _value_iteration_loop(tolerance, rewards, transitions, discount, delta, values):
    def step(delta, values):
        q_values = bellman(values, rewards, transitions, discount)
        new_values = tf.reduce_max(q_values, axis=0)
        delta = tf.reduce_max(tf.abs(new_values - values))
        values = new_values
        return delta, values

    _, values = tf.while_loop(
        lambda delta, values: delta > tolerance,
        step,
        (delta, values),
        shape_invariants=(delta.shape, values.shape),
        parallel_iterations=1,
    )
    return values


def value_iteration(rewards, transitions, discount=0.9, tolerance=1e-4):
    values = tf.zeros([rewards.shape[1]])
    delta = tf.constant(1.0)
    if delta > tolerance:
        values = _value_iteration_loop(
            tf.constant(tolerance),
            rewards,
            transitions,
            tf.constant(discount),
            delta,
            values,
        )
    policy = tf.argmax(bellman(values, rewards, transitions, discount), axis=0)
    return values, policy


actions, states = 6, 300
rewards = tf.random.uniform([actions, states], seed=1)
transitions = tf.nn.softmax(3.0 * tf.random.normal([actions, states, states], seed=2))

values, policy = value_iteration(rewards, transitions)
