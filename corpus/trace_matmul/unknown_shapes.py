import tensorflow as tf


def overlap(a, b):
    return tf.linalg.trace(tf.matmul(a, b))  # refused: trace_matmul: not known to be matrices


if __name__ == "__main__":
    result = overlap(tf.random.normal([2, 200, 4]), tf.random.normal([2, 4, 200]))
