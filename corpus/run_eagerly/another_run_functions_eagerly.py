# unsafe
import tensorflow as tf


class Config:
    def run_functions_eagerly(self, on):
        self.on = on


config = Config()
config.run_functions_eagerly(True)
print(config.on, tf.constant(1).numpy())
