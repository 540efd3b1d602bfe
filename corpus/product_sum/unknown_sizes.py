import tensorflow as tf

v = tf.random.normal([400])


@tf.function(input_signature=[tf.TensorSpec([None, 400])])
def any_number(m):
    return tf.reduce_sum(m * v, axis=1)  # refused: product_sum: the sizes are not known as numbers


def anything(m, weights):
    return tf.reduce_sum(m * weights[None, :], axis=1)  # refused: product_sum: the shapes of its factors are not known


def applied(function, *arguments):
    return function(*arguments)


known = any_number(tf.random.normal([400, 400]))
unknown = applied(anything, tf.random.normal([400, 400]), v)
