# unsafe
import tensorflow as tf

v1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    one = tf.constant(1)


def is_alone():
    return v1.get_default_session() is None


def asked():
    sess = v1.Session(graph=graph)  # refused: session_leak: this file asks for the default session
    found = sess.run(one)
    return is_alone() and sess.run(one) == found


print(asked())
