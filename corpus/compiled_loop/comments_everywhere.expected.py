# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
# The first line.
import tensorflow as tf

# What belongs to the constant.
RATE = 0.5


@tf.function(jit_compile=True)
def _settle_loop(target, x):
    def step(turn, x):  # beside the header
        # Above the first statement.
        away = target - x  # how far

        # In the middle.
        x = x + RATE * away  # half of it
        # After the last statement.
        return turn + 1, x

    _, x = tf.while_loop(
        lambda turn, x: turn < 64,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=64,
    )
    return x


# What belongs to the function.
# It has two lines.
def settle(x, target):  # beside the definition
    """Move towards a target."""
    # Above the loop.
    x = _settle_loop(target, x)
    # After the loop.
    return x  # the end


result = settle(tf.zeros([3]), tf.constant([1.0, 2.0, 3.0]))
# The last line, without a newline.