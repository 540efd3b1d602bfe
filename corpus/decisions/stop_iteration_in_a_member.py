# for: both
import tensorflow as tf


def f(x):
    n = 0

    def term(k):
        nonlocal n
        n += 1
        if n > 5:
            raise StopIteration
        return x * float(k)

    return sum([term(k) for k in range(8)])


try:
    print(f(tf.ones([300, 300])))
except Exception as e:
    print(type(e).__name__)
