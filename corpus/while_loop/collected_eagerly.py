"""A function that is handed to tf.function can be called as it is too: eager code runs the loop, over Python numbers too."""
import tensorflow as tf


def doubled(x, n):
    out = []
    for i in tf.range(n):  # refused: while_loop: other files may call the function eagerly, where the loop works as it is
        out.append(x * i)
    return tf.stack(out)


compiled = tf.function(doubled)
result = "doubled" in dir()
