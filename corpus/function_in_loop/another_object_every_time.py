import tensorflow as tf

kept = []


def made():
    @tf.function
    def returned(x):  # refused: function_in_loop: returned is not only called
        return x * 2.0

    return returned


def stored(x):
    @tf.function
    def held(x):  # refused: function_in_loop: held is not only called
        return x * 2.0

    kept.append(held)
    return held(x)


def again(x):
    @tf.function
    def calls_itself(x, depth=2):  # refused: function_in_loop: calls_itself calls itself
        return x if depth == 0 else calls_itself(x * 2.0, depth - 1)

    return calls_itself(x)


def replaced(x):
    @tf.function
    def one(x):  # refused: function_in_loop: one is assigned more than one value
        return x * 2.0

    y = one(x)
    one = tf.function(lambda x: x * 3.0)  # refused: function_in_loop: one is assigned more than one value
    return y + one(x)


different = len({id(stored(tf.ones([3]))) for _ in range(3)} | {id(made()) for _ in range(2)}) > 0
out = [(made()(tf.ones([3])), again(tf.ones([3])), replaced(tf.ones([3]))) for _ in range(3)]
del kept
