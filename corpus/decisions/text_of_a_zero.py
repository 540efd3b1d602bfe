import tensorflow as tf

rows = tf.linalg.diag(tf.constant([-1.0, 2.0, 3.0] * 100)) @ tf.zeros([300, 50])  # refused: diag_matmul: a zero of its results may have another sign, and `tf.strings.as_string(rows)` makes another number of it
print(tf.unique(tf.reshape(tf.strings.as_string(rows), [-1])).y.numpy())
