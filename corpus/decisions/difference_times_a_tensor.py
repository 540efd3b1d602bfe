# for: both
import tensorflow as tf


def run(x, b):
    for _ in range(200):
        x = x * 0.9 + b
    return x


x = run(tf.zeros([2000]), tf.fill([2000], 0.37))
gain = tf.linspace(1.0, 900.0, 2000)
print(((x - 3.7) * gain * gain)[1990:])
