# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
# The first line.
import tensorflow as tf

# What belongs to the constant.
RATE = 0.5


# What belongs to the function.
# It has two lines.
def settle(x, target):  # beside the definition
    """Move towards a target."""
    # Above the loop.
    for turn in range(64):  # beside the header
        # Above the first statement.
        away = target - x  # how far

        # In the middle.
        x = x + RATE * away  # half of it
        # After the last statement.
    # After the loop.
    return x  # the end


result = settle(tf.zeros([3]), tf.constant([1.0, 2.0, 3.0]))
# The last line, without a newline.