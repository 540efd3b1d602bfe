import tensorflow as tf

w = tf.Variable(tf.ones([30, 4]))
b = tf.Variable(tf.zeros([20, 4]))
parameters = [w, b]

for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w)) + tf.reduce_sum(tf.square(b - 1))
    gradients = tape.gradient(loss, parameters)
    for parameter, gradient in zip(parameters, gradients):
        parameter.assign(parameter - 0.1 * gradient)

result = [w.read_value(), b.read_value()]
