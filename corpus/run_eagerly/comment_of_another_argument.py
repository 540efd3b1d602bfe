# unsafe
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(  # refused: run_eagerly: every step of the model runs eagerly with this left in
    optimizer="sgd",
    loss="mse",  # loss
    run_eagerly=True,  # debug
)
left = model.predict(tf.ones([2, 3]), verbose=0)
