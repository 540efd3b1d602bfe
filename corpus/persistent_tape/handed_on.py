import tensorflow as tf

w, b = tf.Variable(tf.ones([5])), tf.Variable(tf.ones([5]))


def ask(tape, loss):
    return tape.gradient(loss, w), tape.gradient(loss, b)


with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape is passed on
    loss = tf.reduce_sum(w * b)
result = ask(tape, loss)
