"""A network of functions, which asks its weights and its tensors for the sizes that it needs."""
# fidelity: tolerance

import numpy as np
import tensorflow as tf

random_normal = tf.initializers.RandomNormal(seed=1)
weights = {
    "wc1": tf.Variable(random_normal([5, 5, 1, 32])),
    "wc2": tf.Variable(random_normal([3, 3, 32, 16])),
    "wd1": tf.Variable(random_normal([14 * 14 * 16, 64])),
    "out": tf.Variable(random_normal([64, 10])),
}


def conv_net(x):
    x = tf.reshape(x, [-1, 28, 28, 1])
    x = tf.nn.relu(tf.nn.conv2d(x, weights["wc1"], strides=[1, 1, 1, 1], padding="SAME"))
    x = tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    x = tf.nn.relu(tf.nn.conv2d(x, weights["wc2"], strides=[1, 1, 1, 1], padding="SAME"))
    flat = tf.reshape(x, [-1, weights["wd1"].get_shape().as_list()[0]])
    hidden = tf.nn.relu(tf.matmul(flat, weights["wd1"]))
    hidden = tf.reshape(hidden, [-1, 8, 8])
    hidden = tf.reshape(hidden, [-1, hidden.shape[1] * hidden.shape[-1]])
    return tf.nn.softmax(tf.matmul(hidden, weights["out"]))


x_test = np.random.default_rng(0).random((400, 784), np.float32)
pred = conv_net(x_test)
loss = tf.reduce_mean(tf.square(pred - 0.1))
