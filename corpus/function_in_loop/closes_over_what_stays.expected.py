import tensorflow as tf


def run(x, weight):
    scale = 3.0
    total = x
    step = tf.function(lambda x: tf.tanh(x * weight) + scale)
    for i in range(10):
        total = step(total)
    return total


def half(x):
    return x * 0.5


fast = tf.function(half, autograph=False)  # of the module


def halved(x):
    for _ in range(3):
        x = fast(x)
    return x


out = run(tf.ones([3]), tf.ones([3])), halved(tf.ones([4])), halved(tf.zeros([4]))
