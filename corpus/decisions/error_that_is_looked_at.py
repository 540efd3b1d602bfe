# for: both
import tensorflow as tf


@tf.function
def f(x, rows):
    for i in range(60):
        x = x * 2 + rows[i]  # refused: while_loop: errors of `f` are looked at, and rows[i] would raise another one where it leaves the tensor
        x = x - rows[59 - i] + rows[-1]
    return x


print(f(tf.constant([1, 2]), tf.reshape(tf.range(120), [60, 2])).numpy())
try:
    print(f(tf.constant([1, 2]), tf.reshape(tf.range(100), [50, 2])).numpy())
except Exception as e:
    print(type(e).__name__)
