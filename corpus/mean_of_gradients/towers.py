# unsafe
# peak at most: 0.75
import tensorflow as tf

SHAPE = [1500, 1000]


def tower_means(towers):
    means = []
    for pairs in zip(*towers):
        gradients = []
        for g, _ in pairs:
            expanded = tf.expand_dims(g, 0)
            gradients.append(expanded)
        gradient = tf.concat(axis=0, values=gradients)
        gradient = tf.reduce_mean(gradient, 0)
        means.append((gradient, pairs[0][1]))
    return means


weights = tf.Variable(tf.ones(SHAPE))
towers = [[(tf.fill(SHAPE, float(i)), weights)] for i in range(4)]
result = tower_means(towers)[0][0]
