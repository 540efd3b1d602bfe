"""Adam written out, fitting a matrix to noisy products."""

import tensorflow as tf


class Adam:
    def __init__(self, variable, rate=1e-3, beta1=0.9, beta2=0.999):
        self.rate, self.beta1, self.beta2 = rate, beta1, beta2
        self.first = tf.Variable(tf.zeros_like(variable))
        self.second = tf.Variable(tf.zeros_like(variable))
        self.steps = 0

    def apply(self, variable, gradient):
        self.steps += 1
        self.first.assign(self.beta1 * self.first + (1 - self.beta1) * gradient)
        self.second.assign(self.beta2 * self.second + (1 - self.beta2) * tf.square(gradient))
        corrected1 = self.first / (1 - self.beta1**self.steps)
        corrected2 = self.second / (1 - self.beta2**self.steps)
        variable.assign(variable - self.rate * corrected1 / (tf.sqrt(corrected2) + 1e-7))


def train(weights, inputs, targets, steps):
    optimizer = Adam(weights)
    losses = []
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(inputs, weights) - targets))
        optimizer.apply(weights, tape.gradient(loss, weights))
        losses.append(loss)
        if step % 10 == 0:
            print(f"step {step}: {loss:.3f}")
    return tf.stack(losses)


inputs = tf.random.normal([256, 600], seed=1)
targets = tf.matmul(inputs, tf.random.normal([600, 400], seed=2))
weights = tf.Variable(tf.zeros([600, 400]))

losses = train(weights, inputs, targets, steps=30)
