# unsafe
import tensorflow as tf

layer = tf.keras.layers.Dense(3, kernel_initializer="ones")


@tf.function
def scaled(x, k):
    return tf.cast(layer(x), tf.float32) * k


for step in range(8):
    y = scaled(tf.ones([2, 3]), step)
