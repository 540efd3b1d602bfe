import tensorflow as tf


class Repeated(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable([0.1, 0.2, 0.3])

    def call(self, inputs):
        state = tf.zeros([4, 3])
        for _ in range(50):  # refused: compiled_loop: a layer is trained, and a tape keeps what every iteration computes
            state = tf.tanh(state + self.weight)
        return state + inputs


layer = Repeated()
result = layer(tf.ones([4, 3]))
del layer
