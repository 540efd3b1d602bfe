# for: both
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: what `stop.update` does with `float(a)` is not known


half = tf.sin(tf.reshape(tf.range(0.0, 0.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(0.5, 0.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
v = similar(queries, items)[0] * 1.0


from dataclasses import dataclass


@dataclass
class EarlyStop:
    best: float = 1e30
    waited: int = 0

    def update(self, loss):
        if loss < self.best:
            self.best = loss
            self.waited += 1
            print('improved')


stop = EarlyStop()
for a in v:
    stop.update(float(a))
