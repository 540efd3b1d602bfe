import tensorflow as tf

w = tf.Variable(tf.ones([5]))
with tf.GradientTape(  # refused: persistent_tape: a comment is beside the setting
    persistent=True,  # asked again in the debugger
) as tape:
    loss = tf.reduce_sum(w**2)
result = tape.gradient(loss, w)
