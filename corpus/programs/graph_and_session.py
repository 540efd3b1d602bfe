"""Placeholders of TensorFlow 1 and a session that a `with` block closes."""
import tensorflow as tf


def add(first, second):
    graph = tf.Graph()
    with graph.as_default():
        a = tf.compat.v1.placeholder(tf.float32, [None])
        b = tf.compat.v1.placeholder(tf.float32, [None])
        c = a + b
        with tf.compat.v1.Session(graph=graph) as session:
            return session.run(c, feed_dict={a: first, b: second})


result = add([1.0, 2.0], [3.0, 4.0])
