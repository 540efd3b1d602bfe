import tensorflow as tf

tf.random.set_seed(1)
ids = tf.random.uniform([300], maxval=1000, dtype=tf.int32)
scores = tf.random.normal([300, 1000])
ids = tf.where(ids < 100, -1, ids)
losses = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(ids, 1000), logits=scores)  # refused: sparse_labels: an id might lie outside
