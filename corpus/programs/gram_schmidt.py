"""Makes 80 vectors orthonormal, one after the other."""

import tensorflow as tf


def project(vector, onto):
    return tf.reduce_sum(vector * onto) * onto


def gram_schmidt(vectors):
    basis = []
    for vector in vectors:
        for other in basis:
            vector = vector - project(vector, other)
        basis.append(vector / tf.norm(vector))
    return tf.stack(basis)


vectors = tf.random.normal([80, 20000], seed=1)

basis = gram_schmidt(vectors)
