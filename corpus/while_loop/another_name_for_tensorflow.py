# for: both
# fidelity: tolerance
import tensorflow as t


@t.function
def decay(x):
    for i in range(1, 64):
        x = x - x / (i + 1)
    return x


result = decay(t.ones([4]))
