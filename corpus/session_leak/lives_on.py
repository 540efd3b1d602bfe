# unsafe
import tensorflow as tf

v1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    one = tf.constant(1)


class Model:
    def __init__(self):
        self.sess = v1.Session(graph=graph)  # refused: session_leak: the session is stored

    def run(self):
        return self.sess.run(one)


def opened():
    sess = v1.Session(graph=graph)
    sess.run(one)
    return sess  # refused: session_leak: passed on


def given():
    sess = v1.Session(graph=graph)
    return value_of(sess)  # refused: session_leak: passed to a function


def value_of(sess):
    return sess.run(one)


def later():
    sess = v1.Session(graph=graph)
    return lambda: sess.run(one)  # refused: session_leak: known to an inner function


def lazily():
    sess = v1.Session(graph=graph)
    return (sess.run(each) for each in [one])  # refused: session_leak: known to an inner function


def prepared():
    sess = v1.Session(graph=graph)
    return sess.make_callable(one)  # refused: session_leak: not every use of sess is known to end


def twice(again):
    sess = v1.Session(graph=graph)  # refused: session_leak: assigned another value
    if again:
        sess = v1.Session(graph=graph)  # refused: session_leak: assigned another value
    return sess.run(one)


def maybe(wanted):
    if wanted:
        sess = v1.Session(graph=graph)  # refused: session_leak: outside of the block
    return sess.run(one)


def turns():
    sess = v1.Session(graph=graph)  # refused: session_leak: between the iterations of a generator
    for _ in range(2):
        yield sess.run(one)


def shared():
    global everywhere
    everywhere = v1.Session(graph=graph)  # refused: session_leak: known outside of its function
    return everywhere.run(one)


print(Model().run(), opened().run(one), given(), later()(), list(lazily()), prepared()(), twice(True), maybe(True), list(turns()), shared())
