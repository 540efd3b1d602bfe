import tensorflow as tf

w = tf.Variable(tf.ones([5]))


@tf.function
def step():
    with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: in a graph a persistent tape costs nothing
        loss = tf.reduce_sum(w**2)
    return tape.gradient(loss, w)


result = step()
