import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)
watchers = [lambda: w.assign(w * 0.5)]


def gradient_of(state):
    with tf.GradientTape() as tape:
        for _ in range(100):
            state = tf.tanh(state @ w)
        loss = tf.reduce_sum(state)
    for watcher in watchers:
        watcher()  # refused: checkpoint_loop: watcher may change a variable before the gradient is taken
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([64, 64]))
print(gradient.shape)
