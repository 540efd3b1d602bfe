# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf

transitions = tf.ones([6, 300, 300])
values = tf.ones([300])
expected = tf.reduce_sum(transitions * values[None, None, :], axis=-1)
