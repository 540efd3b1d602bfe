# unsafe
import tensorflow as tf

__all__ = ["sess", "one"]

graph = tf.Graph()
with graph.as_default():
    one = tf.constant(1)

sess = tf.compat.v1.Session(graph=graph)  # refused: session_leak: other modules may import sess
first = sess.run(one)
