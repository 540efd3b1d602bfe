import tensorflow as tf

steps = tf.Variable(0, dtype=tf.int64)
steps.assign(steps + 1)  # refused: assign_add: steps is a single number
result = steps.read_value()
