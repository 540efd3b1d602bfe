# peak at most: 0.4
import numpy as np
import tensorflow as tf

tf.random.set_seed(7)
images = np.tile(np.arange(250, dtype=np.uint8), 156800).reshape(50000, 28, 28)
labels = np.arange(50000) % 10


def preprocess(image, label):
    """Of one image."""
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.expand_dims(image, -1)
    label = tf.cast(label, tf.int32)
    return 2 * image - 1.0, tf.one_hot(label, depth=10)


data = tf.data.Dataset.from_tensor_slices((images, labels))
data = data.map(preprocess).shuffle(1000).batch(128)

order = []
for epoch in range(2):
    for step, (rows, hot) in enumerate(data.take(50)):
        order.append((float(tf.reduce_sum(rows)), step * int(tf.reduce_sum(tf.argmax(hot, 1)))))
print(order, data.element_spec, len(data))
