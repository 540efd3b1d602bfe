# for: both
# fidelity: tolerance
"""A Kalman filter for an object that moves in the plane: four numbers of state, two are measured."""

import tensorflow as tf


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
        means, covariances = [], []
        for measured in measurements:
            mean, covariance = self.predict(mean, covariance)
            mean, covariance = self.update(mean, covariance, measured)
            means.append(mean)
            covariances.append(covariance)
        return tf.stack(means), tf.stack(covariances)


measurements = tf.cumsum(tf.random.normal([400, 2], stddev=0.1, seed=1))
tracker = KalmanFilter()

means, covariances = tracker.filter(measurements)
