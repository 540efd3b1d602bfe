# for: both
import tensorflow as tf


class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.k = 2.0

    @tf.function
    def scale(self, x, r):
        return x * self.k * r


c = Counter()
for i in range(20):
    y = c.scale(tf.ones([2]), 0.5**i)  # refused: compiled_loop: what c.scale does is not known
    _ = f"{setattr(c, 'k', float(i))}"
print(y.numpy())
