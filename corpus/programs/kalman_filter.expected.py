# for: both
# fidelity: tolerance
"""A Kalman filter for an object that moves in the plane: four numbers of state, two are measured."""

import tensorflow as tf


@tf.function
def _filter_loop(measurements, kalman_filter, mean, covariance):
    means = tf.TensorArray(tf.float32, size=measurements.shape[0], element_shape=mean.shape)
    covariances = tf.TensorArray(tf.float32, size=measurements.shape[0], element_shape=covariance.shape)

    def step(i, mean, covariance, means, covariances):
        measured = measurements[i]
        mean, covariance = kalman_filter.predict(mean, covariance)
        mean, covariance = kalman_filter.update(mean, covariance, measured)
        means = means.write(i, mean)
        covariances = covariances.write(i, covariance)
        return i + 1, mean, covariance, means, covariances

    _, _, _, means, covariances = tf.while_loop(
        lambda i, mean, covariance, means, covariances: i < measurements.shape[0],
        step,
        (0, mean, covariance, means, covariances),
        shape_invariants=(tf.TensorShape([]), mean.shape, covariance.shape, tf.TensorShape(None), tf.TensorShape(None)),
        maximum_iterations=measurements.shape[0],
        parallel_iterations=1,
    )
    return means.stack(), covariances.stack()


class KalmanFilter:
    def __init__(self, step=0.1, process_noise=1e-3, measurement_noise=0.2):
        self.transition = tf.constant([[1.0, 0.0, step, 0.0], [0.0, 1.0, 0.0, step], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
        self.observation = tf.constant([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
        self.process_noise = process_noise * tf.eye(4)
        self.measurement_noise = measurement_noise * tf.eye(2)

    def predict(self, mean, covariance):
        mean = tf.matmul(self.transition, mean)
        covariance = tf.matmul(tf.matmul(self.transition, covariance), self.transition, transpose_b=True) + self.process_noise
        return mean, covariance

    def update(self, mean, covariance, measured):
        residual = measured[:, None] - tf.matmul(self.observation, mean)
        innovation = tf.matmul(tf.matmul(self.observation, covariance), self.observation, transpose_b=True) + self.measurement_noise
        gain = tf.matmul(tf.matmul(covariance, self.observation, transpose_b=True), tf.linalg.inv(innovation))
        mean = mean + tf.matmul(gain, residual)
        covariance = tf.matmul(tf.eye(4) - tf.matmul(gain, self.observation), covariance)
        return mean, covariance

    def filter(self, measurements):
        mean = tf.zeros([4, 1])
        covariance = tf.eye(4)
        means, covariances = _filter_loop(measurements, self, mean, covariance)
        return means, covariances


measurements = tf.cumsum(tf.random.normal([400, 2], stddev=0.1, seed=1))
tracker = KalmanFilter()

means, covariances = tracker.filter(measurements)
