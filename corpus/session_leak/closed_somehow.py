import contextlib

import tensorflow as tf

v1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    one = tf.constant(1)


def by_hand():
    sess = v1.Session(graph=graph)
    try:
        return sess.run(one)
    finally:
        sess.close()


def by_its_own_with():
    sess = v1.Session(graph=graph)
    with sess:
        found = sess.run(one)
    return found


def by_others():
    with contextlib.ExitStack() as stack:
        sess = v1.Session(graph=graph)
        stack.enter_context(contextlib.closing(sess))
        return sess.run(one)


def by_hand_inside_of_with():
    with v1.Session(graph=graph) as sess:
        found = sess.run(one)
        sess.close()
    return found


print(by_hand(), by_its_own_with(), by_others(), by_hand_inside_of_with())
