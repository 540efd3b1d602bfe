"""How long the points of the complex plane take to escape: the Mandelbrot set."""

import tensorflow as tf


def mandelbrot(width, height, limit):
    real, imaginary = tf.meshgrid(tf.linspace(-2.0, 0.6, width), tf.linspace(-1.2, 1.2, height))
    c = tf.complex(real, imaginary)
    z = tf.zeros_like(c)
    counts = tf.zeros([height, width], tf.int32)
    for _ in range(limit):
        inside = tf.abs(z) < 2.0
        z = tf.where(inside, z * z + c, z)  # what has escaped stays where it is
        counts += tf.cast(inside, tf.int32)
    return counts


picture = mandelbrot(400, 300, 60)
