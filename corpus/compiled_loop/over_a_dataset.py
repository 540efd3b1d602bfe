import tensorflow as tf


def over_a_dataset(x):
    dataset = tf.data.Dataset.range(60)
    for value in dataset:  # refused: compiled_loop: dataset is not known to be a tensor with rows
        x = x + tf.cast(value, tf.float32)
    return x


result = over_a_dataset(tf.ones([2]))
