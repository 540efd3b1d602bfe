"""Trainings that are cut short: in the same places for every version of a program, and only where that is worth it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tfrewrite.catalogue import chosen
from tfrewrite.engine import Options
from tfrewrite.process import Outcome, process
from tfrewrite.report.terminal import program_line
from tfrewrite.source import Source
from tfrewrite.verify.file_verification import Setup, verified
from tfrewrite.verify.plan import BATCHES, Plan
from tfrewrite.verify.processes import Processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs are forked on Linux only")

LOOPS = """\
def trained(model, optimizer, rows, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(rows) - targets))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def made():
    return keras.Sequential([keras.Input([3]), keras.layers.Dense(1)]), keras.optimizers.SGD()


def steps(number):
    model, optimizer = made()
    for at in range(number):
        trained(model, optimizer, x, y)
    else:
        number = -number
    return at + 1, number, int(optimizer.iterations)


def epochs(number, batches):
    model, optimizer = made()
    counts = []
    for _ in range(number):
        counts.append(0)
        for rows in dataset.take(batches):
            trained(model, optimizer, *rows)
            counts[-1] += 1
    return counts


def read(number):
    return [at for at in [value for value in range(number)] for _ in range(2)][-1]


def turned(number):
    total = 0
    for at in range(number):
        total += at
    return total


found = {"steps": steps(300), "epochs": epochs(100, 60), "few": epochs(3, 2), "read": read(500), "turned": turned(5000)}
"""
CUT = """\
import ast, json, sys
import keras
import numpy as np
import tensorflow as tf
from tfrewrite.verify.agent.short_trainings import Cutting, LoopsAsked
from tfrewrite.verify.plan import Plan

folder, loops, short, observe = sys.argv[1], sys.argv[2], int(sys.argv[3]), bool(int(sys.argv[4]))
cutting = Cutting(Plan("", "", folder, "", (), short=short, observe=observe))
assert not cutting.hooks()
x, y = np.ones([400, 3], "float32"), np.ones([400, 1], "float32")
batches = []


class Counting(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        batches.append(0)

    def on_train_batch_end(self, batch, logs=None):
        batches[-1] += 1


class Predicting(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        assert self.model.predict(x, batch_size=4, verbose=0).shape == (400, 1)


def fitted(**arguments):
    batches.clear()
    model = keras.Sequential([keras.Input([3]), keras.layers.Dense(1)])
    model.compile(Unhashable(), "mse")
    history = model.fit(**arguments, verbose=0, callbacks=[Counting(), Predicting()])
    assert model.evaluate(x, y, verbose=0) >= 0
    try:
        model.fit(x, y, wrong=1)
    except TypeError as error:
        assert "fit() got an unexpected keyword argument 'wrong'" in str(error)
    return batches[:], len(history.history["loss"]), history.epoch


class Unhashable(keras.optimizers.SGD):
    __hash__ = None


class Rows(keras.utils.PyDataset):
    def __len__(self):
        return 60

    def __getitem__(self, at):
        return x[at : at + 4], y[at : at + 4]


def generated():
    while True:
        yield x[:4], y[:4]


def asked_for(number):
    # Elements, by somebody who counts them.
    model = keras.Sequential([keras.Input([3]), keras.layers.Dense(1)])
    optimizer, elements = keras.optimizers.SGD(), iter(tf.data.Dataset.from_tensors((x, y)).repeat())
    for _ in range(number):
        rows, targets = next(elements)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(rows) - targets))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return int(optimizer.iterations)


def looped(passes):
    model = keras.Sequential([keras.Input([3]), keras.layers.Dense(1)])
    optimizer, lengths = keras.optimizers.SGD(), []
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    for _ in range(passes):
        seen = 0
        for _, rows in enumerate(dataset):
            step(*rows)
            seen += 1
        lengths += [seen, len(list(dataset)), sum(1 for _ in dataset.as_numpy_iterator())]
    return lengths


dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)


def asked():
    names = {**globals()}
    exec(compile(ast.fix_missing_locations(LoopsAsked().visit(ast.parse(loops))), "loops.py", "exec"), names)
    return names["found"]


print(json.dumps({
    "one epoch": fitted(x=x, y=y, batch_size=4),
    "four epochs": fitted(x=x, y=y, batch_size=4, epochs=4, validation_split=0.5),
    "a dataset": fitted(x=dataset, epochs=4, validation_data=dataset),
    "steps of one that repeats": fitted(x=dataset.repeat(), epochs=4, steps_per_epoch=50),
    "few": fitted(x=x, y=y, batch_size=100, epochs=2),
    "many epochs": fitted(x=x, y=y, batch_size=40, epochs=90, initial_epoch=10),
    "rows": fitted(x=Rows(workers=2), epochs=2),
    "a generator": fitted(x=generated(), epochs=2, steps_per_epoch=50),
    "counted": asked_for(100),
    "loops": looped(3),
    "asked": asked(),
    "spare": cutting.spare,
}))
"""


def cut(folder: Path, *, short: int, observe: bool = False) -> dict[str, Any]:
    command = [sys.executable, "-c", CUT, str(folder), LOOPS, str(short), str(int(observe))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_training_is_left_with_few_batches_and_its_epochs(tmp_path: Path) -> None:
    found = cut(tmp_path, short=BATCHES)
    quarter = BATCHES // 4
    assert found["one epoch"] == [[BATCHES], 1, [0]]
    assert found["four epochs"] == found["a dataset"] == found["steps of one that repeats"] == [[quarter] * 4, 4, [0, 1, 2, 3]]
    assert found["few"] == [[4, 4], 2, [0, 1]]
    assert found["many epochs"] == [[2] * (BATCHES // 2), BATCHES // 2, list(range(10, 10 + BATCHES // 2))]
    assert found["rows"] == found["a generator"] == [[BATCHES // 2] * 2, 2, [0, 1]]
    assert found["counted"] == 100
    # What is only read is read to its end, and each further pass is half as long.
    assert found["loops"] == [BATCHES, 100, 100, BATCHES // 2, 100, 100, BATCHES // 4, 100, 100]
    asked = found["asked"]
    assert asked["steps"] == [BATCHES // 8, -300, BATCHES // 8]  # the fourth of the loops that are cut short
    # Around such a loop there are as many iterations as `fit` has epochs.
    assert asked["epochs"] == [2] * (BATCHES // 2) and asked["few"] == [2, 2, 2]
    assert asked["read"] == 499 and asked["turned"] == sum(range(5000))
    assert found["spare"] == 0 and (tmp_path / "cut").exists()


def test_where_nothing_is_cut_it_is_known_what_that_would_save(tmp_path: Path) -> None:
    found = cut(tmp_path, short=0, observe=True)
    assert found["one epoch"] == [[100], 1, [0]] and found["many epochs"][1] == 80
    assert found["loops"] == [100] * 9
    assert found["asked"]["steps"] == [300, -300, 300] and found["asked"]["epochs"] == [60] * 100
    assert found["spare"] > 0 and not (tmp_path / "cut").exists()


def test_what_has_been_watched_for_long_enough_ends_the_training_that_it_is_at(tmp_path: Path) -> None:
    (tmp_path / "hurry").touch()
    found = cut(tmp_path, short=0, observe=True)
    assert found["one epoch"] == [[BATCHES], 1, [0]]
    assert found["a dataset"] == [[BATCHES // 4] * 4, 4, [0, 1, 2, 3]]
    assert found["loops"][0] == BATCHES and found["asked"]["steps"][0] < 300 and (tmp_path / "cut").exists()


def test_plans_cut_nothing_unless_they_are_told_to() -> None:
    assert not Plan("", "", "", "", ()).short


# Under --verify

FIT = """\
import keras
import numpy as np

x_train = np.random.default_rng(0).integers(0, 255, [9000, 400]).astype("uint8")
y_train = np.random.default_rng(1).integers(0, 10, 9000)
x_train = x_train.astype("float32") / 255.0
model = keras.Sequential([keras.Input([400]), keras.layers.Dense(10)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(x_train, y_train, epochs=EPOCHS, batch_size=32, verbose=0)
print(AFTER)
"""


def outcome_of(folder: Path, processes: Processes, text: str, seconds: float) -> tuple[Outcome, list[str]]:
    stages: list[str] = []

    class Watching:
        def stage(self, text: str) -> None:
            stages.append(text)

        def advance(self, done: int, total: int) -> None: ...

    def make(source: Source, options: Options) -> Any:
        return verified(source, options, Setup(record_seconds=seconds), processes, Watching())

    path = folder / "p.py"
    path.write_text(text)
    return process(text.encode(), str(path), Options(chosen(["scaled_images"], [])), make), stages


def test_the_top_level_of_a_long_training_is_verified(tmp_path: Path, processes: Processes) -> None:
    text = FIT.replace("EPOCHS", "100000").replace("AFTER", "history.history['loss'][-1]")
    outcome, _ = outcome_of(tmp_path, processes, text, 8)
    assert [one.rule for one in outcome.result.rewrites] == ["scaled_images"], outcome
    (one,) = outcome.result.rewrites
    assert one.verification is not None and one.verification.verdict == "equivalent"
    assert "p.py: the program: peak " in program_line(outcome)
    assert f"was not done after 8 s: what is kept was compared and measured with {BATCHES} batches" in program_line(outcome)


def test_a_training_that_takes_long_even_so_is_cut_shorter(tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        FIT.replace("EPOCHS", "100000").replace("verbose=0", "callbacks=[slow], verbose=0").replace("AFTER", "len(history.history['loss'])")
    )
    text = text.replace(
        "history =", "slow = keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: time.sleep(0.1))\nhistory ="
    )
    monkeypatch.setattr("tfrewrite.verify.file_verification._LONG", 1.0)
    outcome, stages = outcome_of(tmp_path, processes, f"import time\n{text}", 8)
    assert [one.rule for one in outcome.result.rewrites] == ["scaled_images"], outcome
    assert any(one.startswith("running it with ") for one in stages)
    found = re.search(r"what is kept was compared and measured with (\d+) batches", program_line(outcome))
    assert found is not None and int(found[1]) < BATCHES


def test_what_fails_with_fewer_epochs_is_compared_up_to_there(tmp_path: Path, processes: Processes) -> None:
    text = FIT.replace("EPOCHS", "100000").replace("AFTER", "np.arange(100000) + history.history['loss']")
    outcome, _ = outcome_of(tmp_path, processes, text, 8)
    assert [one.rule for one in outcome.result.rewrites] == ["scaled_images"], outcome
    assert "with which it fails later" in program_line(outcome)


def test_what_is_kept_of_a_program_that_ends_is_compared_with_whole_trainings(
    tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfrewrite.verify.file_verification._SPARED", 0.5)
    text = FIT.replace("EPOCHS", "15").replace("AFTER", "len(history.history['loss'])")
    outcome, stages = outcome_of(tmp_path, processes, text, 400)
    assert [one.rule for one in outcome.result.rewrites] == ["scaled_images"], outcome
    assert stages.index("comparing what is kept, with whole trainings") > stages.index("running the original with its trainings cut short")
    assert "with whole trainings, what is kept was compared" in program_line(outcome)


def test_what_only_shows_in_whole_trainings_is_taken_back(tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfrewrite.verify.file_verification._SPARED", 0.5)
    # A rewrite has one line more, which the program tells once the training has gone on for long enough.
    text = "import sys\n" + FIT.replace("EPOCHS", "15")
    text = text.replace("AFTER", "sys._getframe().f_lineno if model.optimizer.iterations > 1000 else None")
    outcome, stages = outcome_of(tmp_path, processes, text, 400)
    assert "comparing what is kept, with whole trainings" in stages and not outcome.result.rewrites, outcome
    (refused,) = [one for one in outcome.result.refusals if one.rule == "scaled_images"]
    assert "differs with it" in refused.reason


def test_whole_trainings_are_run_to_their_end_however_often_functions_were_called(
    tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfrewrite.verify.file_verification._SPARED", 0.5)
    monkeypatch.setattr("tfrewrite.verify.file_verification._AS_LONG", 3.0)
    monkeypatch.setattr("tfrewrite.verify.runs._GRACE", 0.1)
    text = FIT.replace("EPOCHS", "15").replace("verbose=0", "callbacks=[slow], verbose=0").replace("AFTER", "len(history.history['loss'])")
    slow = "def wait(batch, logs):\n    time.sleep(0.002)\n\n\nslow = keras.callbacks.LambdaCallback(on_train_batch_end=wait)\nhistory ="
    outcome, stages = outcome_of(tmp_path, processes, "import time\n" + text.replace("history =", slow), 400)
    assert "comparing what is kept, with whole trainings" in stages
    assert [one.rule for one in outcome.result.rewrites] == ["scaled_images"], outcome
