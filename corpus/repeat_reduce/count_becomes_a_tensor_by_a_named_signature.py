import tensorflow as tf

SIG = [tf.TensorSpec([3], tf.int64), tf.TensorSpec([], tf.int32)]


@tf.function(input_signature=SIG)
def f(x, n):
    return tf.reduce_sum(tf.repeat(x, n))


r = f(tf.ones([3], tf.int64), 1000)
