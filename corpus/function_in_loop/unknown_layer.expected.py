# unsafe
import tensorflow as tf

layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
layer.build([None, 3])


@tf.function
def forward(x):
    return layer(x)


def predict(x):
    return forward(x)


rows = [predict(tf.ones([4, 3])) for _ in range(3)]
