import tensorflow as tf


def descend(parameters, gradients, rate):
    for parameter, gradient in zip(parameters, gradients):
        parameter.assign(parameter - rate * gradient)  # refused: assign_add: rate * gradient is not known to be a tensor of the shape of parameter


v = tf.Variable(tf.zeros([3, 30]))
descend([v], [tf.ones([30])], 0.1)
result = v.read_value()
