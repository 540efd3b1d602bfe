import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(loss="mse", run_eagerly=True)  # refused: run_eagerly: it isn't known that nothing needs that
print(model.predict(tf.ones([2, 3]), verbose=0))
