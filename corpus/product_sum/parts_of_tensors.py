# fidelity: tolerance
import tensorflow as tf


def forward(transitions, likelihoods):
    belief = likelihoods[0]
    for t in range(1, 4):
        print(t)
        belief = tf.reduce_sum(belief[:, None] * transitions[t], axis=0)
        belief = belief * likelihoods[t] / tf.reduce_sum(belief * likelihoods[t])
    return belief


transitions = tf.random.uniform([4, 400, 400], dtype=tf.float64)
last = forward(transitions, tf.random.uniform([4, 400], dtype=tf.float64))
pairs = tf.reduce_sum(transitions[0, :, :20, None] * transitions[1, None, 5:25, ...], axis=1)
rest = tf.reduce_sum(
    last[1:, None]
    * transitions[
        -1,
        1:,
    ],
    axis=0,
)
