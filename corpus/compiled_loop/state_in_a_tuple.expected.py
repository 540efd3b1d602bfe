# for: both
# fidelity: tolerance
"""A state that is a tuple passes from turn to turn as one."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _rnn_loop(xs, w, state):
    def step(i, state):
        h, c = state
        c = tf.tanh(xs[i] + h * w) * 0.5 + c * 0.5
        state = (tf.tanh(c), c)
        return i + 1, state

    _, state = tf.while_loop(
        lambda i, state: i < xs.shape[0],
        step,
        (0, state),
        shape_invariants=(tf.TensorShape([]), (state[0].shape, state[1].shape)),
        maximum_iterations=xs.shape[0],
    )
    return state


def rnn(xs, w):
    state = (tf.zeros([3]), tf.zeros([3]))
    state = _rnn_loop(xs, w, state)
    return state[0]


@tf.function(jit_compile=True)
def _nested_loop(xs, w, state):
    outputs = tf.TensorArray(tf.float32, size=xs.shape[0], element_shape=state[0].shape)

    def step(i, state, outputs):
        x = xs[i]
        h, (c, n) = state
        c = tf.tanh(x + h * w) * 0.5 + c * 0.5
        state = tf.tanh(c), (c, n + 1.0)
        outputs = outputs.write(i, c)
        return i + 1, state, outputs

    _, state, outputs = tf.while_loop(
        lambda i, state, outputs: i < xs.shape[0],
        step,
        (0, state, outputs),
        shape_invariants=(tf.TensorShape([]), (state[0].shape, (state[1][0].shape, state[1][1].shape)), tf.TensorShape(None)),
        maximum_iterations=xs.shape[0],
    )
    return state, outputs.stack()


def nested(xs, w):
    state = (tf.zeros([3]), (tf.zeros([3]), tf.ones([])))
    state, outputs = _nested_loop(xs, w, state)
    return state, outputs


xs = tf.reshape(tf.sin(tf.range(150.0)), [50, 3])
result = rnn(xs, tf.ones([3])), nested(xs, tf.ones([3]))
