import tensorflow as tf

seen = []


def watched(x, on_step):
    for i in range(400):
        x = tf.tanh(x) * 0.99 + 0.001
        on_step(i, x)  # refused: compiled_loop: on_step
    return x


def note(i, x):
    if i % 100 == 0:
        seen.append(float(x[0, 0]))


result = watched(tf.ones([100, 100]), note)
print(len(seen))
