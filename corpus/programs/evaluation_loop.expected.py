# for: both
"""Evaluates a model on 60 batches: the mean loss and the share of right answers."""

import tensorflow as tf


class Model(tf.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.weights = tf.Variable(tf.random.normal([features, classes], stddev=0.1, seed=1))
        self.bias = tf.Variable(tf.zeros([classes]))

    def __call__(self, x):
        return tf.matmul(x, self.weights) + self.bias


@tf.function
def _evaluate_loop(images, labels, model):
    losses = tf.TensorArray(tf.float32, size=images.shape[0], element_shape=labels.shape[1:])
    hits = tf.TensorArray(tf.float32, size=images.shape[0], element_shape=labels.shape[1:])

    def step(i, losses, hits):
        x = images[i]
        y = labels[i]
        logits = model(x)
        losses = losses.write(i, tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        hits = hits.write(i, tf.cast(tf.equal(tf.argmax(logits, axis=1), y), tf.float32))
        return i + 1, losses, hits

    _, losses, hits = tf.while_loop(
        lambda i, losses, hits: i < images.shape[0],
        step,
        (0, losses, hits),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape(None)),
        maximum_iterations=images.shape[0],
        parallel_iterations=1,
    )
    return losses.concat(), hits.concat()


def evaluate(model, images, labels):
    losses, hits = _evaluate_loop(images, labels, model)
    return tf.reduce_mean(losses), tf.reduce_mean(hits)


model = Model(features=64, classes=100)
images = tf.random.normal([60, 500, 64], seed=2)
labels = tf.random.uniform([60, 500], maxval=100, dtype=tf.int64, seed=3)

loss, accuracy = evaluate(model, images, labels)
