import keras
import tensorflow as tf

v = keras.Variable(tf.zeros([30]))
v.assign(v + tf.ones([30]))  # refused: assign_add: not known to be a tf.Variable
result = tf.convert_to_tensor(v)
