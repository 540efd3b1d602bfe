import tensorflow as tf


@tf.function
def bell(x):  # refused: jit_compile: a tape may record bell
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


x = tf.Variable(tf.ones([1000, 1000]))
for step in range(2):
    with tf.GradientTape() as tape:
        y = bell(x.read_value())
    gradient = tape.gradient(y, x)
