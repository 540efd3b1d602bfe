import tensorflow as tf

rows = tf.linalg.diag(tf.constant([-1.0, 2.0, 3.0] * 100)) @ tf.zeros([300, 50])  # refused: diag_matmul: `tf.sqrt(turned)` makes another number of it
turned = tf.complex(tf.fill([300, 50], -1.0), rows)
print(tf.sqrt(turned)[:2, 0].numpy())
