"""Every vector is written into the basis as soon as it is made, in a loop that XLA compiles."""

import tensorflow as tf


@tf.function(jit_compile=True)
def gram_schmidt(vectors):
    count, size = vectors.shape

    def next_vector(i, basis):
        def project(j, vector):
            other = basis.read(j)
            return j + 1, vector - tf.reduce_sum(vector * other) * other

        _, vector = tf.while_loop(lambda j, vector: j < i, project, (0, vectors[i]), maximum_iterations=count)
        return i + 1, basis.write(i, vector / tf.norm(vector))

    basis = tf.TensorArray(tf.float32, size=count, element_shape=[size], clear_after_read=False)
    _, basis = tf.while_loop(lambda i, basis: i < count, next_vector, (0, basis), maximum_iterations=count)
    return basis.stack()


vectors = tf.random.normal([80, 20000], seed=1)

basis = gram_schmidt(vectors)
