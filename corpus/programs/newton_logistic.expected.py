# for: both
# fidelity: tolerance
"""Logistic regression by Newton's method, the Hessian written as in the book: X^T W X."""

import tensorflow as tf


def hessian(features, probabilities):
    return tf.matmul(features, tf.expand_dims(probabilities * (1.0 - probabilities), -1) * features, transpose_a=True)


@tf.function
def _fit_loop(steps, features, labels, ridge, columns, coefficients):
    def step(i, coefficients):
        logits = tf.matmul(features, coefficients)
        probabilities = tf.sigmoid(tf.squeeze(logits, 1))
        gradient = tf.matmul(features, (probabilities - labels)[:, None], transpose_a=True)
        damped = hessian(features, probabilities) + ridge * tf.eye(columns)
        coefficients = coefficients - tf.linalg.solve(damped, gradient)
        return i + 1, coefficients

    _, coefficients = tf.while_loop(
        lambda i, coefficients: i < steps,
        step,
        (0, coefficients),
        shape_invariants=(tf.TensorShape([]), coefficients.shape),
        maximum_iterations=steps,
        parallel_iterations=1,
    )
    return coefficients


def fit(features, labels, steps=6, ridge=1e-2):
    columns = features.shape[1]
    coefficients = tf.zeros([columns, 1])
    coefficients = _fit_loop(
        tf.constant(steps),
        features,
        labels,
        tf.constant(ridge),
        columns,
        coefficients,
    )
    return coefficients


features = tf.random.normal([2000, 12], seed=1)
labels = tf.cast(features[:, 0] + 0.5 * tf.random.normal([2000], seed=2) > 0.0, tf.float32)

coefficients = fit(features, labels)
