# unsafe
import tensorflow as tf

trace_count = 0


@tf.function
def step(x):
    global trace_count
    trace_count += 1
    return x


step(tf.constant(1))
step(tf.constant(2))
print(trace_count)
