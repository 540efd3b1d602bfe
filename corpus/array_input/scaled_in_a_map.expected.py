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


def rows_of(arrays):
    """Pick rows of arrays by their indices, where a dataset of the arrays would hold a copy."""
    flat = tf.nest.flatten(arrays)
    dtypes = [array.dtype for array in flat]

    def pick(indices):
        rows = tf.numpy_function(lambda i: [array[i] for array in flat], [indices], dtypes)
        for row, array in zip(rows, flat):
            row.set_shape(indices.shape + array.shape[1:])
        return tf.nest.pack_sequence_as(arrays, rows)

    return pick


data = tf.data.Dataset.range(len(images))
data = data.shuffle(1000).batch(128).map(rows_of((images, labels))).map(preprocess)

order = []
for epoch in range(2):
    for step, (rows, hot) in enumerate(data.take(50)):
        order.append((float(tf.reduce_sum(rows)), step * int(tf.reduce_sum(tf.argmax(hot, 1)))))
print(order, data.element_spec, len(data))
