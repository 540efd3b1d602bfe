# for: both
# fidelity: tolerance
import tensorflow as tf

weights = {"hidden": tf.Variable(tf.ones([9, 4]) * 0.1), "out": tf.Variable(tf.ones([4, 3]) * 0.1)}
biases = {"hidden": tf.Variable(tf.zeros([4])), "out": tf.Variable(tf.zeros([3]))}
optimizer = tf.optimizers.Adam(0.01)


def network(x):
    x = tf.reshape(x, [-1, weights["hidden"].get_shape().as_list()[0]])
    x = tf.nn.relu(tf.add(tf.matmul(x, weights["hidden"]), biases["hidden"]))
    return tf.nn.softmax(tf.matmul(x, weights["out"]) + biases["out"])


def cross_entropy(predicted, wanted):
    wanted = tf.one_hot(wanted, depth=3)
    predicted = tf.clip_by_value(predicted, 1e-9, 1.0)
    return tf.reduce_mean(-tf.reduce_sum(wanted * tf.math.log(predicted)))


def run_optimization(x, y):
    with tf.GradientTape() as g:
        loss = cross_entropy(network(x), y)
    trainable_variables = list(weights.values()) + list(biases.values())
    gradients = g.gradient(loss, trainable_variables)
    optimizer.apply_gradients(zip(gradients, trainable_variables))


for _ in range(3):
    run_optimization(tf.ones([6, 3, 3]), tf.zeros([6], tf.int32))
