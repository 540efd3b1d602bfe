# for: both
# fidelity: tolerance
"""A recurrent network written out: one step after the other, all hidden states collected."""

import tensorflow as tf


def rnn_step(x, h, w_input, w_hidden, bias):
    return tf.tanh(tf.matmul(x, w_input) + tf.matmul(h, w_hidden) + bias)


@tf.function(jit_compile=True)
def _run_rnn_loop(steps, inputs, w_input, w_hidden, bias, h):
    outputs = tf.TensorArray(tf.float32, size=steps, element_shape=h.shape)

    def step(t, h, outputs):
        h = rnn_step(inputs[:, t], h, w_input, w_hidden, bias)
        outputs = outputs.write(t, h)
        return t + 1, h, outputs

    _, h, outputs = tf.while_loop(
        lambda t, h, outputs: t < steps,
        step,
        (0, h, outputs),
        shape_invariants=(tf.TensorShape([]), h.shape, tf.TensorShape(None)),
        maximum_iterations=steps,
    )
    return h, outputs.stack()


def run_rnn(inputs, w_input, w_hidden, bias):
    batch, steps = inputs.shape[0], inputs.shape[1]
    h = tf.zeros([batch, w_hidden.shape[0]])
    h, outputs = _run_rnn_loop(tf.constant(steps), inputs, w_input, w_hidden, bias, h)
    return tf.transpose(outputs, [1, 0, 2]), h


hidden = 128
inputs = tf.random.normal([32, 300, 16], seed=1)
w_input = tf.random.normal([16, hidden], stddev=0.2, seed=2)
w_hidden = tf.random.normal([hidden, hidden], stddev=0.08, seed=3)
bias = tf.zeros([hidden])

outputs, last = run_rnn(inputs, w_input, w_hidden, bias)
