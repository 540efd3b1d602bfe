import tensorflow as tf

w = tf.Variable(tf.ones([5]))
debugging = True
with tf.GradientTape(persistent=debugging) as tape:
    loss = tf.reduce_sum(w**2)
result = tape.gradient(loss, w)
