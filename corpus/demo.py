# peak at most: 0.88
"""Learns vectors for 2000 items whose products with queries come close to given scores."""

import tensorflow as tf


class Items(tf.Module):
    def __init__(self, count, features):
        super().__init__()
        self.vectors = tf.Variable(tf.random.normal([count, features]))

    def __call__(self, queries):
        return tf.matmul(queries, tf.transpose(self.vectors))  # one score for every pair


def train_step(model, queries, wanted, rate):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(tf.square(model(queries) - wanted))
    gradient = tape.gradient(loss, model.vectors)
    model.vectors.assign(model.vectors - rate * gradient)
    return loss


def spread(scores):
    centred = scores - tf.reduce_mean(scores)
    squares = tf.square(centred)
    share = squares / tf.reduce_sum(squares)
    return tf.reduce_max(share) - tf.reduce_min(share)


model = Items(2000, 64)
queries = tf.random.normal([500, 64])
wanted = tf.random.normal([500, 2000])
losses = [float(train_step(model, queries, wanted, 0.1)) for _ in range(3)]
widest = spread(model(queries))
