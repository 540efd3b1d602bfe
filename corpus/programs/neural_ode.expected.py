# for: both
# fidelity: tolerance
"""A neural ODE, solved by the classical Runge-Kutta method; the path is kept."""

import tensorflow as tf


class Dynamics(tf.Module):
    """What pushes a state on: a small network."""

    def __init__(self, size, hidden):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([size, hidden], stddev=0.3, seed=1))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(tf.random.normal([hidden, size], stddev=0.3, seed=2))

    def __call__(self, state):
        return tf.matmul(tf.tanh(tf.matmul(state, self.w1) + self.b1), self.w2)


def rk4_step(f, state, dt):
    k1 = f(state)
    k2 = f(state + 0.5 * dt * k1)
    k3 = f(state + 0.5 * dt * k2)
    k4 = f(state + dt * k3)
    return state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@tf.function(jit_compile=True)
def _solve_loop(steps, f, dt, state):
    path = tf.TensorArray(tf.float32, size=steps + 1, element_shape=state.shape).write(0, state)

    def step(i, state, path):
        state = rk4_step(f, state, dt)
        path = path.write(i + 1, state)
        return i + 1, state, path

    _, _, path = tf.while_loop(
        lambda i, state, path: i < steps,
        step,
        (0, state, path),
        shape_invariants=(tf.TensorShape([]), state.shape, tf.TensorShape(None)),
        maximum_iterations=steps,
    )
    return path.stack()


def solve(f, state, dt, steps):
    path = _solve_loop(tf.constant(steps), f, tf.constant(dt), state)
    return path


dynamics = Dynamics(size=8, hidden=32)
start = tf.random.normal([500, 8], seed=3)

path = solve(dynamics, start, dt=0.05, steps=100)
