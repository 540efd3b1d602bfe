# fidelity: tolerance
import tensorflow as tf


def similarity_of_documents(documents: tf.Tensor, projection):
  projection = tf.ensure_shape(projection, [20, 30])
  result = tf.matmul(documents @ projection, projection, transpose_b=True)  # pairs
  return result


result = similarity_of_documents(tf.ones([40, 20]), tf.ones([20, 30]))
