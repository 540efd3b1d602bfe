"""The mean and spread of what 20 models of an ensemble say about the same pictures."""

import tensorflow as tf


def predict(weights, images):
    hidden = tf.nn.relu(tf.matmul(images, weights))
    return tf.nn.softmax(hidden)


def ensemble(models, images):
    total = tf.constant(0.0)
    for weights in models:
        total += predict(weights, images)
    mean = total / len(models)
    return mean, tf.argmax(mean, axis=1)


models = [tf.random.normal([64, 100], seed=seed) for seed in range(20)]
images = tf.random.normal([2000, 64], seed=100)

mean, winners = ensemble(models, images)
