# unsafe
import tensorflow as tf
from tensorflow import config as settings


@tf.function
def scaled(x, by):
    return x * by


def main():
    """Prints a number."""

    rows = tf.data.Dataset.range(5).map(lambda row: row * 2)
    print(sum(int(row) for row in rows), scaled(tf.constant(2.0), 3.0).numpy())


if __name__ == "__main__":
    main()
