import tensorflow as tf

tf.random.set_seed(1)
images = tf.cast(tf.random.uniform([3000, 28, 28], maxval=256, dtype=tf.int32), tf.uint8)
data = tf.data.Dataset.from_tensor_slices(images)


def flat(image):
    return tf.reshape(tf.cast(image, tf.float32) / 255.0, [28 * 28])


means = [float(tf.reduce_mean(rows)) for rows in data.shuffle(1000).map(flat).batch(100)]
print(means)
