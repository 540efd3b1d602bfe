import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
net = keras.Sequential([keras.layers.Dense(64, activation="tanh"), keras.layers.Dense(32)])
net.build((None, 32))


def gradients_of(state):
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop):
            def steps(state):
                for step in range(start, stop):
                    state = state + 0.05 * net(state)
                return state

            return steps if stop == 100 else tf.recompute_grad(steps)

        for start in range(0, 100, 10):
            state = segment(start, min(start + 10, 100))(state)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, net.trainable_variables)


gradients = gradients_of(tf.ones([128, 32]))
print(len(gradients))
