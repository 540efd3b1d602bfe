# unsafe
import tensorflow as tf

tf.random.set_seed(1)
ids = tf.random.uniform([300], maxval=1000, dtype=tf.int32)
scores = tf.random.normal([300, 1000])
losses = tf.keras.losses.categorical_crossentropy(tf.one_hot(ids, 1000), tf.nn.softmax(scores))  # refused: sparse_labels: probabilities
