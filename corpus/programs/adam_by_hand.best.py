"""One operation updates the weights and both moments in place, and the gradient is written out."""

import tensorflow as tf


class Adam:
    def __init__(self, variable, rate=1e-3, beta1=0.9, beta2=0.999):
        self.rate, self.beta1, self.beta2 = rate, beta1, beta2
        self.first = tf.Variable(tf.zeros_like(variable))
        self.second = tf.Variable(tf.zeros_like(variable))
        self.steps = 0

    def apply(self, variable, gradient):
        self.steps += 1
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=self.first.handle,
            v=self.second.handle,
            beta1_power=self.beta1**self.steps,
            beta2_power=self.beta2**self.steps,
            lr=self.rate,
            beta1=self.beta1,
            beta2=self.beta2,
            # This operation adds its epsilon before the second moment is corrected.
            epsilon=1e-7 * (1 - self.beta2**self.steps) ** 0.5,
            grad=gradient,
        )


def loss_and_gradient(weights, inputs, targets):
    errors = tf.matmul(inputs, weights) - targets
    count = float(targets.shape[0] * targets.shape[1])
    return tf.reduce_mean(tf.square(errors)), tf.matmul(inputs, errors * (2.0 / count), transpose_a=True)


def train(weights, inputs, targets, steps):
    optimizer = Adam(weights)
    losses = []
    for step in range(steps):
        loss, gradient = loss_and_gradient(weights, inputs, targets)
        optimizer.apply(weights, gradient)
        losses.append(loss)
        if step % 10 == 0:
            print(f"step {step}: {loss:.3f}")
    return tf.stack(losses)


inputs = tf.random.normal([256, 600], seed=1)
targets = tf.matmul(inputs, tf.random.normal([600, 400], seed=2))
weights = tf.Variable(tf.zeros([600, 400]))

losses = train(weights, inputs, targets, steps=30)
