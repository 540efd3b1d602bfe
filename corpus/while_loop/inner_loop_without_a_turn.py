import tensorflow as tf


@tf.function
def summed(x, n):
    for i in range(90):
        total = 0.0
        j = 0
        while j < n:  # refused: while_loop: the values after an inner loop without iterations would be different
            total = total + tf.reduce_sum(x)
            j += 1
        x = x * 0.9 + total
    return x


result = summed(tf.ones([2]), 3), summed(tf.ones([2]), 0)
