import tensorflow as tf

w, b = tf.Variable(tf.ones([5])), tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: more often than it is opened
    loss = tf.reduce_sum(w * b)
result = []
for variable in (w, b):
    result.append(tape.gradient(loss, variable))
