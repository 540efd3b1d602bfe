# for: both
# fidelity: tolerance
import tensorflow as tf


def backward(rewards, discount):
    value = tf.zeros_like(rewards[0])
    values = []
    for t in reversed(range(rewards.shape[0])):
        value = rewards[t] + discount * value
        values.insert(0, value)
    return tf.stack(values)


def forward(rewards, discount):
    value, values = tf.zeros_like(rewards[0]), []
    for t in range(3, 60):
        value = rewards[t] + discount * value
        values.insert(
            0,  # the last one comes first
            value,
        )
    return tf.stack(values, axis=1)


rewards = tf.random.normal([100, 8], seed=1)
result = backward(rewards, 0.9), forward(rewards, 0.9)
