import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
centred = layers.Lambda(lambda x: x - tf.reduce_mean(x, axis=0))
net = tf.keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(16, 3), centred, layers.GlobalMaxPooling2D()])
found = net(tf.ones([1000, 28, 28, 1]))
images = tf.ones([1000, 28, 28, 1])
again = net(images)  # refused: batched_forward: is not known to be computed row by row
