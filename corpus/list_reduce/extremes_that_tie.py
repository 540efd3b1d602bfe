# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def largest(x):
    found = []  # refused: list_reduce: where elements are equal, tf.reduce_max shares its gradient out
    for i in range(20):
        found.append(x * float(i))
    return tf.reduce_max(found, axis=0)


v = tf.Variable(tf.zeros([100, 100]))
result = largest(v + 0.0)
