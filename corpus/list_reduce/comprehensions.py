# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
# peak at most: 0.4
import tensorflow as tf

TURNS = 24


def summed(x, steps):
    return sum([tf.sin(x + float(i)) for i in range(steps)])


def added(x):
    return tf.add_n([tf.sin(x + float(i)) for i in range(TURNS)]) - 1.0


def averaged(x):
    return 2.0 ** tf.reduce_mean(
        tf.stack([
            tf.sin(x + float(i))  # a wave
            for i in range(TURNS)
        ]),
        axis=0,
    )


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
results = [summed(x, 0), summed(x, 20), added(x), averaged(x)]
least = tf.reduce_sum([tf.cos(x * float(i)) for i in range(10)], axis=0)
