# fidelity: tolerance
# peak at most: 0.5
import tensorflow as tf


@tf.function(autograph=False, jit_compile=True)
def pulsed(x, state, pulses: int):
    count = 0
    for i in range(pulses):
        if i % 50 == 0:
            state = state + x
            count += 1
        state = tf.tanh(state) * count
    return state


result = pulsed(tf.ones([300]), tf.zeros([300]), 400)
