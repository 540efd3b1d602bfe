import tensorflow as tf

cell = tf.keras.layers.SimpleRNNCell(64)
cell.build([None, 64])
x = tf.ones([64, 64, 64])


def loss_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state, _ = cell(x[t], [state])  # refused: checkpoint_loop: what cell does is not known
        loss = tf.reduce_sum(state)
    gradients = tape.gradient(loss, cell.trainable_variables)
    return len(gradients)


count = loss_of(x)
