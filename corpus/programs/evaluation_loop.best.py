"""Sums in a loop of the graph, over batches that are as small as they may be."""

import tensorflow as tf


class Model(tf.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.weights = tf.Variable(tf.random.normal([features, classes], stddev=0.1, seed=1))
        self.bias = tf.Variable(tf.zeros([classes]))

    def __call__(self, x):
        return tf.matmul(x, self.weights) + self.bias


BLOCK = 100


@tf.function
def evaluate(model, images, labels):
    samples = labels.shape[0] * labels.shape[1]
    images, labels = tf.reshape(images, [samples, -1]), tf.reshape(labels, [samples])

    def step(i, loss, hits):
        y = labels[i : i + BLOCK]
        logits = model(images[i : i + BLOCK])
        loss += tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        return i + BLOCK, loss, hits + tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, axis=1), y), tf.float32))

    _, loss, hits = tf.while_loop(lambda i, *_: i < samples, step, (0, 0.0, 0.0), parallel_iterations=1)
    return loss / samples, hits / samples


model = Model(features=64, classes=100)
images = tf.random.normal([60, 500, 64], seed=2)
labels = tf.random.uniform([60, 500], maxval=100, dtype=tf.int64, seed=3)

loss, accuracy = evaluate(model, images, labels)
