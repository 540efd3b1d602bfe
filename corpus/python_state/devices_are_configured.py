# unsafe
import tensorflow as tf

calls = 0
tf.config.set_soft_device_placement(True)


@tf.function
def step(x):
    global calls
    calls += 1  # refused: python_state: changed while a graph is traced
    return x * calls


print(step(tf.constant(2)).numpy(), calls)
