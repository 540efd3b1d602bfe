# fidelity: tolerance
import tensorflow as tf

ONE = 1.0


@tf.function
def layout(x):  # type: (tf.Tensor) -> tf.Tensor
    for i in range(
        2,
        90,
    ):
        x = x + \
            ONE; x = x * 0.5
        y = tf.add(
            x,
            1.0,
        )
        x = (y
             - 0.5)
    return x


result = layout(tf.ones([2]))
