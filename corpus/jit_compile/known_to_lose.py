import tensorflow as tf


@tf.function
def attention(queries, keys):  # refused: jit_compile: XLA holds the product twice
    scores = tf.matmul(queries, keys, transpose_b=True)
    return tf.matmul(tf.nn.softmax(scores), keys)


@tf.function
def distances(x):  # refused: jit_compile: XLA holds what is broadcast
    apart = tf.expand_dims(x, 1) - tf.expand_dims(x, 0)
    return tf.reduce_sum(tf.square(apart), -1)


x, queries = tf.ones([100, 64]), tf.ones([8, 64, 64])
results = [(attention(queries, queries), distances(x)) for _ in range(2)]
