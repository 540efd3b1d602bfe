# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def with_a_first(x):
    parts = [tf.square(x)]
    for i in range(10):
        parts.append(x * float(i))
        if i > 4:
            parts.append(x - float(i))
    return tf.add_n(parts)


def counted(ids):
    masks = []
    total = 0
    for i in range(30):
        masks.append(tf.cast(tf.equal(ids, i), tf.int32) * i)
        total += i
    return tf.reduce_sum(masks, axis=0), total


def named_as_others(x):
    total, count = 3.0, 2
    waves = []
    for i in range(10):
        waves.append(tf.sin(x * float(i)))
    return tf.add_n(waves) / len(waves) + total * count


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
results = [with_a_first(x), counted(tf.cast(x * 30.0, tf.int32)), named_as_others(x)]
