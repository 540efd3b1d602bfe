import tensorflow as tf


class Model(tf.keras.Model):
    def train_step(self, data):
        with tf.GradientTape(persistent=True) as tape:  # refused: persistent_tape: Keras runs this method in a graph
            loss = tf.reduce_mean(tf.square(self(data)))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"loss": loss}


trainable = Model.train_step.__name__
