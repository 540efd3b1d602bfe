# unsafe
import tensorflow as tf

tf.random.set_seed(1)
ids = tf.random.uniform([60000], maxval=10, dtype=tf.int32)
scores = tf.random.normal([60000, 10])
losses = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(ids, 10), logits=scores)  # refused: sparse_labels: 10 classes
