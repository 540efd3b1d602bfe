# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(autograph=False)
def alternating(x):
    def step(i, x):
        # in every other turn
        def when_true(x):  # 0, 2, 4
            x = x * 0.9
            # that was all
            return x

        # in between
        def otherwise(x):
            x = x + tf.cast(0.1 * tf.cast(i, tf.float64), x.dtype)
            return x

        x = tf.cond(
            i % 2 == 0,
            lambda: when_true(x),
            lambda: otherwise(x),
        )
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 90,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return x


@tf.function
def with_a_walrus(x, n: int):
    if (more := n) > 3:
        x = x + more
    y = x

    def step(i, y, x):
        y = tf.cond(
            tf.logical_and(i < 3, i != 2),
            lambda: y * 1.01,
            lambda: y * 0.9,
        )

        def first_case(x):
            x = x * 0.9
            return x, y

        def second_case(x, y):
            x = x + 1.0
            y = y * 0.99
            return x, y

        def third_case(y):
            y = y + 1
            return x, y

        x, y = tf.cond(
            i % 3 == 0,
            lambda: first_case(x),
            lambda: tf.cond(
                tf.logical_or(i % 3 == 1, tf.logical_not(i > 30)),
                lambda: second_case(x, y),
                lambda: tf.cond(
                    i == 80,
                    lambda: third_case(y),
                    lambda: (x, y),
                ),
            ),
        )
        return i + 1, y, x

    _, y, x = tf.while_loop(
        lambda i, y, x: i < 90,
        step,
        (0, y, x),
        shape_invariants=(tf.TensorShape([]), y.shape, x.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return x, y


@tf.function
def with_a_match(x, kind: str):
    match kind:
        case "doubled":
            x = x * 2.0
        case _:
            x = x + 1.0
    late = False

    def step(i, late, x):
        def when_true():
            late = True
            return late

        late = tf.cond(
            tf.logical_or(i == 70, i == 75),
            when_true,
            lambda: late,
        )

        def when_true_2(x):
            def when_true_3(x):
                x = x * 0.9
                return x

            x = tf.cond(
                i > 10,
                lambda: when_true_3(x),
                lambda: x,
            )
            z = x * 2.0

            def inner_step(j, z):
                def when_true_4(z):
                    z = z + tf.cast(j, z.dtype)
                    return z

                z = tf.cond(
                    j == 1,
                    lambda: when_true_4(z),
                    lambda: z,
                )
                return j + 1, z

            _, z = tf.while_loop(
                lambda j, z: j < 3,
                inner_step,
                (0, z),
                shape_invariants=(tf.TensorShape([]), z.shape),
                maximum_iterations=3,
            )
            return x, z

        def otherwise():
            z = x
            return x, z

        x, z = tf.cond(
            tf.logical_not(late),
            lambda: when_true_2(x),
            otherwise,
        )
        x = x * 0.5 + z * 0.01
        return i + 1, late, x

    _, _, x = tf.while_loop(
        lambda i, late, x: i < 90,
        step,
        (0, late, x),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([]), x.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return x


def settle(x, otherwise):
    def step(i, x):
        def when_true(x):
            x = x * 0.5
            return x

        def otherwise_2(x):
            x = x + otherwise
            return x

        x = tf.cond(
            tf.reduce_sum(x) > 10.0,
            lambda: when_true(x),
            lambda: otherwise_2(x),
        )
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 60,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return x


@tf.function
def compiled(x):
    return settle(x, tf.constant(0.3))


@tf.function(autograph=False)
def listed(x):
    h = x[0]
    rows = tf.TensorArray(tf.float32, size=60, element_shape=h.shape)

    def step(i, h, rows):
        h = h * 0.5
        rows = rows.write(i, tf.cond(
            i > 3,
            lambda: h,
            lambda: x[i],
        ))
        return i + 1, h, rows

    _, _, rows = tf.while_loop(
        lambda i, h, rows: i < 60,
        step,
        (0, h, rows),
        shape_invariants=(tf.TensorShape([]), h.shape, tf.TensorShape(None)),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return rows.stack()


result = (
    alternating(tf.ones([2])),
    with_a_walrus(tf.ones([2]), 5),
    with_a_match(tf.ones([2]), "doubled"),
    compiled(tf.ones([2])),
    listed(tf.ones([60, 2])),
)
