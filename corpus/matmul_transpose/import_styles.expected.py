# fidelity: tolerance
import tensorflow
import tensorflow as tf
import tensorflow.compat.v2 as tf2
from tensorflow import linalg, matmul as mm, transpose

turned = tf.linalg.transpose if hasattr(tf.linalg, "transpose") else None
flip = tf.transpose
a = tf.reshape(tf.range(60.0), [3, 20])
b = tf.ones([4, 20])

r1 = mm(a, b, transpose_b=True)
r2 = linalg.matmul(a, b, transpose_b=True)
r3 = tensorflow.matmul(a, b, transpose_b=True)
r4 = tf2.matmul(a, a, transpose_a=True)
r5 = tf.matmul(a=a, b=b, transpose_b=True)
r6 = tf.matmul(a, b, transpose_b=True)
r7 = tf.matmul(a, b, transpose_b=True)
r8 = tf.matmul(a, b, name="product", transpose_b=True)
