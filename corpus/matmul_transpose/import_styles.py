# fidelity: tolerance
import tensorflow
import tensorflow as tf
import tensorflow.compat.v2 as tf2
from tensorflow import linalg, matmul as mm, transpose

turned = tf.linalg.transpose if hasattr(tf.linalg, "transpose") else None
flip = tf.transpose
a = tf.reshape(tf.range(60.0), [3, 20])
b = tf.ones([4, 20])

r1 = mm(a, transpose(b))
r2 = linalg.matmul(a, tf.linalg.matrix_transpose(b))
r3 = tensorflow.matmul(a, flip(b))
r4 = tf2.matmul(tf2.transpose(a), a)
r5 = tf.matmul(a=a, b=tf.transpose(a=b))
r6 = tf.matmul(a, tf.transpose(b, perm=[1, 0]))
r7 = tf.matmul(a, tf.transpose(b, (1, 0), name="turned"))
r8 = tf.matmul(a, tf.transpose(b, perm=None), name="product")
