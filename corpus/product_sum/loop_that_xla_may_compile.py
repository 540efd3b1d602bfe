import tensorflow as tf


def pulled(strengths, differences):
    return tf.reduce_sum(strengths[:, :, None] * differences, axis=1)  # refused: product_sum: XLA, which may compile the loop


def moved(x, steps):
    for _ in range(steps):
        print(x.shape)
        x = x + pulled(tf.ones([300, 300]), x[None] - x[:, None])
        y = tf.reduce_sum(x[:, 0][:, None, None] * tf.ones([300, 20, 30]), axis=0)  # refused: product_sum: twice as long for tf.tensordot
    return x, y


result = moved(tf.random.normal([300, 3]), 3)
