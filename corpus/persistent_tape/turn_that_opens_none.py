import tensorflow as tf

w = tf.Variable(tf.ones([5]))
result = []
for turn in range(4):
    if turn > 0:
        result.append(tape.gradient(loss, w))
    if turn == 2:
        continue
    with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: more often than it is opened
        loss = tf.reduce_sum(w * w)
