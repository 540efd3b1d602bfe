import tensorflow as tf


def spread(pair):
    return tf.reduce_max(tf.tile(pair[0] * pair[1], [100]))


def scores(left, right):
    return tf.map_fn(spread, (left, right), fn_output_signature=tf.float32, parallel_iterations=1)


compiled = tf.function(scores)
result = compiled(tf.random.normal([20, 10]), tf.random.normal([20, 10]))
