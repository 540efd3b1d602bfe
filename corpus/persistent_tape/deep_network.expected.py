# peak at most: 0.75
"""One step of training: the tape is asked once, inside of its block."""
import tensorflow as tf

weights = [tf.Variable(tf.eye(256)) for _ in range(8)]
x = tf.ones([1000, 256])

with tf.GradientTape() as tape:
    hidden = x
    for weight in weights:
        hidden = tf.tanh(hidden @ weight)
    loss = tf.reduce_mean(hidden)
    gradients = tape.gradient(loss, weights)

del hidden, weights, weight
