import tensorflow as tf


def scaled(x):  # refused: early_release: how much memory y takes is not known, and less than 256 kB counts for nothing
    y = tf.square(x)
    z = tf.multiply(
        y,
        2.0,
    )
    print(f"scaled {z.shape}")
    return z + 1.0


if __name__ == "__main__":
    result = scaled(tf.ones([400, 500]))
