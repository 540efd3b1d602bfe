# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _grow_loop(rate, x):
	def step(i, x):
		x = x + rate * x * (1.0 - x)
		return i + 1, x

	_, x = tf.while_loop(
		lambda i, x: i < 365,
		step,
		(0, x),
		shape_invariants=(tf.TensorShape([]), x.shape),
		maximum_iterations=365,
	)
	return x


def grow(x, rate):
	"""Logistic growth."""
	x = _grow_loop(tf.constant(rate), x)
	return x


result = grow(tf.constant([0.1, 0.5]), 0.01)
