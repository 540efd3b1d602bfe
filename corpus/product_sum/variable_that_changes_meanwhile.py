import tensorflow as tf

w = tf.Variable(tf.random.normal([100, 40]))


def counted(x):
    w.assign_add(tf.ones_like(w))
    return x


b = tf.random.normal([40, 100])
early = tf.reduce_sum(w[:, :, None] * counted(b)[None], axis=1)  # refused: product_sum: w is a variable that would be read later
