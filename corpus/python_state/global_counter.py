# unsafe
import tensorflow as tf

steps = 0
left = 10


def reset():
    global steps
    steps = 0


@tf.function
def step(x):
    global steps
    global left
    steps = steps + 2
    left -= 1
    tf.print("left", left, output_stream="file:///dev/null")
    return x * steps


@tf.function
def done():
    return left


first = [float(step(tf.constant(2.0))) for _ in range(3)]
reset()
again = float(step(tf.constant(2.0)))
print(first, again, steps, int(left), int(done()))
