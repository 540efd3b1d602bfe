import tensorflow as tf

x = tf.Variable(tf.range(30.0))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: computes 2 gradients
    y = tf.reduce_sum(x * x)
    z = tf.reduce_sum(tf.sin(x))
dy = tape.gradient(y, x)
dz = tape.gradient(z, x)
