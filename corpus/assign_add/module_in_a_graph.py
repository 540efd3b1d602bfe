import tensorflow as tf


class Histogram(tf.Module):
    def __init__(self, bins):
        super().__init__()
        self.counts = tf.Variable(tf.zeros([256], tf.int64), trainable=False)
        self.mass: tf.Variable = tf.Variable(tf.zeros([256]), trainable=False)

    @tf.function
    def update(self, values):
        found = tf.math.bincount(values, minlength=256, maxlength=256, dtype=tf.int64)
        found = tf.ensure_shape(found, [256])
        self.counts.assign(self.counts + found)
        self.mass.assign(tf.cast(found, tf.float32) + self.mass)


histogram = Histogram(256)
for shift in range(3):
    histogram.update(tf.range(100) + shift)
counts, mass = histogram.counts.read_value(), histogram.mass.read_value()
del histogram
