"""Blocks of two sequences, in a loop that XLA compiles: only a block's states have to be turned."""

import tensorflow as tf


def rnn_step(x, h, w_input, w_hidden, bias):
    return tf.tanh(tf.matmul(x, w_input) + tf.matmul(h, w_hidden) + bias)


BLOCK = 2


@tf.function(jit_compile=True)
def run_rnn(inputs, w_input, w_hidden, bias):
    batch, steps, _ = inputs.shape
    units = w_hidden.shape[0]

    def run_block(block):
        rows = tf.slice(inputs, [block * BLOCK, 0, 0], [BLOCK, steps, inputs.shape[2]])

        def step(t, h, outputs):
            h = rnn_step(rows[:, t], h, w_input, w_hidden, bias)
            return t + 1, h, outputs.write(t, h)

        outputs = tf.TensorArray(tf.float32, size=steps, element_shape=[BLOCK, units])
        state = (0, tf.zeros([BLOCK, units]), outputs)
        _, h, outputs = tf.while_loop(lambda t, *_: t < steps, step, state, maximum_iterations=steps)
        return tf.transpose(outputs.stack(), [1, 0, 2]), h

    outputs, h = tf.map_fn(run_block, tf.range(batch // BLOCK), fn_output_signature=(tf.float32, tf.float32))
    return tf.reshape(outputs, [batch, steps, units]), tf.reshape(h, [batch, units])


hidden = 128
inputs = tf.random.normal([32, 300, 16], seed=1)
w_input = tf.random.normal([16, hidden], stddev=0.2, seed=2)
w_hidden = tf.random.normal([hidden, hidden], stddev=0.08, seed=3)
bias = tf.zeros([hidden])

outputs, last = run_rnn(inputs, w_input, w_hidden, bias)
