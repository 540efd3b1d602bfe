import tensorflow as tf

w, b = tf.Variable(tf.ones([5])), tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape.gradient may need a persistent tape
    loss = tf.reduce_sum(w * b)
ask = tape.gradient
result = [ask(loss, w), ask(loss, b)]
