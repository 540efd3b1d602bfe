# fidelity: tolerance
# peak at most: 0.5
from tensorflow import linalg, matmul, random
import tensorflow as tf

x = random.normal([800, 100])
by_rows = tf.sqrt(tf.reduce_sum(x * x))
y = random.normal([100, 800])
by_columns = tf.sqrt(tf.reduce_sum(y * y))
