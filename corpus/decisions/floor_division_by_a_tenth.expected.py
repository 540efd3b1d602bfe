# for: both
import tensorflow as tf

STEP = 0.1


@tf.function
def _ticks_loop(turns, times, seen):
    def step(i, times, seen):
        times = times + 0.1
        seen = seen + times // STEP
        return i + 1, times, seen

    _, _, seen = tf.while_loop(
        lambda i, times, seen: i < turns,
        step,
        (0, times, seen),
        shape_invariants=(tf.TensorShape([]), times.shape, seen.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return seen


def ticks(times, turns):
    seen = tf.zeros_like(times)
    seen = _ticks_loop(tf.constant(turns), times, seen)
    return seen


seen = ticks(tf.range(400, dtype=tf.float32) * 0.1, 60)
print("done")
