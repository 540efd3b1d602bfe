# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def returned(x):
    count = 0
    rate = 1.0
    for i in range(60):
        x = x * rate
        rate *= 0.999
        if i % 3 == 0:
            count += 2
    return x, count, rate


@tf.function
def computed_with(x, n):
    steps = 0
    for i in range(n):
        x = x * 0.5
        for j in range(60):
            x = x + 0.1
            steps += 1
    y = x / (steps + 1) + tf.cast(steps, tf.float32)
    return {"y": y * steps}, [steps * 2]


@tf.function
def counted_down(x, n):
    left = n
    while left > 0:
        x = x * 0.9
        left -= 1
    return x, left


x = tf.ones([3])
result = returned(x), computed_with(x, 40), computed_with(x, 0), counted_down(x, 70), counted_down(x, 0)
