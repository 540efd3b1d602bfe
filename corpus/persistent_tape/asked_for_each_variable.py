import tensorflow as tf

rate = 0.1
inputs = tf.random.normal([100, 20])
wanted = tf.random.normal([100, 30])
weights = tf.Variable(tf.random.normal([20, 30]))
bias = tf.Variable(tf.zeros([30]))

for step in range(3):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(tf.square(inputs @ weights + bias - wanted))
    weights_gradient = tape.gradient(loss, weights)
    bias_gradient = tape.gradient(loss, bias)  # one number for each column
    del tape
    weights.assign_sub(rate * weights_gradient)
    bias.assign_sub(rate * bias_gradient)
