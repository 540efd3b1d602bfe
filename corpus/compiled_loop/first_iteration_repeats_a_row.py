# for: both
import tensorflow as tf


def run(x, b):
    h = tf.zeros([1, x.shape[2]])
    outs = []
    for t in range(x.shape[1]):
        h = tf.tanh(x[:, t] + h * b)
        outs.append(h)
    return tf.stack(outs, axis=1)


for size in (1, 3):
    print(run(tf.ones([size, 60, 4]), tf.ones([4])).shape, run(tf.ones([2, 60, size]), tf.ones([size])).shape)
