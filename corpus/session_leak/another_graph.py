import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def eager_beside_it(graph, x):
    sess = v1.Session(graph=graph)  # refused: session_leak: would be built in the session's graph
    y = tf.square(x)
    found = sess.run("one:0") + y
    return np.full([1000, 1000], found.numpy()).max()


def unknown_beside_it(graph, read):
    sess = v1.Session(graph=graph)  # refused: session_leak: read may ask for the default session
    found = read(sess.run("one:0"))
    return np.full([1000, 1000], found).max()


first = tf.Graph()
with first.as_default():
    tf.constant(1, name="one")
print(eager_beside_it(first, tf.constant(3)), unknown_beside_it(first, int))


def eager_operators(graph, x):
    sess = v1.Session(graph=graph)  # refused: session_leak: -x[1:] may be an eager tensor
    y = -x[1:] + sess.run("one:0")
    found = y * sess.run("one:0")
    return np.full([1000, 1000], found.numpy()[0]).max()


def eager_loop(graph):
    sess = v1.Session(graph=graph)  # refused: session_leak: thrice may be an eager tensor
    for each in thrice:
        print(sess.run("one:0") + each.numpy())
    print(np.ones([1000, 1000]).max())


def largest(graph, x):
    sess = v1.Session(graph=graph)  # refused: session_leak: x may be an eager tensor
    found = max(x, x)
    value = found.numpy() + sess.run("one:0")
    return np.full([1000, 1000], value).max()


thrice = tf.constant([1, 2, 3])
print(eager_operators(first, thrice), largest(first, tf.constant(3)))
eager_loop(first)
