import tensorflow as tf

w, b = tf.Variable(tf.ones([5])), tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape computes a gradient in a loop
    loss = tf.reduce_sum(w * b)
result = [tape.gradient(loss, variable) for variable in (w, b)]
