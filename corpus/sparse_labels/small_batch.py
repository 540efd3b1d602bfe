# unsafe
import tensorflow as tf

tf.random.set_seed(1)
ids = tf.random.uniform([300], maxval=1000, dtype=tf.int32)
scores = tf.random.normal([300, 1000])
losses = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(ids[:8], 1000), logits=scores[:8])  # refused: sparse_labels: less than 1 MB
