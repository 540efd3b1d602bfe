# peak at most: 0.8
import tensorflow as tf


def normalised(images):
    floats = tf.cast(images, tf.float32)
    scaled = floats / 255.0  # into 0..1
    del floats
    centred = scaled - tf.reduce_mean(scaled)
    del scaled
    deviation = tf.sqrt(tf.reduce_mean(tf.square(centred)))
    for _ in range(2):
        centred = centred / (deviation + 1e-6)
    return centred


result = normalised(tf.ones([500, 500, 3], tf.uint8))
