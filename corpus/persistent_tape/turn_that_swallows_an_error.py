import contextlib

import tensorflow as tf

x = tf.Variable(tf.ones([30]))
n = 0
for i in range(2):
    with contextlib.suppress(ValueError):
        if i:
            raise ValueError
        with tf.GradientTape(persistent=True) as tape:
            y = x * x
    g = tape.gradient(y, x)
    n += 1
