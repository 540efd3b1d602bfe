import tensorflow as tf


def power(a, r):
    for i in range(90):  # refused: compiled_loop: r, a loop variable, is not known to be a tensor
        r = tf.matmul(r, a)
    return r


def scaled(x: tf.Tensor):
    for i in range(90):  # refused: compiled_loop: the dtype of the loop variable x is not known
        x = tf.tanh(x / 2)
    return x


if __name__ == "__main__":
    result = power(tf.eye(3), tf.ones([3, 3])), scaled(tf.ones([3]))
