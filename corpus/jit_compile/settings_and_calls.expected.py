# for: both
# fidelity: tolerance
import tensorflow as tf

SCALE = tf.constant(0.5)


@tf.function(
    autograph=False,
    jit_compile=True,
)
def mixed(x, y):
    return (x - y) * (x + y) * SCALE


@tf.function(jit_compile=True)
def chosen(x, limit):
    return tf.where(x > limit, x * 2.0, tf.tanh(x))


def smooth(x):
    cube = x * x * x
    return 0.5 * x * (1.0 + tf.tanh(0.797885 * (x + 0.044715 * cube)))


compiled = tf.function(smooth, jit_compile=True)
x, y = tf.fill([1000, 1000], 0.5), tf.fill([1000, 1000], 0.25)
results = [(mixed(x, y), chosen(x, 0.25), compiled(y)) for _ in range(2)]
