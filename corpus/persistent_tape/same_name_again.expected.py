import tensorflow as tf

w = tf.Variable(tf.ones([5]))

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w**2)
first = tape.gradient(loss, w)
del tape

with tf.GradientTape(persistent=True) as tape:
    loss = tf.reduce_sum(w**3)
second, third = tape.gradient(loss, w), tape.gradient(loss, w)

with tf.device("/CPU:0"):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**4)
fourth = tape.gradient(loss, w)
del tape
