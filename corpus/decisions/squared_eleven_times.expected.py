# for: both
import tensorflow as tf


@tf.function
def _settle_loop(b, x):
    def step(iteration, x):
        x = x * 0.9 + b
        return iteration + 1, x

    _, x = tf.while_loop(
        lambda iteration, x: iteration < 200,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=200,
        parallel_iterations=1,
    )
    return x


def settle(x, b):
    x = _settle_loop(b, x)
    return x


x = settle(tf.zeros([2000]), tf.range(2000.0) * 1e-7 + 0.1)
a = x * x
b = a * a
c = b * b
d = c * c
e = d * d
f = e * e
g = f * f
h = g * g
i = h * h
j = i * i
k = j * j
print(k[500:510])
