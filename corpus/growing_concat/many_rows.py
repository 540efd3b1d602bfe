# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def collected(x):
    rows = tf.zeros([0, 100])
    for i in range(30):
        row = tf.sin(x + float(i))
        rows = tf.concat([rows, row], 0)  # all so far
    return rows * 2.0


def perhaps_nothing(x, turns):
    found = tf.zeros([100, 0])
    for i in range(turns):
        if i == 7:
            break
        found = tf.concat(
            [found, tf.cos(x) * float(i)],
            axis=1,
        )
    print(found.shape)
    return found


def in_front(x, turns):
    parts = turns
    stack = tf.ones([1, 100])
    for i in range(turns):
        for j in range(2):
            stack = tf.concat((x * float(i - j), stack), -2)
    return stack, parts


def pairs(x, turns):
    both = tf.reshape(x, [100, 100])
    for i in range(turns):
        both = tf.concat([both, x * float(i), x - float(i)], 0)
    more = tf.concat([x, x], 0)
    for i in range(turns):
        more = tf.concat([x * float(i), x - float(i), more], 0)
    return both, more


x = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
results = [collected(x), perhaps_nothing(x, 0), perhaps_nothing(x, 12), in_front(x, 0), in_front(x, 3), pairs(x, 0), pairs(x, 3)]
