# for: both
import tensorflow as tf


def run(x, w, u):
    h = tf.zeros([x.shape[0], u.shape[0]])
    for t in range(x.shape[1]):
        h = tf.tanh(tf.einsum("bi,ij->bj", x[:, t], w) + tf.einsum("bi,ij->bj", h, u))
    return h


for units in (1, 3):
    print(run(tf.ones([2, 60, 4]), tf.fill([4, units], 0.1), tf.eye(units) * 0.5).shape)
print(run(tf.ones([0, 1, 4]), tf.fill([4, 2], 0.1), tf.eye(2) * 0.5).shape)
