"""Both directions in loops that XLA compiles, with pointers of four bytes."""

import tensorflow as tf


@tf.function(jit_compile=True)
def viterbi(log_start, log_transitions, log_emissions):
    steps, states = log_emissions.shape

    def forward(t, scores, pointers):
        candidates = scores[:, None] + log_transitions
        pointers = pointers.write(t - 1, tf.argmax(candidates, axis=0, output_type=tf.int32))
        return t + 1, tf.reduce_max(candidates, axis=0) + log_emissions[t], pointers

    pointers = tf.TensorArray(tf.int32, size=steps - 1, element_shape=[states], clear_after_read=False)
    state = (1, log_start + log_emissions[0], pointers)
    _, scores, pointers = tf.while_loop(lambda t, *_: t < steps, forward, state, maximum_iterations=steps - 1)
    pointers = pointers.stack()

    def backward(t, state, path):
        state = pointers[t, state]
        return t - 1, state, path.write(t, tf.cast(state, tf.int64))

    last = tf.argmax(scores, output_type=tf.int32)
    path = tf.TensorArray(tf.int64, size=steps, element_shape=[]).write(steps - 1, tf.cast(last, tf.int64))
    _, _, path = tf.while_loop(lambda t, *_: t >= 0, backward, (steps - 2, last, path), maximum_iterations=steps - 1)
    return path.stack(), tf.reduce_max(scores)


states, steps = 100, 400
log_start = tf.nn.log_softmax(tf.random.normal([states], seed=1))
log_transitions = tf.nn.log_softmax(tf.random.normal([states, states], seed=2))
log_emissions = tf.nn.log_softmax(tf.random.normal([steps, states], seed=3))

path, score = viterbi(log_start, log_transitions, log_emissions)
