# peak at most: 0.3
"""Learns vectors for 1000 items from given scores, and predicts the mean score of queries at several scales."""

import tensorflow as tf


class Items(tf.Module):
    def __init__(self, count, features):
        super().__init__()
        self.vectors = tf.Variable(tf.random.normal([count, features]))

    def __call__(self, queries):
        return tf.matmul(queries, self.vectors, transpose_b=True)  # one score for every pair


def train_step(model, queries, wanted, rate):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(tf.square(model(queries) - wanted))
    gradient = tape.gradient(loss, model.vectors)
    model.vectors.assign(model.vectors - rate * gradient)
    return loss


def predict(model, queries):
    scores = []
    for scale in range(12):
        scores.append(model(queries * (1.0 + 0.01 * scale)))
    return tf.reduce_mean(tf.stack(scores), axis=0)


model = Items(1000, 16)
queries = tf.random.normal([250, 16])
wanted = tf.random.normal([250, 1000])
for epoch in range(3):
    loss = train_step(model, queries, wanted, 0.1)
    print(f"epoch {epoch}: loss {float(loss):.4f}")
scores = predict(model, queries)
