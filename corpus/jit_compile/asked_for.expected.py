# unsafe
import tensorflow as tf


@tf.function(jit_compile=True)
def dense(x, w):
    return tf.tanh(tf.matmul(x, w)) * 2.0


results = [dense(tf.ones([100, 100]), tf.ones([100, 100])) for _ in range(2)]
