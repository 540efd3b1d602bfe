# for: both
# fidelity: tolerance
"""Simulated annealing of 2000 walkers on Rastrigin's function; the noise is drawn before."""

import math

import tensorflow as tf


def rastrigin(x):
    return 10.0 * x.shape[-1] + tf.reduce_sum(tf.square(x) - 10.0 * tf.cos(2.0 * math.pi * x), axis=-1)


@tf.function
def _anneal_loop(noise, chances, cooling, x, energy, best, temperature):
    def one_step(step, x, energy, best, temperature):
        candidate = x + noise[step] * tf.sqrt(tf.cast(temperature / 10.0, tf.float32))
        new_energy = rastrigin(candidate)
        accept = chances[step] < tf.exp((energy - new_energy) / tf.cast(temperature, tf.float32))
        x = tf.where(accept[:, None], candidate, x)
        energy = tf.where(accept, new_energy, energy)
        best = tf.minimum(best, tf.reduce_min(energy))
        temperature *= cooling
        return step + 1, x, energy, best, temperature

    _, x, _, best, _ = tf.while_loop(
        lambda step, x, energy, best, temperature: step < noise.shape[0],
        one_step,
        (0, x, energy, best, temperature),
        shape_invariants=(tf.TensorShape([]), x.shape, energy.shape, best.shape, tf.TensorShape([])),
        maximum_iterations=noise.shape[0],
        parallel_iterations=1,
    )
    return x, best


def anneal(x, noise, chances, temperature=10.0, cooling=0.97):
    energy = rastrigin(x)
    best = tf.reduce_min(energy)
    x, best = _anneal_loop(
        noise,
        chances,
        tf.constant(cooling, tf.float64),
        x,
        energy,
        best,
        tf.constant(temperature, tf.float64),
    )
    return best, x


steps, walkers = 150, 2000
noise = tf.random.normal([steps, walkers, 5], stddev=0.5, seed=1)
chances = tf.random.uniform([steps, walkers], seed=2)

best, walkers_at_the_end = anneal(tf.random.uniform([walkers, 5], -5.0, 5.0, seed=3), noise, chances)
