# fidelity: tolerance
"""300 rates, 300 graphs before."""

# peak at most: 0.6
import tensorflow as tf

weights = tf.Variable(tf.ones([20, 3]))


@tf.function
def train_step(inputs, targets, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(inputs, weights) - targets))
    gradient = tape.gradient(loss, weights)
    weights.assign_sub(rate * gradient)
    return loss


inputs, targets = tf.ones([30, 20]), tf.ones([30, 3])
losses = []
rate = 0.1
for epoch in range(60):
    losses.append(float(train_step(inputs, targets, tf.constant(rate, tf.float32))))
    rate *= 0.97
