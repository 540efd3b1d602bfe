# for: both
import tensorflow as tf


x = tf.constant([3.0, -2.0, 0.5])
y = x
for i in range(60):  # refused: numpy_loop: a zero of its results may have another sign, and `1.0 / y` makes another number of it
    x = x * -0.5
    y = tf.minimum(tf.maximum(x, 0.0), x * 0.0)
print((1.0 / y).numpy().tolist())
