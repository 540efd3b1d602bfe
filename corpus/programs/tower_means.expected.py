# unsafe
"""Gradients of six towers, of 24 MB each, and their mean."""

import tensorflow as tf

SHAPE = [3000, 2000]
weights = tf.Variable(tf.ones(SHAPE))


def tower_means(towers):
    means = []
    for pairs in zip(*towers):
        gradients = []
        for g, _ in pairs:
            gradients.append(g)
        gradient = tf.add_n(gradients) / len(gradients)
        means.append((gradient, pairs[0][1]))
    return means


def trained():
    towers = [[(tf.fill(SHAPE, float(i)), weights)] for i in range(6)]
    return tower_means(towers)[0][0]


mean = trained()
