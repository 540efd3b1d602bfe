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


def train_step(network, sequence, targets, rate):
    variables = [network.inputs, network.recurrent, network.bias]
    state = tf.zeros([32, 128])
    loss = 0.0
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop):
            def steps(state, loss):
                for t in range(start, stop):
                    state = network.step(sequence[t], state)
                    loss += tf.reduce_mean(tf.square(state - targets[t]))
                return state, loss

            return steps if stop == 100 else tf.recompute_grad(steps)

        for start in range(0, 100, 10):
            state, loss = segment(start, min(start + 10, 100))(state, tf.convert_to_tensor(loss, tf.float32))
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(rate * gradient)
    return loss


network = Network(features=64, hidden=128)
sequence = tf.random.normal([100, 32, 64], seed=3)
targets = tf.random.normal([100, 32, 128], seed=4)

loss = train_step(network, sequence, targets, rate=0.1)
