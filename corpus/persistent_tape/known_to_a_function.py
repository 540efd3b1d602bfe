import tensorflow as tf

w, b = tf.Variable(tf.ones([5])), tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: another function knows tape
    loss = tf.reduce_sum(w * b)


def ask(variable):
    return tape.gradient(loss, variable)


result = [ask(w), ask(b)]
