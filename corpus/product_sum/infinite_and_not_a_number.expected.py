# for: both
# fidelity: tolerance
import tensorflow as tf


def sums(m, v, a):
    return tf.linalg.matvec(m, v), tf.linalg.matvec(m, v, transpose_a=True), tf.matmul(a, a, transpose_b=True)


@tf.function
def in_a_graph(m, v, a):
    return tf.linalg.matvec(m, v), tf.linalg.matvec(m, tf.zeros([400])), tf.matmul(a, a, transpose_b=True)


@tf.function(jit_compile=True)
def compiled(m, v, a):
    return tf.linalg.matvec(m, v), tf.linalg.matvec(m, tf.zeros([400])), tf.matmul(a, a, transpose_b=True)


places = [[0, 0], [1, 1], [2, 2], [3, 300]]
m = tf.tensor_scatter_nd_update(tf.ones([400, 400]), places, [float("inf"), float("nan"), 0.0, float("-inf")])
v = tf.tensor_scatter_nd_update(tf.ones([400]), [[0], [2]], [0.0, float("inf")])
a = m[:, :50]
eager, graph, xla = sums(m, v, a), in_a_graph(m, v, a), compiled(m, v, a)
