"""The weights beside the features in place of a matrix of them, and products that read their operand transposed."""

import tensorflow as tf


@tf.function(jit_compile=True)
def derivatives(features, labels, coefficients, ridge):
    probabilities = tf.sigmoid(tf.matmul(features, coefficients))
    gradient = tf.matmul(features, probabilities - labels[:, None], transpose_a=True)
    hessian = tf.matmul(features, probabilities * (1.0 - probabilities) * features, transpose_a=True)
    return gradient, hessian + ridge * tf.eye(features.shape[1])


def fit(features, labels, steps=6, ridge=1e-2):
    coefficients = tf.zeros([features.shape[1], 1])
    for _ in range(steps):
        gradient, damped = derivatives(features, labels, coefficients, ridge)
        coefficients = coefficients - tf.linalg.solve(damped, gradient)
    return coefficients


features = tf.random.normal([2000, 12], seed=1)
labels = tf.cast(features[:, 0] + 0.5 * tf.random.normal([2000], seed=2) > 0.0, tf.float32)

coefficients = fit(features, labels)
