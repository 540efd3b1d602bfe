import tensorflow as tf

w = tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape is passed on
    first = tf.reduce_sum(w**2)
with tape:
    second = first * 2
result = tape.gradient(second, w)
