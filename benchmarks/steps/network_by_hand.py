"""A recurrent network by hand: 256 steps with inputs, outputs and losses, in a `tf.function`."""

import tensorflow as tf

tf.random.set_seed(1)
inputs = tf.random.stateless_normal([256, 32, 64], [1, 2])
targets = tf.random.stateless_normal([256, 32, 128], [3, 4])
w = tf.Variable(tf.random.stateless_normal([64, 128], [5, 6]) * 0.05)
u = tf.Variable(tf.random.stateless_normal([128, 128], [7, 8]) * 0.05)


@tf.function
def train_step(inputs, targets):
    state = tf.zeros([32, 128])
    loss = 0.0
    with tf.GradientTape() as tape:
        for t in tf.range(256):
            state = tf.tanh(inputs[t] @ w + state @ u)
            loss += tf.reduce_mean(tf.square(state - targets[t]))
    gradients = tape.gradient(loss, [w, u])
    w.assign_sub(0.1 * gradients[0])
    u.assign_sub(0.1 * gradients[1])
    return loss


for _ in range(2):
    loss = train_step(inputs, targets)
loss = train_step(inputs, targets)
