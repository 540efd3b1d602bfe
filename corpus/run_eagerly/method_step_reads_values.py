# unsafe
import tensorflow as tf


class Model(tf.keras.Model):
    def train_step(self, data):
        x, _ = data
        self.seen = float(tf.reduce_sum(x).numpy())
        return {"loss": self.seen}


model = Model()
model.compile(run_eagerly=True)  # refused: run_eagerly: train_step needs that
model.fit(tf.ones([4, 2]), tf.ones([4]), verbose=0)
print(model.seen)
