# leaves besides: start
# deletes: t
import tensorflow as tf

batches = [tf.ones([64, 64, 64]) * 0.1, tf.ones([64, 64, 64]) * 0.2]
w = tf.Variable(tf.eye(64) * 0.5)
losses = []

for batch in range(2):
    x = batches[batch] * 1.0
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] + state @ w)
        loss = tf.reduce_sum(tf.square(state))
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
    losses.append(loss)

print(len(losses))
