import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    memory = tf.zeros([64, 64])
    state = tf.zeros([64, 64])
    states = []
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop):
            def steps(memory, state):
                states = []
                for t in range(start, stop):
                    gate = tf.sigmoid(x[t] @ w + state @ u)
                    memory = gate * memory + (1.0 - gate) * tf.tanh(x[t] @ u)
                    state = gate * tf.tanh(memory)
                    states.append(state)
                return memory, state, states

            return steps if stop == 64 else tf.recompute_grad(steps)

        for start in range(0, 64, 8):
            memory, state, more_states = segment(start, min(start + 8, 64))(memory, state)
            states.extend(more_states)
        loss = tf.reduce_mean(tf.square(tf.stack(states) - 1.0))
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
print(len(gradients))
