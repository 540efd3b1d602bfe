# peak at most: 0.85
import numpy as np
import tensorflow.compat.v1 as tf

graph = tf.Graph()
with graph.as_default():
    tf.reduce_sum(tf.get_variable("weights", [3000, 1000], initializer=tf.ones_initializer()), name="total")
    tf.global_variables_initializer()

with tf.Session(graph=graph) as sess:  # a session for one sum
    sess.run("init")
    result = sess.run("total:0")

# What comes after needs memory of its own.
rows = np.ones([3000, 4000], np.float32)
print(result, rows.sum())
del rows
