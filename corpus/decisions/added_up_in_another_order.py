# for: both
import tensorflow as tf


def waves(x, steps):
    found = []
    for i in range(steps):
        found.append(tf.sin(x * float(i)))
    return tf.reduce_mean(tf.stack(found), axis=0)


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
above = [int(tf.math.count_nonzero(tf.round(waves(x, steps) * 1e6) % 2.0)) for steps in (20, 30)]
print("done")
