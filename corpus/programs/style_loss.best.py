"""Strips of four rows: of each layer only the products are kept."""

import tensorflow as tf


ROWS = 4


def gram_sum(features):
    flat = tf.reshape(features, [-1, features.shape[-1]])
    return tf.matmul(flat, flat, transpose_a=True)


@tf.function
def pyramid(picture):
    """Stands for a network: the picture, and what is left of it at half and quarter the size. Of each layer the products, as they are compared."""
    _, height, width, features = picture.shape

    def step(row, *sums):
        strip = picture[:, row : row + ROWS]
        half = tf.nn.avg_pool2d(strip, 2, 2, "VALID")
        quarter = tf.nn.avg_pool2d(half, 2, 2, "VALID")
        return row + ROWS, *(total + gram_sum(one) for total, one in zip(sums, (strip, half, quarter)))

    start = (0, *(tf.zeros([features, features]) for _ in range(3)))
    _, *sums = tf.while_loop(lambda row, *_: row < height, step, start, parallel_iterations=1)
    return [total / float(height * width // 4**layer) for layer, total in enumerate(sums)]


def style_loss(layers, wanted_layers):
    total = tf.constant(0.0)
    for gram, wanted in zip(layers, wanted_layers):
        total += tf.reduce_mean(tf.square(gram - wanted))
    return total


picture = tf.random.normal([1, 128, 128, 64], seed=1)
painting = tf.random.normal([1, 128, 128, 64], seed=2)

loss = style_loss(pyramid(picture), pyramid(painting))
