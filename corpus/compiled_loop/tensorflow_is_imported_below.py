def settle(x):
    for _ in range(60):  # refused: compiled_loop: is not imported above, where the loop's function would be
        x = tf.tanh(x)
    return x


import tensorflow as tf

result = settle(tf.ones([2]))
