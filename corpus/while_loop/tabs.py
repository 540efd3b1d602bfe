# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def grow(x, rate):
	"""Logistic growth."""
	for i in range(52):
		x = x + rate * x * (1.0 - x)
	return x


result = grow(tf.constant([0.1, 0.5]), tf.constant(0.01))
