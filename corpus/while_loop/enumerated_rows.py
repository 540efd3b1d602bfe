# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def discounted(rewards):
    value = tf.zeros([])
    for step, reward in enumerate(tf.unstack(rewards)):
        value = value * 0.9 + reward - step
    return value


result = discounted(tf.random.normal([50]))
