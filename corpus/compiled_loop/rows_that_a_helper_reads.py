# for: both
# fidelity: tolerance
import tensorflow as tf

rates = tf.linspace(0.1, 0.9, 60)


def turned(x, t):
    return tf.tanh(x * rates[t] + rates[t - 1])


def all_rows(x):
    for t in range(1, 60):
        x = turned(x, t) * rates[t]
    return x


def backwards(x, noise):
    for t in reversed(range(60)):
        x = tf.tanh(x + noise[0, t, :]) * rates[t]
    return x


def from_the_end(x):
    for t in range(60):
        x = tf.tanh(x) * rates[-t]
    return x


def other_axis(x, noise):
    for t in range(60):
        x = tf.tanh(x) * noise[..., t][0, t]
    return x


x = tf.linspace(-1.0, 1.0, 60)
noise = tf.reshape(tf.range(3600.0), [1, 60, 60]) / 3600.0
result = all_rows(x), backwards(x, noise), from_the_end(x), other_axis(x, noise)
