# fidelity: tolerance
import tensorflow as tf


def forward(transitions, likelihoods):
    belief = likelihoods[0]
    for t in range(1, 4):
        print(t)
        belief = tf.linalg.matvec(transitions[t], belief, transpose_a=True)
        belief = belief * likelihoods[t] / tf.reduce_sum(belief * likelihoods[t])
    return belief


transitions = tf.random.uniform([4, 400, 400], dtype=tf.float64)
last = forward(transitions, tf.random.uniform([4, 400], dtype=tf.float64))
pairs = tf.matmul(transitions[0, :, :20], transitions[1, 5:25, ...])
rest = tf.linalg.matvec(transitions[
    -1,
    1:,
], last[1:], transpose_a=True)
