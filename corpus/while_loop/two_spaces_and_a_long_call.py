# fidelity: tolerance
import tensorflow as tf


@tf.function
def simulate(position_of_the_body, velocity_of_the_body, gravity):
  for turn in range(100):
    velocity_of_the_body = velocity_of_the_body + gravity * 0.001
    position_of_the_body = position_of_the_body + velocity_of_the_body * 0.001
  return position_of_the_body, velocity_of_the_body


result = simulate(tf.zeros([3]), tf.ones([3]), tf.constant([0.0, 0.0, -9.81]))
