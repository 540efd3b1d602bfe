import numpy as np
import tensorflow as tf


def restored(path, value):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None])
        w = tf.compat.v1.get_variable("w", [], initializer=tf.compat.v1.ones_initializer())
        y = x * w
        saver = tf.compat.v1.train.Saver()
    sess = tf.compat.v1.Session(graph=graph)
    w.initializer.run(session=sess)
    if value is None:
        return saver.save(sess, path)
    found = [y.eval({x: value}, session=sess) for _ in range(2)]
    if len(found) > 2:
        return found
    else:
        result = sess.graph.version >= 0 and np.concatenate(found)
    return result * np.ones([1000, 1000]).max()


print(restored("unused", [1.0, 2.0]), restored("unused", [2.0]))
