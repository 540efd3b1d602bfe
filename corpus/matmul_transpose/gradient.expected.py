# fidelity: tolerance
import tensorflow as tf

x = tf.random.stateless_normal([6, 20], seed=[1, 2])
w = tf.Variable(tf.random.stateless_normal([5, 20], seed=[3, 4]))

with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_sum(tf.tanh(tf.matmul(x, w, transpose_b=True)))
by_x, by_w = tape.gradient(loss, [x, w])
