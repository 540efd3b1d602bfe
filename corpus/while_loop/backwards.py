# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def returns(rewards):
    value = tf.zeros([2])
    for reward in reversed(tf.unstack(rewards)):
        value = reward + 0.99 * value
    for i in reversed(range(90)):
        value = value + rewards[i]
    return value


result = returns(tf.random.normal([90, 2]))
