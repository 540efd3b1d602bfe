# for: both
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: `self.x` may be read by its name as text


half = tf.sin(tf.reshape(tf.range(0.0, 0.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(0.5, 0.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
v = similar(queries, items)[0] * 1.0


import operator


class Model:
    def __init__(self, x):
        self.x = x

    def score(self):
        return float(self.x)


models = [Model(a) for a in v]
best = max(range(100), key=lambda i: operator.methodcaller('score')(models[i]))
print(best)
