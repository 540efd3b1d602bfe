import tensorflow as tf


def scores(queries, keys):
    return tf.matmul(queries, tf.transpose(keys))  # refused: matmul_transpose: keys is not known to have rank 2


is_script = __name__ == "__main__"
if is_script:
    result = scores(tf.random.normal([20, 30]), tf.random.normal([40, 30]))
