import tensorflow as tf


@tf.function
def kept(x):
    for i in range(90):  # refused: while_loop: best is first assigned in the loop, in some of its iterations only
        x = x * 0.9
        if i % 10 == 0:
            best = x
        x = x + best
    return x


result = kept(tf.ones([2]))
