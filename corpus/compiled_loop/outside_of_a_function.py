import tensorflow as tf

x = tf.ones([3])
for i in range(100):  # refused: compiled_loop: the loop stands outside of every function
    x = tf.sin(x)
