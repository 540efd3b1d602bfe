"""How long the points of the complex plane take to escape: the Mandelbrot set."""

import tensorflow as tf


@tf.function
def _mandelbrot_loop(limit, c, z, counts):
    def step(i, z, counts):
        inside = tf.abs(z) < 2.0
        z = tf.where(inside, z * z + c, z)  # what has escaped stays where it is
        counts += tf.cast(inside, tf.int32)
        return i + 1, z, counts

    _, _, counts = tf.while_loop(
        lambda i, z, counts: i < limit,
        step,
        (0, z, counts),
        shape_invariants=(tf.TensorShape([]), z.shape, counts.shape),
        maximum_iterations=limit,
        parallel_iterations=1,
    )
    return counts


def mandelbrot(width, height, limit):
    real, imaginary = tf.meshgrid(tf.linspace(-2.0, 0.6, width), tf.linspace(-1.2, 1.2, height))
    c = tf.complex(real, imaginary)
    z = tf.zeros_like(c)
    counts = tf.zeros([height, width], tf.int32)
    counts = _mandelbrot_loop(tf.constant(limit), c, z, counts)
    return counts


picture = mandelbrot(400, 300, 60)
