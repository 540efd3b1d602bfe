import tensorflow as tf

scale = tf.constant(2.0)


def scaled(x):
    z = tf.square(x) * scale  # refused: tf_function: it reads scale, and scale is assigned more than one value
    return z + 1.0


x = tf.fill([1000, 1000], 0.5)
results = []
for step in range(3):
    results.append(scaled(x))
    scale = tf.constant(float(step))
