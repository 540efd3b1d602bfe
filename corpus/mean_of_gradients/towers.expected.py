# unsafe
# peak at most: 0.75
import tensorflow as tf

SHAPE = [1500, 1000]


def tower_means(towers):
    means = []
    for pairs in zip(*towers):
        gradients = []
        for g, _ in pairs:
            gradients.append(g)
        gradient = tf.add_n(gradients) / len(gradients)
        means.append((gradient, pairs[0][1]))
    return means


weights = tf.Variable(tf.ones(SHAPE))
towers = [[(tf.fill(SHAPE, float(i)), weights)] for i in range(4)]
result = tower_means(towers)[0][0]
