# for: both
# fidelity: tolerance
"""A recurrent network written out: one step after the other, all hidden states collected."""

import tensorflow as tf


def rnn_step(x, h, w_input, w_hidden, bias):
    return tf.tanh(tf.matmul(x, w_input) + tf.matmul(h, w_hidden) + bias)


def run_rnn(inputs, w_input, w_hidden, bias):
    batch, steps = inputs.shape[0], inputs.shape[1]
    h = tf.zeros([batch, w_hidden.shape[0]])
    outputs = []
    for t in range(steps):
        h = rnn_step(inputs[:, t], h, w_input, w_hidden, bias)
        outputs.append(h)
    return tf.stack(outputs, axis=1), h


hidden = 128
inputs = tf.random.normal([32, 300, 16], seed=1)
w_input = tf.random.normal([16, hidden], stddev=0.2, seed=2)
w_hidden = tf.random.normal([hidden, hidden], stddev=0.08, seed=3)
bias = tf.zeros([hidden])

outputs, last = run_rnn(inputs, w_input, w_hidden, bias)
