import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones")])
model.build([None, 2])
step = tf.function(lambda x: tf.tanh(x))


def predicted(x):
    for _ in range(60):
        x = model(tf.tanh(x))  # refused: compiled_loop: what model does is not known
    return x


def compiled(x):
    for _ in range(60):
        x = step(tf.sin(x))  # refused: compiled_loop: what step does is not known
    return x


def looked_up(x, functions):
    for _ in range(60):
        x = functions["half"](tf.sin(x))  # refused: compiled_loop: what functions
    return x


result = predicted(tf.ones([1, 2])), compiled(tf.ones([2])), looked_up(tf.ones([2]), {"half": lambda x: x / 2})
del model, step
