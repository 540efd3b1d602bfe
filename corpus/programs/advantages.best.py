"""One compiled loop from the last step to the first that writes both results."""

import tensorflow as tf


@tf.function(jit_compile=True)
def generalized_advantages(rewards, values, dones, discount=0.99, decay=0.95):
    steps, environments = rewards.shape
    rows = [steps, environments]

    def step(i, last, advantages):
        t = steps - 1 - i
        alive = 1.0 - dones[t]
        delta = rewards[t] + discount * values[t + 1] * alive - values[t]
        last = delta + discount * decay * alive * last
        return i + 1, last, advantages.write(t, last)

    advantages = tf.TensorArray(tf.float32, size=steps, element_shape=[environments])
    _, _, advantages = tf.while_loop(lambda i, *_: i < steps, step, (0, tf.zeros([environments]), advantages), maximum_iterations=steps)
    advantages = tf.ensure_shape(advantages.stack(), rows)
    return advantages, advantages + values[:-1]


steps, environments = 256, 2048
rewards = tf.random.normal([steps, environments], seed=1)
values = tf.random.normal([steps + 1, environments], seed=2)
dones = tf.cast(tf.random.uniform([steps, environments], seed=3) < 0.02, tf.float32)

advantages, returns = generalized_advantages(rewards, values, dones)
