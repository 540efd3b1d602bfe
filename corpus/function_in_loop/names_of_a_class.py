import tensorflow as tf

_Model__rate = 2.0


class Model:
    def run(self):
        x = tf.ones([3])

        @tf.function
        def __inner(x):  # refused: function_in_loop: __inner is another name outside of its class
            return x * 2.0

        return __inner(x)

    def read(self):
        x = tf.ones([3])

        @tf.function(autograph=False)
        def rated(x):  # refused: function_in_loop: __rate is another name outside of its class
            return x * __rate

        return rated(x)


def run():
    model = Model()
    return [(model.run(), model.read()) for _ in range(3)]


out = run()
