import tensorflow as tf

x, y = tf.ones([5]), tf.ones([5])
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape.watch follows the gradient
    tape.watch(x)
    loss = tf.reduce_sum(x * y)
    gradient = tape.gradient(loss, x)
    tape.watch(y)
