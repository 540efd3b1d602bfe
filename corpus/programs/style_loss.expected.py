# fidelity: tolerance
"""The style loss of two pictures: how far the products of their features are apart, layer by layer."""

import tensorflow as tf


def gram_matrix(features):
    flat = tf.reshape(features, [-1, features.shape[-1]])
    return tf.matmul(flat, flat, transpose_a=True) / float(flat.shape[0])


def style_loss(layers, wanted_layers):
    total = tf.constant(0.0)
    for features, wanted in zip(layers, wanted_layers):
        difference = gram_matrix(features) - gram_matrix(wanted)
        total += tf.reduce_mean(tf.square(difference))
    return total


def pyramid(picture):
    """Stands for a network: the picture, and what is left of it at half and quarter the size."""
    half = tf.nn.avg_pool2d(picture, 2, 2, "VALID")
    return [picture, half, tf.nn.avg_pool2d(half, 2, 2, "VALID")]


picture = tf.random.normal([1, 128, 128, 64], seed=1)
painting = tf.random.normal([1, 128, 128, 64], seed=2)

loss = style_loss(pyramid(picture), pyramid(painting))
