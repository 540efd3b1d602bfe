# for: both
# fidelity: tolerance
"""Generalized advantage estimation: from the last step back to the first, for 512 environments."""

import tensorflow as tf


@tf.function(jit_compile=True)
def _generalized_advantages_loop(dones, rewards, discount, values, decay, last):
    advantages = tf.TensorArray(tf.float32, size=256, element_shape=last.shape)

    def step(t, last, advantages):
        alive = 1.0 - dones[t]
        delta = rewards[t] + tf.cast(discount, tf.float32) * values[t + 1] * alive - values[t]
        last = delta + tf.cast(discount * decay, alive.dtype) * alive * last
        advantages = advantages.write(t, last)
        return t - 1, last, advantages

    _, _, advantages = tf.while_loop(
        lambda t, last, advantages: t > -1,
        step,
        (255, last, advantages),
        shape_invariants=(tf.TensorShape([]), last.shape, tf.TensorShape(None)),
        maximum_iterations=256,
    )
    return advantages.stack()


def generalized_advantages(rewards, values, dones, discount=0.99, decay=0.95):
    steps = rewards.shape[0]
    last = tf.zeros_like(values[0])
    advantages = _generalized_advantages_loop(
        dones,
        rewards,
        tf.constant(discount, tf.float64),
        values,
        tf.constant(decay, tf.float64),
        last,
    )
    return advantages, advantages + values[:-1]


steps, environments = 256, 2048
rewards = tf.random.normal([steps, environments], seed=1)
values = tf.random.normal([steps + 1, environments], seed=2)
dones = tf.cast(tf.random.uniform([steps, environments], seed=3) < 0.02, tf.float32)

advantages, returns = generalized_advantages(rewards, values, dones)
