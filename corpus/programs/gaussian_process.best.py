"""Kernels that XLA compiles, without the differences, and 100 of the points that are asked for at a time."""

import tensorflow as tf


BLOCK = 100


@tf.function(jit_compile=True)
def rbf_kernel(x, y, length_scale=1.0):
    squared = tf.reduce_sum(tf.square(x[:, None, :] - y[None, :, :]), axis=-1)
    return tf.exp(-0.5 * squared / length_scale**2)


@tf.function(jit_compile=True)
def noisy_kernel(x, noise):
    return rbf_kernel(x, x) + noise * tf.eye(x.shape[0])


def predict(x_train, y_train, x_test, noise=0.1):
    factor = tf.linalg.cholesky(noisy_kernel(x_train, noise))
    weights = tf.linalg.cholesky_solve(factor, y_train[:, None])
    means, variances = [], []
    for start in range(0, x_test.shape[0], BLOCK):
        cross = rbf_kernel(x_train, x_test[start : start + BLOCK])
        means.append(tf.matmul(cross, weights, transpose_a=True)[:, 0])
        cross = tf.linalg.triangular_solve(factor, cross)
        variances.append(1.0 - tf.reduce_sum(tf.square(cross), axis=0))
    return tf.concat(means, axis=0), tf.concat(variances, axis=0)


x_train = tf.random.uniform([400, 8], -2.0, 2.0, seed=1)
y_train = tf.sin(tf.reduce_sum(x_train, axis=1))
x_test = tf.random.uniform([800, 8], -2.0, 2.0, seed=2)

mean, variance = predict(x_train, y_train, x_test)
