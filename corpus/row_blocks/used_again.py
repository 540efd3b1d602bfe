import tensorflow as tf


def forces(x):
    differences = x[:, None, :] - x[None, :, :]
    squared = tf.reduce_sum(differences, axis=-1)
    return squared, differences


def kept(x, seen):
    differences = x[:, None, :] - x[None, :, :]
    seen.append(differences)
    return tf.reduce_sum(differences, axis=-1)


def shown(x):
    differences = x[:, None, :] - x[None, :, :]
    print(differences.shape)
    return tf.reduce_sum(differences, axis=-1)


def closed_over(x):
    differences = x[:, None, :] - x[None, :, :]
    total = tf.reduce_sum(differences, axis=-1)
    return total, lambda: differences


x = tf.ones([600, 8])
squared, differences = forces(x)
seen = []
total = kept(x, seen)
shown(x)
again, inner = closed_over(x)
found = inner()
inner = None
