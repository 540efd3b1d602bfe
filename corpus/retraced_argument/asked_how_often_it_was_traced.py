import tensorflow as tf


@tf.function
def scaled(x, k):
    return x * k


x = tf.ones([3])
for i in range(8):
    scaled(x, i)  # refused: retraced_argument: this file counts how often functions are traced
print(scaled.experimental_get_tracing_count())
