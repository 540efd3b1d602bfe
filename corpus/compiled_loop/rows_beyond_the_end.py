# for: both
# fidelity: tolerance
import tensorflow as tf

rates = tf.linspace(0.1, 0.9, 60)


def turned(x, t):
    return tf.tanh(x * rates[t])


def one_too_many(x):
    for t in range(61):
        x = turned(x, t)
    return x


x = tf.linspace(-1.0, 1.0, 60)
try:
    one_too_many(x)
except tf.errors.InvalidArgumentError:
    result = "raised"
