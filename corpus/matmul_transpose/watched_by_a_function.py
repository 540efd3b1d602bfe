import tensorflow as tf


def begin(tape, x):
    tape.watch(x)


def f(a, x):
    with tf.GradientTape() as tape:
        t = tf.transpose(x)
        begin(tape, x)
        y = tf.matmul(a, t)
    return tape.gradient(y, x)


r = f(tf.ones([20, 30]), tf.ones([20, 30]))
