"""L-BFGS on a quadratic of 2000 variables, with the last eight steps remembered."""

import tensorflow as tf

MEMORY = 8


def value_and_gradient(x, scales, target):
    difference = x - target
    return 0.5 * tf.reduce_sum(scales * difference * difference), scales * difference


def direction(gradient, steps, changes):
    """The two loops that multiply the gradient by what is known of the inverse Hessian."""
    q = gradient
    alphas = []
    for s, y in zip(reversed(steps), reversed(changes)):
        alpha = tf.reduce_sum(s * q) / tf.reduce_sum(y * s)
        q = q - alpha * y
        alphas.append(alpha)
    if steps:
        q = q * tf.reduce_sum(steps[-1] * changes[-1]) / tf.reduce_sum(changes[-1] * changes[-1])
    for s, y, alpha in zip(steps, changes, reversed(alphas)):
        beta = tf.reduce_sum(y * q) / tf.reduce_sum(y * s)
        q = q + s * (alpha - beta)
    return -q


def minimize(x, scales, target, turns=25):
    steps, changes = [], []
    value, gradient = value_and_gradient(x, scales, target)
    for _ in range(turns):
        step = 0.9 * direction(gradient, steps, changes)
        value, new_gradient = value_and_gradient(x + step, scales, target)
        steps.append(step)
        changes.append(new_gradient - gradient)
        if len(steps) > MEMORY:
            steps.pop(0)
            changes.pop(0)
        x, gradient = x + step, new_gradient
    return x, value


size = 50000
scales = tf.linspace(0.5, 1.5, size)
target = tf.random.normal([size], seed=1)

solution, value = minimize(tf.zeros([size]), scales, target)
