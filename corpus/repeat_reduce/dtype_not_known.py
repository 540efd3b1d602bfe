import tensorflow as tf


def total(x):
    return tf.reduce_sum(tf.repeat(x, 1000))  # refused: repeat_reduce: unknown dtype, which may not hold


if __name__ == "__main__":
    results = [total(tf.constant([1, 2], tf.int8)), total(tf.constant([1, 2]))]
