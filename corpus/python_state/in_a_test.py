# unsafe
import tensorflow as tf

calls = []


def test_is_traced_once():
    @tf.function
    def step(x):
        calls.append(1)
        return x

    step(tf.constant(1))
    step(tf.constant(2))
    return len(calls) == 1


print(test_is_traced_once())
