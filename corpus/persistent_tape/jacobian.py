import tensorflow as tf

w = tf.Variable(tf.ones([5]))
with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: tape.jacobian may need a persistent tape
    y = w**2
result = tape.jacobian(y, w, experimental_use_pfor=False)
