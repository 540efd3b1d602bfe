"""Trains with the gradients of eight small batches added up, as if they were one that doesn't fit."""

import tensorflow as tf


class Classifier(tf.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([features, hidden], stddev=0.05, seed=1))
        self.w2 = tf.Variable(tf.random.normal([hidden, classes], stddev=0.05, seed=2))

    def __call__(self, x):
        return tf.matmul(tf.nn.relu(tf.matmul(x, self.w1)), self.w2)


def loss_of(model, x, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x)))


def train_step(model, batches, rate):
    variables = model.trainable_variables
    accumulated = [tf.zeros_like(v) for v in variables]
    losses = []
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_of(model, x, y)
        gradients = tape.gradient(loss, variables)
        accumulated = [total + new for total, new in zip(accumulated, gradients)]
        losses.append(loss)
    for variable, total in zip(variables, accumulated):
        variable.assign(variable - rate * total / len(batches))
    return tf.reduce_mean(tf.stack(losses))


model = Classifier(features=256, hidden=1024, classes=64)
images = tf.random.normal([8, 64, 256], seed=3)
labels = tf.random.uniform([8, 64], maxval=64, dtype=tf.int32, seed=4)
batches = [(images[i], labels[i]) for i in range(8)]

loss = train_step(model, batches, rate=0.1)
