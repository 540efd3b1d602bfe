# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def grow(x, rate):
	"""Logistic growth."""

	def step(i, x):
		x = x + rate * x * (1.0 - x)
		return i + 1, x

	_, x = tf.while_loop(
		lambda i, x: i < 52,
		step,
		(0, x),
		shape_invariants=(tf.TensorShape([]), x.shape),
		maximum_iterations=52,
		parallel_iterations=1,
	)
	return x


result = grow(tf.constant([0.1, 0.5]), tf.constant(0.01))
