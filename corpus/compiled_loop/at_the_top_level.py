# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf

x = tf.ones([3])
for i in range(100):
    x = tf.sin(x)
