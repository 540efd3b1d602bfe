"""How long edge inputs are tried, and what is said of those that are not."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tfrewrite.verify import function_trials
from tfrewrite.verify.agent import probe
from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.pieces import Yielded, consumed
from tfrewrite.verify.case import Case, Evidence, Nobody, remedy, settled
from tfrewrite.verify.harness import compare
from tfrewrite.verify.judge import compare_outcomes, only_xla_refuses
from tfrewrite.verify.plan import Outcome, Probe, Raised, Trial
from tfrewrite.verify.portrait import Store
from tfrewrite.verify.processes import End, Ended, Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Probed, Request, Runs, environment
from tfrewrite.verify.verdict import Remedy, Verdict


@pytest.mark.smoke
def test_generators_without_an_end_are_gone_through_for_a_while() -> None:
    """A thousand batches of a training may be more than there is memory for."""
    seen: list[str] = []

    def batches() -> Iterator[tuple[Any, ...]]:
        try:
            while True:
                yield {"x": np.zeros(1_000_000, np.uint8)}, [tf.zeros([250_000])]
        finally:
            seen.append("closed")

    found = consumed(batches())
    assert (len(found.values), found.returned, seen) == (16, None, ["closed"])

    def few() -> Generator[int, None, int]:
        yield 1
        return 7

    assert consumed(few()) == Yielded((1,), 7)
    assert len(consumed(iter(itertools.repeat(np.zeros(10_000_000, np.uint8)))).values) == 4


def test_edge_inputs_end_by_either_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = {"process_time": 0.0, "monotonic": 0.0}
    for name in clocks:
        monkeypatch.setattr(time, name, lambda name=name: clocks[name])
    for name in clocks:
        clocks.update(process_time=0.0, monotonic=0.0)
        patience = probe._Patience()
        clocks[name] += 1000.0  # what isn't an edge input has all the time that it takes
        patience.tried()
        assert patience.is_slow is (name == "process_time")
        assert not patience.ends()
        clocks[name] += probe._SECONDS_OF_EDGES + 1
        assert patience.ends()


def _outcome(store: Store, label: str, origin: str, slope: object) -> Outcome:
    portrait = Photographer(store).take
    nothing = portrait(())
    return Outcome(Trial(label, origin, nothing, (), 0), portrait(1.0), None, nothing, portrait({}), "", gradients=portrait({"x": slope}))


@pytest.mark.smoke
def test_gradients_that_there_was_no_time_for_are_no_difference(tmp_path: Path) -> None:
    store = Store(tmp_path)
    before = _outcome(store, "n=0", "varied", 2.0)
    after = replace(before, gradients=None)
    hurried = replace(after, trial=replace(after.trial, gradients=False))
    assert compare_outcomes(before, after, store, {}).compared.verdict is Verdict.DIFFERS
    assert compare_outcomes(before, hurried, store, {}).compared.verdict is Verdict.EQUIVALENT


@pytest.mark.parametrize("skipped", [True, False])
def test_edge_inputs_that_there_was_no_time_for_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skipped: bool) -> None:
    path = str(tmp_path / "program.py")
    program = Program("def f():\n    return 1.0\n", path)
    request = Request(program, program, path, measure=False)
    with Processes(environment("auto")) as processes, Runs(request, processes) as runs:
        case = Case(request, runs, Nobody())
        ended = Ended(End.FINISHED, 0)
        recorded, varied = (_outcome(runs.store, label, origin, 2.0) for label, origin in (("call 1", "recorded"), ("n=0", "varied")))
        evidence = Evidence()
        first = Probed(ended, (recorded, varied), None, ())
        second = Probed(ended, (recorded,), None, (), ("n=0",) if skipped else ())
        monkeypatch.setattr(function_trials, "_reproduced", lambda *_: set())
        function_trials.conclude(case, "f", evidence, Probe("f"), first, second, False)
    assert bool(evidence.failures) is not skipped
    assert any("n=0" in note for note in case.notes) is skipped


def used() -> float:
    """Seconds of the processor that all processes have used that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def test_edge_inputs_of_which_the_original_never_ends_are_given_up(tmp_path: Path) -> None:
    text = """
def halved(x):
    while abs(x) > 1.0:
        x = x / 2.0
    return x


result = halved(30.0)
"""
    path = str(tmp_path / "program.py")
    before, after = Program(text, path), Program(text.replace("x / 2.0", "x * 0.5"), path)
    request = Request(before, after, path, measure=False)
    began = used()
    compared = compare(request)
    assert used() - began < request.seconds / 2
    assert compared.verdict is Verdict.EQUIVALENT
    assert any("left out" in note for note in compared.notes)


@pytest.mark.parametrize("turns", [None, 50])
def test_what_tensorflow_says_when_a_tape_records_a_compiled_loop_is_known(turns: int | None) -> None:
    import tensorflow as tf

    @tf.function(jit_compile=True)  # type: ignore[untyped-decorator]
    def halved(x: Any) -> Any:
        return tf.while_loop(lambda x: tf.reduce_sum(x) > 1.0, lambda x: (tf.sin(x) * 0.5,), (x,), maximum_iterations=turns)[0]

    x = tf.constant([30.0, 20.0])
    with pytest.raises(tf.errors.OpError) as caught, tf.GradientTape() as tape:
        tape.watch(x)
        halved(x)
    assert only_xla_refuses(Raised(type(caught.value).__name__, str(caught.value)))


@pytest.mark.parametrize(
    ("ended", "expected"),
    [
        (Ended(End.TIMEOUT), Remedy.TIME),
        (Ended(End.STOPPED, message="no memory of this"), Remedy.TIME),
        (Ended(End.MEMORY, message="used 3.0 GB, more than the 2.0 GB allowed"), Remedy.MEMORY),
        (Ended(End.CRASHED, signal="SIGKILL", message="killed by SIGKILL", starved=True), Remedy.MEMORY),
        (Ended(End.CRASHED, signal="SIGSEGV", message="killed by SIGSEGV"), Remedy.ENTRY_POINT),
        (Ended(End.FINISHED, 1), Remedy.ENTRY_POINT),
    ],
)
def test_what_helps_follows_from_how_a_run_ended(ended: Ended, expected: Remedy) -> None:
    assert remedy(ended) is expected


def test_trials_in_float64_end_where_they_take_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "program.py")
    program = Program("def f():\n    return 1.0\n", path)
    request = Request(program, program, path, measure=False)
    asked: list[float | None] = []

    def cut_off(version: Program, probe: Probe, *, eager: bool, seconds: float | None = None, digits: bool = False) -> Probed:
        asked.append(seconds)
        return Probed(Ended(End.TIMEOUT), (), None, ())

    with Processes(environment("auto")) as processes, Runs(request, processes) as runs:
        case = Case(request, runs, Nobody())
        monkeypatch.setattr(case, "probe", cut_off)
        monkeypatch.setattr(function_trials, "_reproduced", lambda *_: set())
        mine = _outcome(runs.store, "call 1", "recorded", 2.0)
        his = replace(mine, result=Photographer(runs.store).take(1.0000001))
        evidence = Evidence()
        quick, long = (Probed(Ended(End.FINISHED, 0, seconds=took), (mine,), None, ()) for took in (1.0, 50.0))
        for first in (quick, long):
            function_trials.conclude(case, "f", evidence, Probe("f"), first, replace(quick, outcomes=(his,)), False)
    assert asked == [120.0, 500.0]
    assert not any(settled(pair.compared) for pair in evidence.tried)


_STEP = """\
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.LSTM(32), tf.keras.layers.Dense(5)])
optimizer = tf.keras.optimizers.Adam(0.001)
x, y = tf.random.normal([64, 28, 28]), tf.zeros([64], tf.int64)
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


{decorator}def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


step(x, y)
step(x, y)
"""


def test_steps_of_a_training_are_judged_by_the_sensitivity_of_the_original(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "program.py")
    before, after = (Program(_STEP.format(decorator=one), path) for one in ("", "@tf.function\n"))
    asked: list[Probe] = []
    original = Case.probe

    def noted(case: Case, version: Program, probe: Probe, **how: Any) -> Probed:
        asked.append(probe)
        return original(case, version, probe, **how)

    monkeypatch.setattr(Case, "probe", noted)
    with Processes(environment("auto")) as processes, Runs(request := Request(before, after, path, measure=False), processes) as runs:
        (found,) = [one for one in compare(request, watcher=Nobody(), runs=runs).findings if one.function == "step"]
    assert found.verdict <= Verdict.SENSITIVE
    assert any(one.noise for one in asked)
    assert not any(one.shadow for one in asked)  # in float64 it takes many times as long


@pytest.mark.parametrize(("apart", "right"), [(1e-5, True), (1e-3, False)])
def test_what_lies_farther_from_the_original_than_noise_brings_it_is_not_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: float, right: bool
) -> None:
    path = str(tmp_path / "program.py")
    program = Program("def f():\n    return 1.0\n", path)
    values = np.random.default_rng(1).normal(size=1000)
    with Processes(environment("auto")) as processes, Runs(request := Request(program, program, path), processes) as runs:
        photographer = Photographer(runs.store)
        moved, other = (values + np.random.default_rng(seed).normal(size=1000) * far for seed, far in ((2, 1e-5), (3, apart)))
        plain = replace(_outcome(runs.store, "call 1", "recorded", 2.0), steps=photographer.take(np.ones([1, 2, 3])))
        mine, noisy, his = (replace(plain, result=photographer.take(one.astype("float32"))) for one in (values, moved, other))
        case = Case(request, runs, Nobody())
        monkeypatch.setattr(case, "probe", lambda *_, **__: Probed(Ended(End.FINISHED), (noisy,), None, ()))
        pair = compare_outcomes(mine, his, runs.store, {})
        assert not settled(pair.compared)
        ((_, _, found),) = function_trials._with_noise(case, [(mine, his, pair)], Probe("f"), False)
    assert settled(found.compared) is right
