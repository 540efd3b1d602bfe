# for: both
# unsafe
import tensorflow as tf


def grow(x, rate):
    x = x.numpy()
    rate = rate.numpy()
    for _ in range(200):
        x = x * rate
    x = tf.constant(x)
    return x


def main():
    return grow(tf.ones([3]), tf.random.normal([3]))


result = main()
