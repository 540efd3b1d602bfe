# unsafe
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def fitted(steps):
    w = v1.get_variable("w", [], initializer=v1.zeros_initializer())
    step = w.assign_add(1.0)

    sess = v1.Session()
    sess.run(v1.global_variables_initializer())
    for _ in range(steps):
        sess.run(step)
    found = sess.run(w)
    return np.full([1000, 1000], found).sum()


with tf.Graph().as_default():
    print(fitted(3))
