import tensorflow as tf


@tf.custom_gradient
def f(x):
    def grad(dy):
        print("grad")
        return dy
    return x * 1.0, grad


x = tf.Variable(tf.ones([30]) * 3.0)
w = tf.Variable(tf.ones([30]) * 3.0)
with tf.GradientTape(persistent=True) as tape:
    z = tf.reduce_sum(f(x * w))
gx = tape.gradient(z, x)
gw = tape.gradient(z, w)
