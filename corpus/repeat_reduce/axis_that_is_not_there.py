# raises
import tensorflow as tf

result = tf.reduce_sum(tf.repeat(tf.ones([100]), 5, axis=2))  # refused: repeat_reduce: not known to have the axis
