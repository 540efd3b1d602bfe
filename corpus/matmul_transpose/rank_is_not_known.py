import tensorflow as tf


def scores(query, keys):
    return tf.matmul(query, tf.transpose(keys))  # refused: matmul_transpose: keys is not known to have rank 2


users = {"scores": scores}
result = users["scores"](tf.ones([3, 4, 20]), tf.ones([5, 20, 3]))[0, 0]
