# for: both
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: what the class makes of `self.loss` is not known


half = tf.sin(tf.reshape(tf.range(0.0, 0.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(0.5, 0.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
v = similar(queries, items)[0] * 1.0


class Meter:
    def __init__(self):
        self.wins = 0
        self._loss = 0.0

    @property
    def loss(self):
        return self._loss

    @loss.setter
    def loss(self, value):
        if value > self._loss:
            self.wins += 1
        self._loss = value

    def feed(self, a, b):
        self.loss = a
        self.loss = b


meter = Meter()
for i in range(50):
    meter.feed(float(v[i]), float(v[i + 50]))
print(meter.wins)
