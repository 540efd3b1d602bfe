# unsafe
import tensorflow as tf

tf.config.run_functions_eagerly(True)  # refused: run_eagerly: largest needs that: it calls .numpy()


@tf.function
def largest(x):
    return max(x.numpy())


print(largest(tf.constant([1.0, 3.0])))
