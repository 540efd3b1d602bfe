import tensorflow as tf

x = tf.Variable(tf.range(1.0, 31.0))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: computes 2 gradients
    y = tf.reduce_sum(x * x * x)
    g = tape.gradient(y, x)
h = tape.gradient(g, x)
