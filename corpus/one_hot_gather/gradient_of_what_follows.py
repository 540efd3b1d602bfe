# fidelity: tolerance
import tensorflow as tf

w = tf.Variable(tf.random.normal([6, 2]))
features = tf.random.normal([30, 6])


@tf.function
def gradient():
    ids = tf.random.stateless_uniform([50], seed=[3, 4], maxval=30, dtype=tf.int32)
    with tf.GradientTape() as tape:
        rows = tf.matmul(tf.one_hot(ids, 30), features)
        loss = tf.reduce_sum((rows @ w) ** 2)
    return tape.gradient(loss, w)


change = gradient()
