# fidelity: tolerance
import tensorflow as tf

ids = tf.argmax(tf.reshape(tf.range(300 * 1000) % 977, [300, 1000]), axis=-1)
scores = tf.fill([300, 1000], 0.25)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(ids, scores))
