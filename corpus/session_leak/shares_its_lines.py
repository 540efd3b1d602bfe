# unsafe
import tensorflow as tf

v1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    one = tf.constant(1)


def beside():
    sess = v1.Session(graph=graph); found = sess.run(one)  # refused: session_leak: its lines are shared
    return found


def below(): sess = v1.Session(graph=graph); return sess.run(one)  # refused: session_leak: its lines are shared


def other_end():
    sess = v1.Session(graph=graph)  # refused: session_leak: its lines are shared
    found = sess.run(one); print("found")
    return found


print(beside(), below(), other_end())
