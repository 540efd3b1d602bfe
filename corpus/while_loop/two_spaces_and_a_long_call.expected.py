# fidelity: tolerance
import tensorflow as tf


@tf.function
def simulate(position_of_the_body, velocity_of_the_body, gravity):
  def step(turn, velocity_of_the_body, position_of_the_body):
    velocity_of_the_body = velocity_of_the_body + gravity * 0.001
    position_of_the_body = position_of_the_body + velocity_of_the_body * 0.001
    return turn + 1, velocity_of_the_body, position_of_the_body

  _, velocity_of_the_body, position_of_the_body = tf.while_loop(
    lambda turn, velocity_of_the_body, position_of_the_body: turn < 100,
    step,
    (0, velocity_of_the_body, position_of_the_body),
    shape_invariants=(tf.TensorShape([]), velocity_of_the_body.shape, position_of_the_body.shape),
    maximum_iterations=100,
    parallel_iterations=1,
  )
  return position_of_the_body, velocity_of_the_body


result = simulate(tf.zeros([3]), tf.ones([3]), tf.constant([0.0, 0.0, -9.81]))
