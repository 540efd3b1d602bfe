# for: both
# fidelity: tolerance
"""Simulated annealing of 2000 walkers on Rastrigin's function; the noise is drawn before."""

import math

import tensorflow as tf


def rastrigin(x):
    return 10.0 * x.shape[-1] + tf.reduce_sum(tf.square(x) - 10.0 * tf.cos(2.0 * math.pi * x), axis=-1)


def anneal(x, noise, chances, temperature=10.0, cooling=0.97):
    energy = rastrigin(x)
    best = tf.reduce_min(energy)
    for step in range(noise.shape[0]):
        candidate = x + noise[step] * tf.sqrt(temperature / 10.0)
        new_energy = rastrigin(candidate)
        accept = chances[step] < tf.exp((energy - new_energy) / temperature)
        x = tf.where(accept[:, None], candidate, x)
        energy = tf.where(accept, new_energy, energy)
        best = tf.minimum(best, tf.reduce_min(energy))
        temperature *= cooling
    return best, x


steps, walkers = 150, 2000
noise = tf.random.normal([steps, walkers, 5], stddev=0.5, seed=1)
chances = tf.random.uniform([steps, walkers], seed=2)

best, walkers_at_the_end = anneal(tf.random.uniform([walkers, 5], -5.0, 5.0, seed=3), noise, chances)
