import hashlib

import tensorflow as tf

rows = tf.linalg.diag(tf.constant([-1.0, 2.0, 3.0] * 100)) @ tf.zeros([300, 50])  # refused: diag_matmul: a zero of its results may have another sign
print(hashlib.sha256(rows.numpy()).hexdigest())
