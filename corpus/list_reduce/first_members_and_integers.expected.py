# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def with_a_first(x):
    total = tf.square(x)
    for i in range(10):
        total += x * float(i)
        if i > 4:
            total += x - float(i)
    return total


def counted(ids):
    total_of_masks = 0
    total = 0
    for i in range(30):
        total_of_masks += tf.cast(tf.equal(ids, i), tf.int32) * i
        total += i
    return total_of_masks, total


def named_as_others(x):
    total, count = 3.0, 2
    total_of_waves = 0.0
    for i in range(10):
        total_of_waves += tf.sin(x * float(i))
    return total_of_waves / 10 + total * count


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
results = [with_a_first(x), counted(tf.cast(x * 30.0, tf.int32)), named_as_others(x)]
