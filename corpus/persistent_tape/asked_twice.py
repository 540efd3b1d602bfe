import tensorflow as tf

w, b = tf.Variable(tf.ones([5])), tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape computes 2 gradients
    loss = tf.reduce_sum(w * b)
result = [tape.gradient(loss, w), tape.gradient(loss, b)]
