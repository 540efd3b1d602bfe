# for: both
import io
import traceback
import tensorflow as tf


def f(x):
    y = tf.square(x)
    z = tf.sin(y) + tf.cos(y)
    w = z * 2.0
    v = tf.exp(-w) * w
    return tf.matmul(v, tf.ones([3, 3]))


try:
    f(tf.ones([800, 800]))
except Exception as e:
    t = traceback.TracebackException.from_exception(e, capture_locals=True)
    for s in t.stack:
        if s.name == "f":
            print(sorted(s.locals))
