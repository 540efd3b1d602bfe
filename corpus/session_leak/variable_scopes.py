import numpy as np
import tensorflow as tf


def scopes():
    graph = tf.Graph()
    with graph.as_default():
        with tf.compat.v1.variable_scope("first"):
            x = tf.compat.v1.get_variable("x", [2], initializer=tf.compat.v1.ones_initializer())
        with tf.compat.v1.variable_scope("second"):
            y = tf.compat.v1.get_variable("x", [2], initializer=tf.compat.v1.zeros_initializer())

        sess = tf.compat.v1.Session(
            graph=graph,
            config=tf.compat.v1.ConfigProto(
                allow_soft_placement=True,
            ),
        )
        sess.run(tf.compat.v1.global_variables_initializer())

        # The names
        # of both.
        text = """x:
  {}
y:
  {}"""
        for each in (x, y):
            value = sess.run(
                each,
            )
            text = text.replace("{}", each.name + " " + \
                str(value), 1)  # one by one

            print(value)
        # Not about the session.
        print(text, np.ones([1000, 1000]).sum())
    return text


left = scopes()
