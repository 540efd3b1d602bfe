# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x):
    for _ in range(60):  # refused: numpy_loop: a tape or a graph may need the tensors
        x = tf.sin(x)
    return x


x = tf.Variable([0.5, 0.7])
with tf.GradientTape() as tape:
    y = settle(x * 1.0)
result = tape.gradient(y, x)
del tape
