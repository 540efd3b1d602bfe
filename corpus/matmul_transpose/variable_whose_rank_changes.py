# unsafe
import tensorflow as tf


def scores(queries: tf.Tensor, keys: tf.Variable):
    tf.debugging.assert_rank(keys, 2)
    keys.assign(tf.ones([3, 4, 5]))
    return tf.matmul(queries, tf.transpose(keys))  # refused: matmul_transpose: keys is not known to have rank 2


result = scores(tf.ones([5, 3, 4]), tf.Variable(tf.ones([4, 5]), shape=tf.TensorShape(None)))
