"""Trains a recurrent network that is written by hand, by a loss in each of its steps."""

import tensorflow as tf


class Network(tf.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.inputs = tf.Variable(tf.random.normal([features, hidden], stddev=0.05, seed=1))
        self.recurrent = tf.Variable(tf.random.normal([hidden, hidden], stddev=0.05, seed=2))
        self.bias = tf.Variable(tf.zeros([hidden]))

    def step(self, x, state):
        return tf.tanh(tf.matmul(x, self.inputs) + tf.matmul(state, self.recurrent) + self.bias)


@tf.function
def train_step(network, sequence, targets, rate):
    def segment(start, state, loss, inputs, recurrent, bias):
        first = tf.cast(start, tf.int32)
        for t in tf.range(first, first + 10):
            state = tf.tanh(tf.matmul(sequence[t], inputs) + tf.matmul(state, recurrent) + bias)
            loss += tf.reduce_mean(tf.square(state - targets[t]))
        return state, loss

    variables = [network.inputs, network.recurrent, network.bias]
    state = tf.zeros([32, 128])
    loss = tf.constant(0.0)
    with tf.GradientTape() as tape:
        for start in tf.range(0.0, 100.0, 10.0):
            values = [tf.convert_to_tensor(variable) for variable in variables]
            state, loss = tf.recompute_grad(segment)(start, state, loss, *values)
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(rate * gradient)
    return loss


network = Network(features=64, hidden=128)
sequence = tf.random.normal([100, 32, 64], seed=3)
targets = tf.random.normal([100, 32, 128], seed=4)

loss = train_step(network, sequence, targets, rate=0.1)
