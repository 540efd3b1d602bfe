import tensorflow as tf

w = tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: assigned more than once
    loss = tf.reduce_sum(w**2)
first = tape.gradient(loss, w)
if tf.reduce_sum(first) < 0:
    with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: assigned more than once
        loss = tf.reduce_sum(w**3)
second = tape.gradient(loss, w)
