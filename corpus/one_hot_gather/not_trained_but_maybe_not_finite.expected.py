# unsafe
import tensorflow as tf

table = tf.Variable(tf.random.normal([30, 4]), trainable=False)
ids = tf.argmin(tf.random.normal([20, 30]), axis=-1)
rows = tf.gather(table, ids)
