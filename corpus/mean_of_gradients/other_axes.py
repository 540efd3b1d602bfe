# unsafe
# fidelity: tolerance
import tensorflow as tf

x = tf.fill([1000, 800], 3.0)
all_of_it = tf.reduce_mean(tf.stack([x, x + 1.0]))  # refused: mean_of_gradients: only the mean along the first axis
second = tf.reduce_mean(tf.stack([x, x + 1.0]), axis=1)  # refused: mean_of_gradients: only the mean along the first axis
kept = tf.reduce_mean(tf.stack([x, x + 1.0]), axis=0, keepdims=True)  # refused: mean_of_gradients: only the mean along
last = tf.reduce_mean(tf.stack([x, x + 1.0], axis=-1), axis=0)
