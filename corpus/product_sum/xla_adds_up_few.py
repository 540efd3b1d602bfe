import tensorflow as tf


def similar(a):
    return tf.reduce_sum(a[:, None] * a[None], axis=-1)  # refused: product_sum: XLA adds up 8 products as it computes them


@tf.function(jit_compile=True)
def compiled(a):
    return similar(a) + 1.0


@tf.function(jit_compile=True)
def forces(strengths, differences):
    return tf.reduce_sum(strengths[:, :, None] * differences, axis=1)  # refused: product_sum: XLA takes up to three times as long


pairs = compiled(tf.random.normal([200, 8]))
pulls = forces(tf.random.normal([300, 300]), tf.random.normal([300, 300, 3]))
