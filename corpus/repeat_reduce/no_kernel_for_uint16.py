# raises
import tensorflow as tf

result = tf.reduce_sum(tf.repeat(tf.constant([1, 2], tf.uint16), 100))  # refused: repeat_reduce: uint16, which may not
