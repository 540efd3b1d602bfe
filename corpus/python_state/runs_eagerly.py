import tensorflow as tf

steps = 0


@tf.function
def step(x):
    global steps
    steps += 1
    return x + steps


tf.config.run_functions_eagerly(True)
print(step(tf.constant(1)).numpy(), step(tf.constant(1)).numpy())
tf.config.run_functions_eagerly(False)
