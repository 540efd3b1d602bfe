"""Plain gradient descent, written out."""
import tensorflow as tf

x = tf.random.stateless_normal([50, 8], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
w = tf.Variable(tf.zeros([8, 20]))
v = tf.Variable(tf.ones([20, 1]))
rate = 0.01

losses = []
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.tanh(x @ w) @ v - y))
    dw, dv = tape.gradient(loss, [w, v])
    w.assign(w - rate * dw)  # downhill
    v.assign(v - rate * dv)
    losses.append(float(loss))
