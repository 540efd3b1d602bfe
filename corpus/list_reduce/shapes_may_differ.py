# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def narrowed(x, steps):
    parts = []
    for i in range(steps):
        parts.append(tf.boolean_mask(x, x[:, 0] > 0.0) * float(i))
        x = x * 2.0
    return tf.add_n(parts)


def cut(x, steps):
    parts = []
    for i in range(steps):
        part = tf.square(x)[: 100 - i]
        parts.append(part)
    return tf.add_n(parts)


x = tf.random.normal([200, 200])
results = [cut(x, 1)]
try:
    cut(x, 3)
except tf.errors.InvalidArgumentError:
    caught = True
