import tensorflow as tf

w = tf.Variable(tf.ones([5]))
result = []
for turn in range(3):
    if turn == 0:
        with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: more often than it is opened
            loss = tf.reduce_sum(w * w)
    result.append(tape.gradient(loss, w))
