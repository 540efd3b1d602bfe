# for: both
# fidelity: tolerance
"""Logistic regression by Newton's method, the Hessian written as in the book: X^T W X."""

import tensorflow as tf


def hessian(features, probabilities):
    weights = tf.linalg.diag(probabilities * (1.0 - probabilities))
    return tf.matmul(tf.transpose(features), tf.matmul(weights, features))


def fit(features, labels, steps=6, ridge=1e-2):
    columns = features.shape[1]
    coefficients = tf.zeros([columns, 1])
    for _ in range(steps):
        logits = tf.matmul(features, coefficients)
        probabilities = tf.sigmoid(tf.squeeze(logits, 1))
        gradient = tf.matmul(tf.transpose(features), (probabilities - labels)[:, None])
        damped = hessian(features, probabilities) + ridge * tf.eye(columns)
        coefficients = coefficients - tf.linalg.solve(damped, gradient)
    return coefficients


features = tf.random.normal([2000, 12], seed=1)
labels = tf.cast(features[:, 0] + 0.5 * tf.random.normal([2000], seed=2) > 0.0, tf.float32)

coefficients = fit(features, labels)
