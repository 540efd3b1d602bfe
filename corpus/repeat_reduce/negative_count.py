# raises
import tensorflow as tf

result = tf.reduce_sum(tf.repeat(tf.ones([100]), -1))  # refused: repeat_reduce: not known to be a positive Python int
