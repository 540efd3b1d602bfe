"""A product takes the place of what is multiplied and summed, in a loop of the graph."""

import tensorflow as tf


@tf.function
def value_iteration(rewards, transitions, discount=0.9, tolerance=1e-4):
    def bellman(values):
        return rewards + discount * tf.linalg.matvec(transitions, values)

    def step(values, delta):
        new_values = tf.reduce_max(bellman(values), axis=0)
        return new_values, tf.reduce_max(tf.abs(new_values - values))

    state = (tf.zeros([rewards.shape[1]]), tf.constant(1.0))
    values, _ = tf.while_loop(lambda values, delta: delta > tolerance, step, state, parallel_iterations=1)
    return values, tf.argmax(bellman(values), axis=0)


actions, states = 6, 300
rewards = tf.random.uniform([actions, states], seed=1)
transitions = tf.nn.softmax(3.0 * tf.random.normal([actions, states, states], seed=2))

values, policy = value_iteration(rewards, transitions)
