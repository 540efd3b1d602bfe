"""Blocks of ten rows, one after the other, in a loop of the graph."""

import tensorflow as tf


ROWS = 10


@tf.function
def mandelbrot(width, height, limit):
    real = tf.linspace(-2.0, 0.6, width)
    blocks = tf.reshape(tf.linspace(-1.2, 1.2, height), [-1, ROWS])

    def escape(imaginary):
        c = tf.complex(*tf.meshgrid(real, imaginary))

        def step(i, z, counts):
            inside = tf.abs(z) < 2.0
            return i + 1, tf.where(inside, z * z + c, z), counts + tf.cast(inside, tf.int32)

        state = (0, tf.zeros_like(c), tf.zeros(c.shape, tf.int32))
        return tf.while_loop(lambda i, *_: i < limit, step, state, parallel_iterations=1)[-1]

    counts = tf.map_fn(escape, blocks, fn_output_signature=tf.int32, parallel_iterations=1)
    return tf.reshape(counts, [height, width])


picture = mandelbrot(400, 300, 60)
