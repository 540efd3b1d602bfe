# fidelity: tolerance
import tensorflow as tf

x = tf.random.stateless_normal([50, 30], seed=[1, 2])
scale = tf.Variable(tf.range(30.0))

with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_sum(tf.square(x * tf.tile(scale[tf.newaxis, :], [50, 1])))
by_x, by_scale = tape.gradient(loss, [x, scale])
