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
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop, x):
            def steps(state):
                for t in range(start, stop):
                    state = tf.tanh(x[t] + state @ w)
                return state

            return steps if stop == 64 else tf.recompute_grad(steps)

        for start in range(0, 64, 8):
            state = segment(start, min(start + 8, 64), x)(state)
        loss = tf.reduce_sum(tf.square(state))
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
    losses.append(loss)

print(len(losses))
