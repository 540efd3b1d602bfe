import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(16, 3, activity_regularizer="l2"), layers.GlobalMaxPooling2D()])
images = tf.random.uniform([1000, 28, 28, 1])
found = net(images)  # refused: batched_forward: a model may do more than compute its result
print(net.losses)
