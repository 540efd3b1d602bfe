import tensorflow as tf

layers = [tf.keras.layers.Dense(2, kernel_initializer="ones") for _ in range(3)]


def forward(x):
    for layer in layers:
        x = layer(tf.tanh(x))  # refused: compiled_loop: what layer does is not known
    return x


result = forward(tf.ones([1, 2]))
del layers
