# for: both
# fidelity: tolerance
import tensorflow as tf


def filtered(signal, gains):
    out = tf.zeros([2])
    for i, (row, gain) in enumerate(zip(signal, gains)):
        out = 0.9 * out + row * gain
    return out


def pairs(signal, gains):
    out = tf.zeros([2])
    for row, gain in zip(signal, gains):
        out = 0.9 * out + row * gain
    return out


result = filtered(tf.ones([70, 2]), tf.ones([70])), pairs(tf.ones([70, 2]), tf.ones([70]))
