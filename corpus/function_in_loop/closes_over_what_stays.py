import tensorflow as tf


def run(x, weight):
    scale = 3.0
    total = x
    for i in range(10):
        step = tf.function(lambda x: tf.tanh(x * weight) + scale)
        total = step(total)
    return total


def half(x):
    return x * 0.5


def halved(x):
    for _ in range(3):
        fast = tf.function(half, autograph=False)  # of the module
        x = fast(x)
    return x


out = run(tf.ones([3]), tf.ones([3])), halved(tf.ones([4])), halved(tf.zeros([4]))
