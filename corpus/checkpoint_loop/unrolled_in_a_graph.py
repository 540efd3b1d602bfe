import tensorflow as tf

w = tf.Variable(tf.eye(128) * 0.5)
x = tf.ones([128, 128])


@tf.function
def gradient_of(x):
    with tf.GradientTape() as tape:
        state = x
        for _ in range(67):
            state = tf.tanh(state @ w)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradient = gradient_of(x)
print(gradient.shape)
