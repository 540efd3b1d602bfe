# for: both
import tensorflow as tf


def evidence(x, weight):
    total = tf.zeros([2000])
    for _ in range(200):
        total = total + x * weight
        x = x + 0.001
    return total


total = evidence(tf.range(2000.0) * 0.0001 + 70.0, tf.fill([2000], 0.77))
print(tf.nn.softmax(total)[1990:])
