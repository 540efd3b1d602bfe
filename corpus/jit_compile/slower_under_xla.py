import tensorflow as tf


@tf.function
def waves(x):  # refused: jit_compile: XLA takes longer for tf.sin
    return tf.sin(x) * tf.cos(x)


results = [waves(tf.ones([1000, 1000])) for _ in range(2)]
