# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Own(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


inputs = keras.Input((4,))
model = Own(inputs, layers.Dense(1)(inputs))
model.compile(optimizer="sgd", loss="mse")
history = model.fit(tf.ones([8, 4]), tf.zeros([8, 1]), verbose=0)
print(len(history.history["loss"]))
