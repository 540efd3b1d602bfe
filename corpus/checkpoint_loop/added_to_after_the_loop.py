import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    loss = 0.0
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
            loss += tf.reduce_mean(state)
        loss += 0.1 * tf.reduce_sum(w)
        for weight in [w, u]:
            loss += tf.reduce_mean(tf.square(weight))
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
print(len(gradients))
