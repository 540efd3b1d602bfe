import tensorflow as tf


def depth():
    print("depth")
    return 3000


def chosen(ids, weights):
    return tf.reduce_max(tf.one_hot(ids, depth()) * weights, axis=-1)


def last():
    print("last")
    return 2


def distances(x, y):
    differences = tf.square(x[:, None, :] - y[None, :, :])
    return tf.reduce_sum(differences, axis=last())


x = tf.random.normal([512, 64], seed=1)
result = chosen(tf.range(3000) % 7, tf.random.normal([3000], seed=1)), distances(x, x)
