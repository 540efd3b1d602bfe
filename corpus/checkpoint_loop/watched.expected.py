import tensorflow as tf

def gradients_of(start_of_it, drift):
    with tf.GradientTape() as tape:
        tape.watch([start_of_it, drift])
        state = start_of_it

        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop):
            def steps(state, drift):
                for _ in range(start, stop):
                    state = state + 0.01 * tf.sin(state @ drift)
                return state

            return steps if stop == 200 else tf.recompute_grad(steps)

        for start in range(0, 200, 15):
            state = segment(start, min(start + 15, 200))(state, drift)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [start_of_it, drift])


gradients = gradients_of(tf.ones([64, 64]), tf.eye(64))
print(len(gradients))
