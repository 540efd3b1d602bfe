# for: both
import tensorflow as tf


@tf.function
def step(w, rate):
    return w - rate * w


w = tf.constant([1.0, 2.0])
for i in range(50):
    w = step(w, 0.9**i)
print(f"{step.experimental_get_tracing_count()}")
