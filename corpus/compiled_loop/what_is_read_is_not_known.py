import tensorflow as tf


class Settings:
    """Has what is put there."""


settings = Settings()
setattr(settings, "rate", 0.5)


def settle(x, options):
    for _ in range(60):
        x = tf.tanh(x)
        y = x + options["rate"]  # refused: compiled_loop: options is not known to be a tensor or a number
    return x


def scaled(x):
    for _ in range(60):
        x = tf.tanh(x)
        y = x * settings.rate  # refused: compiled_loop: settings.rate is not known to be a tensor or a number
    return x


def named(x, kind):
    for _ in range(60):
        x = tf.tanh(x) if kind == "tanh" else tf.sin(x)  # refused: compiled_loop: kind
    return x


result = settle(tf.ones([2]), {"rate": 0.5}), scaled(tf.ones([2])), named(tf.ones([2]), "tanh"), named(tf.ones([2]), "sin")
del settings
