import tensorflow as tf

x = tf.Variable(tf.range(30.0))
scale = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: computes 2 gradients
    y = tf.reduce_sum(x * x * scale)
first = tape.gradient(y, x)
scale.assign(3.0)
second = tape.gradient(y, scale)
