# raises
import tensorflow as tf

x = tf.ones([60, 30])
row = tf.range(30.0)
result = x * tf.tile(row[tf.newaxis, :], [50, 1])  # refused: implicit_broadcast: not known to be a tensor of the full size
