# fidelity: tolerance
import tensorflow as tf

scale = tf.Variable(tf.range(20.0))
x = tf.random.stateless_normal([20, 5], seed=[1, 2])

with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_sum(tf.tanh(tf.linalg.diag(scale) @ x))
by_scale, by_x = tape.gradient(loss, [scale, x])
