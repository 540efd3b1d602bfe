import tensorflow as tf

layer = tf.keras.layers.Dense(3, kernel_initializer="ones")
layer.build([2, 3])
calls = []
settings = {}
settings.update(factor=0.5)


def noted(x):
    calls.append(x.shape)
    return x * 0.5


def scaled(x, factor):
    return x * factor


def described(x):
    return {"x": x}


@tf.function
def through_a_layer(x):
    for _ in range(90):
        x = layer(tf.tanh(x))  # refused: while_loop: what layer does is not known
    return x


@tf.function
def through_a_function(x):
    for _ in range(90):
        x = noted(tf.tanh(x))  # refused: while_loop: noted reads calls, a global name that may change
    return x


@tf.function
def with_a_setting(x):
    for _ in range(90):
        x = scaled(tf.tanh(x), factor=settings["factor"])  # refused: while_loop: scaled is passed something that is not known to be a tensor
    return x


@tf.function
def in_parts(x):
    for _ in range(90):
        y = described(tf.tanh(x))  # refused: while_loop: what described returns is not known
        x = y["x"] * 0.5
    return x


@tf.function
def by_an_inner_function(x):
    half = x * 0.5

    def step(y):
        return y * 0.5 + half

    for _ in range(90):
        x = step(tf.tanh(x))  # refused: while_loop: step is defined inside of another function
    return x


x = tf.ones([2, 3])
result = through_a_layer(x), through_a_function(x), with_a_setting(x), in_parts(x), by_an_inner_function(x)
