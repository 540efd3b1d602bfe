import numpy as np
import tensorflow as tf


def descend(weights, target):
    rate = 0.1
    for _ in range(1000):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(weights - target))
        gradient = tape.gradient(loss, weights)
        weights.assign_sub(np.array(rate, np.float64) * gradient)  # the slower, the later
        rate *= 0.999
    return loss


weights = tf.Variable(tf.ones([3], tf.float64))
loss = descend(weights, tf.constant([0.5, 2.0, -1.0], tf.float64))
names = np.array(["a", "b", "c"])
print(weights.numpy(), loss.numpy())
