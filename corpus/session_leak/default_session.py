# unsafe
import tensorflow as tf

v1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    one = tf.constant(1)
    two = tf.constant(2)


def inner():
    with v1.Session(graph=graph):
        sess = v1.Session(graph=graph)  # refused: session_leak: eval() without a session would take this one
        found = sess.run(one) + two.eval()
        return found + sess.run(one)


def in_a_with_of_its_own():
    sess = v1.Session(graph=graph)
    with sess.as_default():  # refused: session_leak: does not close it
        return sess.run(one)


def read_by_its_name():
    sess = v1.Session(graph=graph)  # refused: session_leak: locals(), eval or the like may read any name here
    found = sess.run(one)
    return found, eval("sess.run(two)")


print(inner(), in_a_with_of_its_own(), read_by_its_name())
