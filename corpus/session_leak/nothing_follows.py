import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    tf.reduce_sum(tf.compat.v1.get_variable("w", [1000, 1000], initializer=tf.compat.v1.ones_initializer()), name="total")
    tf.compat.v1.global_variables_initializer()


def summed(scale):
    sess = tf.compat.v1.Session(graph=graph)  # refused: session_leak: nothing that needs memory follows
    sess.run("init")
    if scale:
        print("scaled")
    return sess.run("total:0")


print(summed(True))
sess = tf.compat.v1.Session(graph=graph)  # refused: session_leak: nothing that needs memory follows
sess.run("init")
for _ in range(2):
    result = sess.run("total:0")
print("the sum is", result)
