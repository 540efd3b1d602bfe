# for: both
import tensorflow as tf


def settle(x, b):
    for _ in range(200):
        x = x * 0.9 + b
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
