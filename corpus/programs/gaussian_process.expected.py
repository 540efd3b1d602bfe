# fidelity: tolerance
"""Predicts with a Gaussian process: 400 points are known, 800 are asked for."""

import tensorflow as tf


def rbf_kernel(x, y, length_scale=1.0):
    def of_rows(rows):
        squared = tf.reduce_sum(tf.square(rows[:, None, :] - y[None, :, :]), axis=-1)
        return tf.exp(-0.5 * squared / length_scale**2)

    return tf.concat(
        [
            of_rows(x[start : start + 256])
            for start in range(0, x.shape[0], 256)
        ],
        axis=0,
    )


def predict(x_train, y_train, x_test, noise=0.1):
    covariance = rbf_kernel(x_train, x_train) + noise * tf.eye(x_train.shape[0])
    cross = rbf_kernel(x_test, x_train)
    factor = tf.linalg.cholesky(covariance)
    weights = tf.linalg.cholesky_solve(factor, y_train[:, None])
    mean = tf.matmul(cross, weights)[:, 0]
    solved = tf.linalg.triangular_solve(factor, tf.transpose(cross))
    variance = 1.0 - tf.reduce_sum(tf.square(solved), axis=0)
    return mean, variance


x_train = tf.random.uniform([400, 8], -2.0, 2.0, seed=1)
y_train = tf.sin(tf.reduce_sum(x_train, axis=1))
x_test = tf.random.uniform([800, 8], -2.0, 2.0, seed=2)

mean, variance = predict(x_train, y_train, x_test)
