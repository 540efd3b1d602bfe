# for: both
# fidelity: tolerance
import tensorflow as tf


class Slow:
    def run(self):
        x = tf.ones([2])
        for _ in range(50):
            x = x * 0.99
        return x


class Fast:
    def run(self):
        x = tf.zeros([2])
        for _ in range(50):
            x = x * 0.9 + 1.0
        return x


result = Slow().run(), Fast().run()
