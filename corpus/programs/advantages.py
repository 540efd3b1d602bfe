# for: both
# fidelity: tolerance
"""Generalized advantage estimation: from the last step back to the first, for 512 environments."""

import tensorflow as tf


def generalized_advantages(rewards, values, dones, discount=0.99, decay=0.95):
    steps = rewards.shape[0]
    advantages = []
    last = tf.zeros_like(values[0])
    for t in reversed(range(steps)):
        alive = 1.0 - dones[t]
        delta = rewards[t] + discount * values[t + 1] * alive - values[t]
        last = delta + discount * decay * alive * last
        advantages.insert(0, last)
    advantages = tf.stack(advantages)
    return advantages, advantages + values[:-1]


steps, environments = 256, 2048
rewards = tf.random.normal([steps, environments], seed=1)
values = tf.random.normal([steps + 1, environments], seed=2)
dones = tf.cast(tf.random.uniform([steps, environments], seed=3) < 0.02, tf.float32)

advantages, returns = generalized_advantages(rewards, values, dones)
