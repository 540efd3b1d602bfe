import tensorflow as tf

matrix, row = tf.Variable(tf.zeros([3, 30])), tf.Variable(tf.zeros([30]))
parameters = [matrix, row]
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(matrix * row + row + matrix)
gradients = tape.gradient(loss, parameters)
gradients[0] = gradients[1]
for parameter, gradient in zip(parameters, gradients):
    parameter.assign(parameter - gradient)  # refused: assign_add: gradient is not known to be a tensor of the shape
result = [matrix.read_value(), row.read_value()]
