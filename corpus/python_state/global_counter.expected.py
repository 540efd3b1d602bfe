# unsafe
import tensorflow as tf

steps = tf.Variable(0, dtype=tf.int64, trainable=False)
left = tf.Variable(10, dtype=tf.int64, trainable=False)


def reset():
    steps.assign(0)


@tf.function
def step(x):
    steps.assign_add(2)
    left.assign_sub(1)
    tf.print("left", left, output_stream="file:///dev/null")
    return x * tf.cast(steps, x.dtype)


@tf.function
def done():
    return tf.cast(left, tf.int32)


first = [float(step(tf.constant(2.0))) for _ in range(3)]
reset()
again = float(step(tf.constant(2.0)))
print(first, again, int(steps), int(left), int(done()))
