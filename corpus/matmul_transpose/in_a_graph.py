import tensorflow as tf


@tf.function
def product(a: tf.Tensor, b: tf.Tensor):
    return tf.matmul(a, tf.transpose(b, [1, 0]))  # refused: matmul_transpose: in a graph TensorFlow folds the transpose


result = product(tf.ones([3, 20]), tf.ones([4, 20]))
