# for: both
import tensorflow as tf

total = tf.Variable(tf.zeros([2]))


@tf.function
def accumulate(x):
    for i in range(64):
        x = tf.sin(x)
        total.assign_add(x * i)
    return x


result = accumulate(tf.ones([2]))
