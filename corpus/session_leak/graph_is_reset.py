import tensorflow.compat.v1 as tf


def reset():
    tf.reset_default_graph()


def directly(graph):
    sess = tf.Session(graph=graph)  # refused: session_leak: tf.reset_default_graph
    sess.run("one:0")
    with graph.as_default():
        pass
    tf.reset_default_graph()
    return sess.run("one:0")


def by_a_function(graph):
    sess = tf.Session(graph=graph)  # refused: session_leak: tf.reset_default_graph
    sess.run("one:0")
    reset()
    return sess.run("one:0")


def by_another_session(graph):
    sess = tf.Session(graph=graph)  # refused: session_leak: tf.InteractiveSession
    found = sess.run("one:0")
    other = tf.InteractiveSession(graph=graph)
    found += sess.run("one:0")
    other.close()
    return found


first = tf.Graph()
with first.as_default():
    tf.constant(1, name="one")
print(directly(first), by_a_function(first), by_another_session(first))
