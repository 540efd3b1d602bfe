"""One task after the other in a compiled function, and their gradients are added up."""

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


@tf.function(jit_compile=True)
def task_gradients(task, parameters):
    x_support, y_support, x_query, y_query = task
    with tf.GradientTape() as outer:
        loss = loss_of(x_query, y_query, adapt(x_support, y_support, parameters))
    return loss, outer.gradient(loss, parameters)


def meta_gradients(tasks, parameters):
    losses, totals = zip(*(task_gradients(task, parameters) for task in tasks))
    return tf.add_n(losses) / len(losses), [tf.add_n(parts) / len(losses) for parts in zip(*totals)]


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
