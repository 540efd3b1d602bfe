import tensorflow as tf

w = tf.Variable(tf.ones([5]))


def record():
    global tape
    with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape belongs to another scope
        loss = tf.reduce_sum(w**2)
    return loss, tape.gradient(loss, w)


loss, first = record()
second = tape.gradient(loss, w)
