import tensorflow as tf

x = tf.ones([10])
for turn in range(5):

    @tf.function(jit_compile=True)
    def doubled(x):
        return x * 2.0

    x = doubled(x)
    x = doubled(x + 1.0)
