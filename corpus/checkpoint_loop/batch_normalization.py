import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
net = keras.Sequential([keras.layers.Dense(32), keras.layers.BatchNormalization()])
net.build((None, 32))


def gradients_of(state):
    with tf.GradientTape() as tape:
        for step in range(100):
            state = state + 0.05 * net(state)  # refused: checkpoint_loop: what net does is not known
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, net.trainable_variables)


gradients = gradients_of(tf.ones([128, 32]))
print(len(gradients))
