"""The gradient of MAML: five steps of adaptation for each task, and the gradient goes through all of them."""

import tensorflow as tf


def forward(x, parameters):
    w1, b1, w2, b2 = parameters
    return tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2


def loss_of(x, y, parameters):
    return tf.reduce_mean(tf.square(forward(x, parameters) - y))


def adapt(x, y, parameters, rate=0.05, steps=5):
    for _ in range(steps):
        with tf.GradientTape() as inner:
            inner.watch(parameters)
            loss = loss_of(x, y, parameters)
        gradients = inner.gradient(loss, parameters)
        parameters = [p - rate * g for p, g in zip(parameters, gradients)]
    return parameters


def meta_gradients(tasks, parameters):
    with tf.GradientTape() as outer:
        losses = []
        for x_support, y_support, x_query, y_query in tasks:
            adapted = adapt(x_support, y_support, parameters)
            losses.append(loss_of(x_query, y_query, adapted))
        total = tf.add_n(losses) / len(losses)
    return total, outer.gradient(total, parameters)


parameters = [
    tf.Variable(tf.random.normal([8, 64], stddev=0.3, seed=1)),
    tf.Variable(tf.zeros([64])),
    tf.Variable(tf.random.normal([64, 1], stddev=0.1, seed=2)),
    tf.Variable(tf.zeros([1])),
]
tasks = []
for seed in range(4):
    x = tf.random.normal([400, 8], seed=seed)
    y = tf.sin(tf.reduce_sum(x, axis=1, keepdims=True) + float(seed))
    tasks.append((x[:200], y[:200], x[200:], y[200:]))

loss, gradients = meta_gradients(tasks, parameters)
