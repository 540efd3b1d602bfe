import tensorflow as tf

x = tf.ones([50, 30])
row = tf.range(30.0)
rows = x.shape[0]
for _ in range(2):
    x = x[:1]
    result = x + tf.tile(row[None], [rows, 1])  # refused: implicit_broadcast: not known to be a tensor of the full size
