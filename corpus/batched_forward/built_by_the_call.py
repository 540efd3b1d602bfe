import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential([layers.Conv2D(16, 3, activation="relu"), layers.GlobalMaxPooling2D()])
images = tf.ones([1000, 28, 28, 1])
found = net(images)  # refused: batched_forward: would tell that a model was built with another number of rows
print(net.input_shape, net.output_shape)
