"""Programs that go on for longer than anybody wants to wait: what was recorded until then is enough."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from tfrewrite.catalogue import chosen
from tfrewrite.engine import Options
from tfrewrite.process import Outcome, process
from tfrewrite.report.terminal import program_line
from tfrewrite.source import Source
from tfrewrite.verify.file_verification import Setup, verified
from tfrewrite.verify.plan import PLAIN
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request, Runs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs are forked on Linux only")

TRAINING = """\
import time

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
images = rng.random((64, 300)).astype("float32")
weights = tf.Variable(tf.random.normal([300, 10]))
optimizer = tf.keras.optimizers.Adam(1e-3)


def scaled(x):
    return tf.matmul(x, tf.linalg.diag(tf.range(300.0) / 300))


def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = tf.matmul(scaled(x), weights)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, [weights]), [weights]))
    return loss


def evaluate():
    return tf.matmul(tf.linalg.diag(tf.ones([200])), tf.ones([200, 300]))


def main():
    while True:
        chosen = rng.integers(0, 64, 16)
        loss = train_step(tf.constant(images[chosen]), tf.constant(rng.integers(0, 10, 16)))
        print(float(loss))
        time.sleep(0.02)
    print(evaluate())


main()
"""


class Silent:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


def verify(path: Path, text: str, processes: Processes, *rules: str, setup: Setup, **more: Any) -> Outcome:
    path.write_text(text)

    def make(source: Source, options: Options) -> Any:
        return verified(source, options, setup, processes, Silent())

    return process(text.encode(), str(path), Options(chosen(rules, []), **more), make)


def test_recorded_calls_stand_for_a_program_that_does_not_end(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", TRAINING, processes, "diag_matmul", setup=Setup(calls=4, record_seconds=20))
    assert outcome.failure is None
    (one,) = outcome.result.rewrites
    assert one.line == 13 and one.verification is not None and one.verification.said.startswith("verified in 4 calls: equal bit by bit, ")
    (refused,) = outcome.result.refusals
    assert refused.line == 25 and "nothing had called it when the original was stopped" in refused.reason
    assert "--record-seconds" in refused.remedy
    assert "was not run to its end: it was stopped after 20 s, as --record-seconds says" in program_line(outcome)


def test_what_was_stopped_before_it_had_begun_is_not_waited_for(
    tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = Program("", str(tmp_path / "nothing.py"))
    with Runs(Request(nothing, nothing, nothing.path), processes) as runs:
        runs.whole(nothing, PLAIN, 600.0)  # from here on, no run waits for the process that it is forked from
    monkeypatch.setattr("tfrewrite.verify.file_verification._STARTING", 6.0)
    # Without Keras, whose import would take most of these seconds where the machine is busy.
    slow = TRAINING.replace("sleep(0.02)", "sleep(0.5)").replace("optimizer = tf.keras.optimizers.Adam(1e-3)\n", "")
    step = "    optimizer.apply_gradients(zip(tape.gradient(loss, [weights]), [weights]))\n"
    text = "import time\ntime.sleep(2)\n" + slow.replace(step, "    weights.assign_sub(0.1 * tape.gradient(loss, weights))\n")
    assert "optimizer" not in text
    outcome = verify(tmp_path / "p.py", text, processes, "diag_matmul", setup=Setup(seconds=100, calls=4, record_seconds=0.1))
    assert outcome.failure is None
    assert "was not run to its end: it was stopped after 0 s, as --record-seconds says" in program_line(outcome)


def test_a_program_without_anything_to_rewrite_is_watched_no_longer_than_it_shows_anything_new(
    tmp_path: Path, processes: Processes
) -> None:
    text = "import tensorflow as tf\n\nx = tf.ones([3])\nd = tf.linalg.diag(x)\nwhile True:\n    x = tf.linalg.matvec(d, x)\n"
    outcome = verify(tmp_path / "p.py", text, processes, "diag_matmul", setup=Setup(record_seconds=500))
    assert outcome.failure is None and not outcome.result.edits
    assert "nothing that could be rewritten" in program_line(outcome)


def test_what_ends_in_time_is_compared_to_its_end(tmp_path: Path, processes: Processes) -> None:
    text = TRAINING.replace("while True", "for _ in range(20)")
    outcome = verify(tmp_path / "p.py", text, processes, "diag_matmul", setup=Setup(calls=4, record_seconds=60))
    assert [one.line for one in outcome.result.rewrites] == [13, 25]
    assert "peak" in program_line(outcome)


@pytest.mark.smoke
def test_who_presses_ctrl_c_has_seen_enough(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "p.py").write_text(TRAINING.replace("print(float(loss))", f"open({str(mark)!r}, 'a').close()"))
    command = [sys.executable, "-m", "tfrewrite", "p.py", "--verify", "--calls", "2", "--select", "diag_matmul"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ)
    while not mark.exists():
        assert process.poll() is None
        time.sleep(0.1)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    shown, told = process.communicate()
    assert process.returncode == 0, told.decode()
    assert b"-    return tf.matmul(x, tf.linalg.diag(tf.range(300.0) / 300))" in shown
    assert b"it was stopped by Ctrl-C after" in told and b"Traceback" not in told


def test_the_setting_is_checked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("")
    (tmp_path / "pyproject.toml").write_text("[tool.tfrewrite]\nrecord-seconds = 0\n")
    done = run("p.py")
    assert done.returncode == 2 and b"record-seconds: has to be a number of seconds" in done.stderr


def test_the_top_level_of_a_program_that_goes_on_is_refused_without_a_run(tmp_path: Path, processes: Processes) -> None:
    text = "import tensorflow as tf\n\na, d = tf.ones([9, 8]), tf.ones([9])\nwhile True:\n    b = tf.matmul(tf.linalg.diag(d), a)\n    b += 1.0\n"
    watched: list[str] = []

    class Watching(Silent):
        def stage(self, text: str) -> None:
            watched.append(text)

    setup = Setup(seconds=100, calls=4, record_seconds=8)

    def make(source: Source, options: Options) -> Any:
        return verified(source, options, setup, processes, Watching())

    outcome = process(text.encode(), str(tmp_path / "p.py"), Options(chosen(["diag_matmul"], [])), make)
    assert outcome.failure is None and not outcome.result.rewrites
    (refused,) = outcome.result.refusals
    assert "can be compared only where the file itself runs to its end" in refused.reason
    assert [one.partition(" ")[0] for one in watched] == ["watching"]


GAME = """\
import time

import numpy as np
import tensorflow as tf

x_train = np.random.default_rng(0).integers(0, 255, [9000, 28, 28]).astype("uint8")
x_train = x_train.astype("float32") / 255.0


def scaled(x):
    return tf.matmul(x, tf.linalg.diag(tf.range(784.0) / 784))


print(x_train.shape, x_train.mean())
at = 0
while True:
    y = scaled(tf.constant(x_train[at : at + 64].reshape(64, -1)))
    at = (at + 64) % 8000
    time.sleep(0.02)
print(x_train[:1])
"""


def test_the_first_lines_of_a_program_that_goes_on_are_compared_and_measured(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(
        tmp_path / "p.py", GAME, processes, "scaled_images", "diag_matmul", setup=Setup(seconds=100, calls=4, record_seconds=15)
    )
    assert outcome.failure is None
    kept = {one.rule: one for one in outcome.result.rewrites}
    assert [one.line for one in kept.values()] == [7, 11]
    said = [one.verification.said for one in kept.values() if one.verification is not None]
    assert said[0].startswith("verified in a run of the program: equal bit by bit, peak of line 7 ")
    assert said[1].startswith("verified in 4 calls: equal bit by bit, ")
    line = program_line(outcome)
    assert "peak" in line and "; up to line 15 what is kept was compared and measured as a whole; what it would have done later" in line


def test_what_differs_in_the_first_lines_is_taken_back(tmp_path: Path, processes: Processes) -> None:
    # A rewrite has one line more, and the program tells which it is.
    text = GAME.replace("print(x_train.shape,", "import sys\nprint(sys._getframe().f_code.co_consts,")
    outcome = verify(tmp_path / "p.py", text, processes, "scaled_images", setup=Setup(seconds=100, calls=4, record_seconds=15))
    assert outcome.failure is None and not outcome.result.rewrites
    (refused,) = outcome.result.refusals
    assert "the program differs with it" in refused.reason


STEPS = """\
import time

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(1)
blocks = [layer for _ in range(6) for layer in (keras.layers.Dense(512, activation="gelu"), keras.layers.Dropout(0.1))]
model = keras.Sequential([keras.Input([64]), *blocks, keras.layers.Dense(10)])
optimizer = keras.optimizers.SGD(0.01)
x = tf.constant(np.random.normal(size=[1024, 64]).astype(np.float32))


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


while True:
    train_step(x)
    time.sleep(0.5)
"""


def test_a_training_step_that_goes_on_is_made_a_graph_where_each_call_saves_more_than_the_graph_needs(
    tmp_path: Path, processes: Processes
) -> None:
    setup = Setup(calls=2, record_seconds=20)
    outcome = verify(tmp_path / "p.py", STEPS, processes, "compiled_step", setup=setup)
    assert outcome.failure is None and [one.rule for one in outcome.result.rewrites] == ["compiled_step"], outcome
    (one,) = outcome.result.rewrites
    assert one.purpose == "memory" and one.verification is not None
    assert one.verification.peak_before is not None and one.verification.peak_after is not None
    assert one.verification.peak_before - one.verification.peak_after > one.setup + 1e6
