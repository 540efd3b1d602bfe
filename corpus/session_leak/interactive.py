# unsafe
import tensorflow as tf

v1 = tf.compat.v1


def value():
    with tf.Graph().as_default():
        sess = v1.InteractiveSession()  # refused: session_leak: stays the default session
        x = tf.constant(1)
        return sess.run(x) + x.eval()


def evaluated():
    with tf.Graph().as_default():
        sess = v1.InteractiveSession()  # refused: session_leak: stays the default session
        return tf.constant(1).eval()


print(value())
v1.get_default_session().close()
print(evaluated())
v1.get_default_session().close()
