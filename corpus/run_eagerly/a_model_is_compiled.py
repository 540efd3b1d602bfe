# unsafe
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(
    optimizer="sgd",
    loss="mse",
    run_eagerly=True,
)
model.run_eagerly = True
left = model.predict(tf.ones([2, 3]), verbose=0)
