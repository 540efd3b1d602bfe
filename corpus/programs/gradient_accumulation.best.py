"""The sums of the gradients grow in place, and so do the weights."""

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


@tf.function
def gradients_of(model, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(model, x, y)
    return loss, tape.gradient(loss, model.trainable_variables)


def train_step(model, batches, rate):
    variables = model.trainable_variables
    accumulated = [tf.Variable(tf.zeros(v.shape)) for v in variables]
    losses = []
    for x, y in batches:
        loss, gradients = gradients_of(model, x, y)
        losses.append(loss)
        for total, gradient in zip(accumulated, gradients):
            total.assign_add(gradient)
        del gradients, gradient
    for variable, total in zip(variables, accumulated):
        tf.raw_ops.ResourceApplyGradientDescent(var=variable.handle, alpha=rate / len(batches), delta=total)
    return tf.reduce_mean(tf.stack(losses))


model = Classifier(features=256, hidden=1024, classes=64)
images = tf.random.normal([8, 64, 256], seed=3)
labels = tf.random.uniform([8, 64], maxval=64, dtype=tf.int32, seed=4)
batches = [(images[i], labels[i]) for i in range(8)]

loss = train_step(model, batches, rate=0.1)
