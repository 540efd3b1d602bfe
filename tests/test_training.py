"""Trainings are compared by what their optimizers are given, and by what is left of their progress bars."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tfrewrite.verify.agent.specs import is_variable, variable_of
from tfrewrite.verify.judge import compare_printed, compare_printed_with_noise, only_once
from tfrewrite.verify.output import shown
from tfrewrite.verify.plan import Raised, Stepped
from tfrewrite.verify.training import compare_steps, same_sums
from tfrewrite.verify.verdict import Verdict

pytestmark = pytest.mark.smoke
KERNEL, BIAS = [0.75, -0.25], [8e-8, 5e-8]
"""The sizes and weighed sums of two gradients, of which the second is zero but for rounding."""


def stepped(*steps: list[list[float]], count: int = 0) -> tuple[Stepped, ...]:
    return (Stepped(("kernel", "bias"), count or len(steps), list(steps)),)


MINE = stepped([KERNEL, BIAS])
TWIN = stepped([[0.7500004, -0.2500002], [8.2e-8, -1e-9]])


def test_gradients_may_be_as_far_apart_as_those_of_a_twin() -> None:
    his = stepped([[0.7500002, -0.2499999], [-7e-8, 3e-8]])
    found = compare_steps(MINE, his, [TWIN])
    assert (found.verdict, found.fidelity) == (Verdict.EQUIVALENT, "rounding")
    assert compare_steps(MINE, MINE, []).fidelity == "bitwise"


def test_a_gradient_a_thousandth_smaller_is_another_one() -> None:
    found = compare_steps(MINE, stepped([[0.74925, -0.24975], BIAS]), [TWIN])
    assert found.verdict is Verdict.DIFFERS and found.difference is not None
    assert found.difference.where == "gradient of kernel in step 1 of the optimizer"
    assert (found.difference.before, found.difference.after) == ("size 0.75", "size 0.74925")


def test_a_step_more_is_a_difference_and_so_is_another_optimizer() -> None:
    assert compare_steps(MINE, stepped([KERNEL, BIAS], count=2), [TWIN]).verdict is Verdict.DIFFERS
    assert compare_steps(MINE, MINE + MINE, [TWIN]).verdict is Verdict.DIFFERS
    fewer = (Stepped(("kernel",), 1, [[KERNEL]]),)
    assert compare_steps(MINE, fewer, [TWIN]).verdict is Verdict.DIFFERS


def test_steps_are_looked_at_until_the_twin_is_elsewhere() -> None:
    before, apart = stepped([KERNEL, BIAS], [KERNEL, BIAS]), [[0.5, 0.1], BIAS]
    assert compare_steps(before, stepped([KERNEL, BIAS], apart), [stepped([KERNEL, BIAS], [KERNEL, BIAS])]).verdict is Verdict.DIFFERS
    assert compare_steps(before, stepped([KERNEL, BIAS], apart), [stepped([KERNEL, BIAS], apart)]).verdict is Verdict.EQUIVALENT


def test_the_sums_of_one_step_are_as_exact_as_its_largest_gradient() -> None:
    before = np.array([KERNEL, BIAS], np.float32)
    assert same_sums(before, before + np.float32(1e-7))
    assert not same_sums(before, before + np.float32(1e-4))
    assert not same_sums(before, np.array([KERNEL, [np.nan, 0.0]], np.float32))


BAR = "Epoch 1/2\n\r\x1b[1m 1/20\x1b[0m \x1b[37m━━━━\x1b[0m \x1b[1m7:55\x1b[0m 2s/step - loss: 1.6"
DONE = "\r\x1b[1m20/20\x1b[0m \x1b[32m━━━━\x1b[0m\x1b[37m\x1b[0m \x1b[1m{}s\x1b[0m {}ms/step - loss: {}\n"


def test_of_progress_bars_the_last_state_is_compared_without_its_time() -> None:
    one, other = BAR + "\x08" * 40 + DONE.format(2, 90, 1.4), BAR.replace("7:55", "9:21") + DONE.format(3, 150, 1.4)
    assert shown(one) == shown(other) == "Epoch 1/2\n20/20 ━━━━ (its time) - loss: 1.4\n"
    assert compare_printed(one, other).verdict is Verdict.EQUIVALENT
    assert compare_printed(one, BAR + DONE.format(2, 90, 1.5)).verdict is not Verdict.EQUIVALENT
    assert (
        compare_printed_with_noise(one, BAR + DONE.format(2, 90, 1.40001), BAR + DONE.format(2, 90, 1.40002)).verdict is Verdict.EQUIVALENT
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("20/20 - 1s - 55ms/step - loss: 0.3\n", "20/20 - (its time) - loss: 0.3\n"),
        ("abc\x08\x08X\n", "aXc\n"),
        ("long line\rshort\n", "shortline\n"),
        ("it took 2s 5ms/step\n", "it took 2s 5ms/step\n"),
        ("plain\n", "plain\n"),
    ],
)
def test_what_is_shown_in_the_end(text: str, left: str) -> None:
    assert shown(text) == left


class Lazy:
    """As the modules that Keras imports when they are asked for something."""

    __module__ = "keras.src.utils.module_utils"

    def __getattr__(self, name: str) -> object:
        raise ImportError(f"This requires the {name} module")


class Odd:
    __module__ = property(lambda self: "odd")


def test_nothing_but_a_variable_of_keras_is_asked_for_its_value() -> None:
    """A training step whose model reaches such an object could not be tried on its own."""
    found = Lazy(), Odd()
    assert [variable_of(one) is one for one in found] == [True, True]
    import tensorflow as tf

    assert is_variable(tf.keras.Variable(1.0))


def test_a_step_is_no_more_exact_than_its_largest_gradient() -> None:
    (one,) = stepped([KERNEL, BIAS], [[0.5, 0.1], BIAS])
    assert replace(one, rate=0.1).reach == pytest.approx(0.075)


def test_that_gradients_of_gradients_cant_be_taken_is_said_aloud() -> None:
    """By TensorFlow itself, in the words that it has for it."""
    import tensorflow as tf

    again, x = tf.recompute_grad(lambda x: tf.tanh(x) * x), tf.Variable([0.5])
    with pytest.raises(Exception) as told, tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = again(x)
        outer.gradient(inner.gradient(y, x), x)
    assert only_once(Raised(told.type.__name__, str(told.value)))
    assert not only_once(Raised("ValueError", "something else")) and not only_once(None)
