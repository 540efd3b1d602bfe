# unsafe
import tensorflow as tf

names = []


class Net:
    def __init__(self):
        self.depth = 0

    @tf.function
    def __call__(self, x):
        self.depth = 0
        rows = []
        count = 0

        def deeper(x):
            nonlocal count
            self.depth += 1
            count += 1
            rows.append(x)
            return x * 2

        for _ in range(3):
            x = deeper(x)
        return tf.stack(rows), self.depth, count


def eager(x):
    names.append(x)
    return x


@tf.function
def called_in_between(x):
    return tf.numpy_function(eager, [x], tf.int32)


print([one.numpy() for one in Net()(tf.constant(1))], called_in_between(tf.constant(1)).numpy(), len(names))
