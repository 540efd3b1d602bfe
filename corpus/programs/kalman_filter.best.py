"""All measurements in one loop that XLA compiles."""

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

    @tf.function(jit_compile=True)
    def filter(self, measurements):
        steps = measurements.shape[0]

        def step(i, mean, covariance, means, covariances):
            mean, covariance = self.update(*self.predict(mean, covariance), measurements[i])
            return i + 1, mean, covariance, means.write(i, mean), covariances.write(i, covariance)

        means = tf.TensorArray(tf.float32, size=steps, element_shape=[4, 1])
        covariances = tf.TensorArray(tf.float32, size=steps, element_shape=[4, 4])
        state = (0, tf.zeros([4, 1]), tf.eye(4), means, covariances)
        *_, means, covariances = tf.while_loop(lambda i, *_: i < steps, step, state, maximum_iterations=steps)
        return means.stack(), covariances.stack()


measurements = tf.cumsum(tf.random.normal([400, 2], stddev=0.1, seed=1))
tracker = KalmanFilter()

means, covariances = tracker.filter(measurements)
