import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
dense = keras.layers.Dense(64, activation="tanh")
dense.build((None, 64))


def gradients_of(state):
    with tf.GradientTape() as tape:
        for step in range(100):
            state = state + 0.05 * dense(state)  # refused: checkpoint_loop: what dense does is not known
        loss = tf.reduce_sum(state)
    dense.activation = keras.activations.sigmoid
    return tape.gradient(loss, dense.trainable_variables)


gradients = gradients_of(tf.ones([128, 64]))
