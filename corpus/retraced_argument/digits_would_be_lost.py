import tensorflow as tf


@tf.function
def blended(x, y, share):
    return x * (1 - share) + y * share


@tf.function
def swallowed(x, k):
    y = x + k
    return y - k


@tf.function
def rooted(x, k):
    return x**k


@tf.function
def halves(x, k):
    return x * (k + 1)


@tf.function
def divided(x, k):
    return x * (1 / k)


x = tf.ones([3])
tripled = 1
for i in range(30):
    tripled *= 3
    blended(x, x * 2.0, i / 29)  # refused: retraced_argument: Python computes 1 - share with 53 bits
    swallowed(x, 1e8 * i)  # refused: retraced_argument: k is not all that is added there
    rooted(x, i / 2)  # refused: retraced_argument: x**k is computed as a root where the exponent is 0.5
    halves(tf.ones([3], tf.float16), i * 100)  # refused: retraced_argument: k + 1 may be larger than float16 holds exactly
    if i:
        divided(x, i)  # refused: retraced_argument: 1 / k raises where k is 0
    if i < 20:
        halves(tf.ones([3], tf.int32), tripled)
