"""Variables of one name in two scopes, and a session that nobody closes."""
import tensorflow as tf


def scopes():
    graph = tf.Graph()
    with graph.as_default():
        with tf.compat.v1.variable_scope("first"):
            x = tf.compat.v1.get_variable("x", [1000, 1000], initializer=tf.compat.v1.ones_initializer())
        with tf.compat.v1.variable_scope("second"):
            y = tf.compat.v1.get_variable("x", [1000, 1000], initializer=tf.compat.v1.zeros_initializer())
        total = tf.reduce_sum(x + y)
        session = tf.compat.v1.Session(graph=graph)
        session.run(tf.compat.v1.global_variables_initializer())
        result = session.run(total)
    return result


result = scopes()
