"""256 steps over matrices of 256x256 under a tape."""

import tensorflow as tf

w = tf.Variable(tf.eye(256) * 0.9)


def train_step(state):
    with tf.GradientTape() as tape:
        for _ in range(256):
            state = tf.tanh(state @ w)
        loss = tf.reduce_sum(state)
    gradient = tape.gradient(loss, w)
    w.assign_sub(1e-5 * gradient)
    return loss


start = tf.ones([256, 256]) * 0.1
for _ in range(2):
    loss = train_step(start)
loss = train_step(start)
