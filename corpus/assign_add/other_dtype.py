# raises
import tensorflow as tf

v = tf.Variable(tf.zeros([30]))
v.assign(v + tf.ones([30], tf.float64))  # refused: assign_add: is float64, the variable float32
