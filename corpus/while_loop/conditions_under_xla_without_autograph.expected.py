# fidelity: tolerance
# peak at most: 0.5
import tensorflow as tf


@tf.function(autograph=False, jit_compile=True)
def pulsed(x, state, pulses: int):
    count = 0

    def step(i, state, count):
        def when_true(state, count):
            state = state + x
            count += 1
            return state, count

        state, count = tf.cond(
            i % 50 == 0,
            lambda: when_true(state, count),
            lambda: (state, count),
        )
        state = tf.tanh(state) * tf.cast(count, tf.float32)
        return i + 1, state, count

    _, state, _ = tf.while_loop(
        lambda i, state, count: i < pulses,
        step,
        (0, state, count),
        shape_invariants=(tf.TensorShape([]), state.shape, tf.TensorShape([])),
        maximum_iterations=pulses,
    )
    return state


result = pulsed(tf.ones([300]), tf.zeros([300]), 400)
