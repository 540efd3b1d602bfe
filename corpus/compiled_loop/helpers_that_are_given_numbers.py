# for: both
# fidelity: tolerance
import math

import tensorflow as tf

count = 3
angles = tf.linspace(0.0, 1.0, 100)


def decayed(x, rate, power=2):
    """A docstring, a default, and a number that decides what is computed."""
    shrunk = x * rate
    if power > 1:
        shrunk = shrunk - 0.01 * tf.square(shrunk)
    return shrunk


def turned(x, step, scale=1.0):
    shifted = x + scale * angles[step] * math.pi
    for offset in (1, 2):
        shifted += tf.roll(x, shift=offset, axis=0) / count
    low, high = tf.reduce_mean(shifted), tf.constant(0.5)
    return shifted - low * high


def settle(x, rate, steps):
    for step in range(steps):
        x = decayed(turned(x, step, scale=0.5), rate=rate)
    return x


x = tf.linspace(-1.0, 1.0, 64)
few, many = settle(x, 0.9, 3), settle(x, 0.8, 60)
