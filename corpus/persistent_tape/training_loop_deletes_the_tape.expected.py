import tensorflow as tf

w = tf.Variable(tf.ones([5, 5]))
b = tf.Variable(tf.zeros([5]))
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(tf.ones([2, 5]) @ w + b))
    gradients = tape.gradient(loss, [w, b])
    del tape
    optimizer.apply_gradients(zip(gradients, [w, b]))

result = [w.read_value(), b.read_value()]
del optimizer
