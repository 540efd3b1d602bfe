import tensorflow as tf


class Layer(tf.Module):
    def __init__(self, rows):
        super().__init__()
        self.weights = tf.Variable(tf.ones([rows, 30]))


def step(wide, narrow):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(narrow.weights))
    gradient = tape.gradient(loss, narrow.weights)
    wide.weights.assign(wide.weights - 0.1 * gradient)  # refused: assign_add: is not known to be a tensor of the shape
    return loss


wide = Layer(20)
loss = step(wide, Layer(1))
result = wide.weights
