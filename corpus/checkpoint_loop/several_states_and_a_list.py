import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    memory = tf.zeros([64, 64])
    state = tf.zeros([64, 64])
    states = []
    with tf.GradientTape() as tape:
        for t in range(64):
            gate = tf.sigmoid(x[t] @ w + state @ u)
            memory = gate * memory + (1.0 - gate) * tf.tanh(x[t] @ u)
            state = gate * tf.tanh(memory)
            states.append(state)
        loss = tf.reduce_mean(tf.square(tf.stack(states) - 1.0))
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
print(len(gradients))
