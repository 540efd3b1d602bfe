import tensorflow as tf

history = []


class Recorder:
    pass


recorder = Recorder()


def recorded(x):
    y = tf.square(x)
    history.append(y)
    z = y * 2.0
    recorder.last = z
    w = z + 1.0
    pair = (w, w)
    v = w * 3.0
    return v, pair


result = recorded(tf.ones([500, 500]))
