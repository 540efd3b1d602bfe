# for: both
# fidelity: tolerance
import tensorflow as tf

ids = tf.range(60) % 30
table = tf.reshape(tf.range(600.0), [30, 20]) / 600.0


def beyond(x):
    for _ in range(60):
        x = tf.tanh(x + tf.gather(table, ids, axis=1)[:, 0])
    return x


def inside(x):
    for _ in range(60):
        x = tf.tanh(x + tf.gather(table, ids % 20, axis=-1)[:, 0])
    return x


result = inside(tf.linspace(-1.0, 1.0, 30))
try:
    beyond(tf.linspace(-1.0, 1.0, 30))
except tf.errors.InvalidArgumentError:
    raised = True
