# A list is as long as it is: here a thousand numbers.
import tensorflow as tf


def schedule(times):  # refused: early_release: how much memory betas and alphas take is not known
    betas = 0.0001 + times * (0.02 - 0.0001)
    alphas = 1 - betas
    kept = tf.math.cumprod(alphas)
    return tf.sqrt(1 - kept), tf.sqrt(kept)


T = 1000
times = tf.convert_to_tensor([x / T for x in range(T)])
result = schedule(times)
