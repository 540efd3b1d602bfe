# unsafe
import tensorflow as tf

tf.random.set_seed(1)
ids = tf.cast(tf.random.uniform([3000], maxval=200, dtype=tf.int32), tf.uint8)
scores = tf.random.normal([3000, 200])
losses = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(ids, 200), logits=scores)  # refused: sparse_labels: int32 or int64
