# fidelity: tolerance
import tensorflow as tf

x = tf.random.stateless_normal([6, 20], seed=[1, 2])
w = tf.Variable(tf.ones([5, 20]))

first = tf.matmul(
    x,
    w,
    transpose_b=True,  # [20, 5]
)
second = tf.matmul(
    tf.transpose(  # [20, 6]
        x
    ), x)
third = tf.matmul(x,
                  w,
                  transpose_b=True)
