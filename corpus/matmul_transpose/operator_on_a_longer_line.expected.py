# fidelity: tolerance
import tensorflow as tf


def similarity_of_documents(documents: tf.Tensor, projection_to_topics):
  projection_to_topics = tf.ensure_shape(projection_to_topics, [20, 30])
  return tf.matmul(
    documents @ projection_to_topics, projection_to_topics, transpose_b=True
  )


result = similarity_of_documents(tf.ones([40, 20]), tf.ones([20, 30]))
