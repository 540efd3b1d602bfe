import tensorflow as tf

tf.random.set_seed(1)
ids = tf.random.uniform([300], maxval=1000, dtype=tf.int32)
scores = tf.random.normal([300, 1000])
scores = tf.where(scores > 1.0, float("-inf"), scores)
losses = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(ids, 1000), logits=scores)  # refused: sparse_labels: holds -inf
