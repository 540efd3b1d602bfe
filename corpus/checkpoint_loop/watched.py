import tensorflow as tf

def gradients_of(start_of_it, drift):
    with tf.GradientTape() as tape:
        tape.watch([start_of_it, drift])
        state = start_of_it
        for _ in range(200):
            state = state + 0.01 * tf.sin(state @ drift)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [start_of_it, drift])


gradients = gradients_of(tf.ones([64, 64]), tf.eye(64))
print(len(gradients))
