import tensorflow as tf


@tf.function
def soft(x):
    return tf.nn.softmax(x, axis=0)


@tf.function
def of_anything(x):
    return tf.nn.softmax(x, axis=0)


def public(x):
    return of_anything(x)


class Model:
    @tf.function
    def soft(self, x):
        return tf.nn.softmax(x, axis=0)


data = tf.reshape(tf.range(48.0), [12, 4])
model = Model()
a = soft(data[0])
b = [soft(data[:i]) for i in range(1, 12)]  # refused: retraced_argument: other calls pass another rank
c = soft(tf.ones([2, 3, 4]))
d = [of_anything(data[:i]) for i in range(1, 12)]  # refused: retraced_argument: the rank of x is not known
e = public(tf.ones([2, 3, 4])), public(tf.ones([2]))
f = model.soft(data[0])
g = [model.soft(data[:i]) for i in range(1, 12)]  # refused: retraced_argument: other calls pass another rank
h = model.soft(tf.ones([2, 3, 4]))
