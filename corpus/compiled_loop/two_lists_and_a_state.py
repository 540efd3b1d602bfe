# for: both
# fidelity: tolerance
import tensorflow as tf


def rollout(state, policy):
    returns = []
    losses = []
    for t in range(64):
        action = tf.tanh(tf.matmul(state, policy))
        state = 0.9 * state + action
        returns.append(tf.reduce_sum(state))
        losses.append(tf.square(action))
    return tf.stack(returns), tf.concat(losses, axis=0), state


result = rollout(tf.ones([1, 4]), tf.eye(4))
