import tensorflow as tf


def repeated(x):
    y = tf.square(x)
    total = 0.0
    for step in range(3):
        z = y * float(step)
        total = total + z
        if step == 1:
            y = z + 1.0
    return total


result = repeated(tf.ones([500, 500]))
