import tensorflow as tf

w = tf.Variable(tf.ones([5]))


def both():
    with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: locals(), eval or the like may read any name here
        loss = tf.reduce_sum(w**2)
    return tape.gradient(loss, w), locals()["tape"].gradient(loss, w)


result = both()
