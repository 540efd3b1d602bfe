"""The file shows what AutoGraph can't do."""
import tensorflow as tf
from tensorflow.python.framework import errors_impl


@tf.function
def leaking(x, n):
    out = []
    for i in tf.range(n):  # refused: while_loop: the file expects an InaccessibleTensorError
        out.append(x * 2.0)
    return tf.stack(out)


try:
    result = leaking(tf.constant([1.0, 2.0]), 3)
except errors_impl.InaccessibleTensorError:
    result = "as expected"
