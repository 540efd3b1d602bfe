# unsafe
import tensorflow as tf

tf.random.set_seed(1)
ids = tf.random.uniform([300], maxval=1000, dtype=tf.int32)
scores = tf.random.normal([300, 1000])

losses = tf.keras.losses.categorical_crossentropy(tf.one_hot(ids, 1000), scores, from_logits=True, label_smoothing=0.1)  # refused: sparse_labels: label_smoothing
