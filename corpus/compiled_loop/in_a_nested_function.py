# for: both
import tensorflow as tf


def solver(rate):
    def solve():
        x, target = tf.zeros([2]), tf.ones([2])
        for _ in range(100):
            x = x - rate * (x - target)
        return x

    return solve


solve = solver(0.1)
result = solve()
