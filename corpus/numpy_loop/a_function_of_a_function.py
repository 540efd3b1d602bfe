# for: both
# unsafe
import tensorflow as tf


def grow(x, rate):
    for _ in range(200):
        x = x * rate
    return x


def main():
    return grow(tf.ones([3]), tf.random.normal([3]))


result = main()
