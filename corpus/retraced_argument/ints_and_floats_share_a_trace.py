import tensorflow as tf


@tf.function
def returned(k):
    return k, tf.convert_to_tensor(k)


first = [returned(i) for i in range(8)]
second = [returned(i / 7) for i in range(8)]  # refused: retraced_argument: 1 and 1.0 share a trace
