# fidelity: tolerance
# peak at most: 0.5
from tensorflow import linalg, matmul, random
import tensorflow as tf

x = random.normal([800, 100])
by_rows = tf.sqrt(linalg.trace(matmul(x, x, transpose_b=True)))
y = random.normal([100, 800])
by_columns = tf.sqrt(linalg.trace(matmul(y, y, transpose_a=True)))
