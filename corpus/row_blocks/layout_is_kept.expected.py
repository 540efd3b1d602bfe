import tensorflow as tf


class Matcher:
    def __init__(self, codes):
        self._codes = codes

    def match(self, signal, *, scale=1.0):
        """What is nearest."""

        # Every pair, and
        def of_rows(rows):
            apart = (
                tf.expand_dims(rows, axis=1)  # of the signal,
                - self._codes
            )
            energy = tf.square(apart)

            return tf.reduce_sum(energy, axis=-1)

        least = tf.concat(
            [
                of_rows(signal[start : start + 128])
                for start in range(0, signal.shape[0], 128)
            ],
            axis=0,
        ) * scale  # summed up
        return tf.reduce_min(least, axis=1), least.shape


matcher = Matcher(tf.random.normal([300, 16], seed=1))
nearest, shape = matcher.match(tf.random.normal([500, 16], seed=2))
matcher = None
