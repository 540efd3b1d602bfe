import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    weights = tf.compat.v1.get_variable("w", [1000, 1000], initializer=tf.compat.v1.ones_initializer())
    total = tf.reduce_sum(weights)
    init = tf.compat.v1.global_variables_initializer()


def summed(scale):
    sess = tf.compat.v1.Session(graph=graph)  # refused: session_leak: nothing that needs memory follows
    sess.run(init)
    if scale:
        print("scaled")
    return sess.run(total)


print(summed(True))
sess = tf.compat.v1.Session(graph=graph)  # refused: session_leak: nothing that needs memory follows
sess.run(init)
for _ in range(2):
    result = sess.run(total)
print("the sum is", result)
