# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
# peak at most: 0.5
import tensorflow as tf


def gradient_of_rows(v):
    with tf.GradientTape() as tape:
        rows = tf.zeros([0, 100])
        for i in range(40):
            rows = tf.concat([rows, tf.sin(v * float(i))], 0)
        loss = tf.reduce_mean(tf.square(rows))
    return tape.gradient(loss, v)


v = tf.Variable(tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0)
result = gradient_of_rows(v)
