# for: both
# fidelity: tolerance
import tensorflow as tf


def returns(rewards, discount):
    value = tf.zeros([4])
    values = []
    for reward in reversed(rewards):
        value = reward + discount * value
        values.append(value)
    return tf.stack(values, axis=0)


result = returns(tf.random.normal([70, 4]), 0.99)
