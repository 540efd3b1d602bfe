# fidelity: tolerance
import tensorflow as tf


@tf.function
def biased(frames, bias):
    state = tf.zeros([20000])
    for i in tf.range(tf.shape(frames)[0]):
        frame = frames[i]
        state = tf.tanh(state + frame + bias)
    return state


result = biased(tf.random.normal([8, 20000], seed=1), tf.random.normal([20000], seed=2))
