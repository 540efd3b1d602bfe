"""What a rewrite costs the process once shows only where the program is measured from its first line to its last."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import jsonschema
import pytest
from conftest import ROOT, Run

from tfrewrite.catalogue import chosen
from tfrewrite.engine import Options, Refused, Result
from tfrewrite.outcomes import Purpose
from tfrewrite.process import Outcome, process
from tfrewrite.report.comparison import program_line
from tfrewrite.report.terminal import program_line as line_of
from tfrewrite.source import Source, apply_edits
from tfrewrite.verify.file_verification import Setup, verified
from tfrewrite.verify.footprint import Footprints
from tfrewrite.verify.plan import EXACT, PLAIN, Needed
from tfrewrite.verify.processes import End, Ended, Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request, Runs
from tfrewrite.verify.verdict import Figure, ProgramCost, ProgramCosts, Verdict
from tfrewrite.verify.verification_result import Verified
from tfrewrite.verify.whole_programs import _unequal_text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs are forked on Linux only")
MB = 1e6
SETUP = Setup(calls=2)


class Silent:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


def verify(path: Path, text: str, processes: Processes, *rules: str, setup: Setup = SETUP, **more: Any) -> Outcome:
    path.write_text(text)

    def make(source: Source, options: Options) -> Result:
        return verified(source, options, setup, processes, Silent())

    return process(text.encode(), str(path), Options(chosen(rules, []), **more), make)


def kept(outcome: Outcome) -> list[tuple[str, int]]:
    return [(one.rule, one.line) for one in outcome.result.rewrites]


def taken_back(outcome: Outcome) -> dict[str, Refused]:
    return {one.rule: one for one in outcome.result.refusals if one.verification is not None}


def program_of(outcome: Outcome) -> ProgramCosts:
    assert isinstance(outcome.result, Verified) and outcome.result.program is not None
    return outcome.result.program


def peaks(costs: ProgramCosts) -> tuple[float, float]:
    assert costs.before.peak is not None and costs.after.peak is not None
    return costs.before.peak.value, costs.after.peak.value


SMALL = """\
import tensorflow as tf


def simulate(state, drift):
    for step in range(250):
        state = tf.tanh(tf.matmul(state, drift) + state * 0.1)
    return state


result = simulate(tf.ones([10, 10]), tf.eye(10) * 0.5)
"""
LARGE = """\
import tensorflow as tf


def simulate(state):
    for step in range(20):
        state = tf.tanh(tf.sin(state) * 0.5 + state * 0.1)
    return state


result = simulate(tf.ones([3_000_000]))
"""
SCALED = """\
def scaled(d, m):
    return tf.matmul(tf.linalg.diag(d), m)


for _ in range(2):
    scaled(tf.ones([200]), tf.ones([200, 200]))
"""


def test_what_costs_the_program_more_than_its_calls_save_is_taken_back(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", SMALL, processes, "compiled_loop")
    assert outcome.failure is None and not outcome.result.edits and not isinstance(outcome.result, Verified)
    one = taken_back(outcome)["compiled_loop"]
    assert one.reason.startswith("saves 7") and " kB in a warm call, but the program as a whole needs 1" in one.reason
    assert " MB where it needed " in one.reason
    what = one.verification
    assert what is not None and (what.verdict, what.function, what.calls, what.said) == ("equivalent", "simulate", 1, one.reason)
    assert what.peak_before is not None and what.peak_after is not None and what.peak_after < what.peak_before
    assert line_of(outcome) == ""


def test_the_others_stay_and_what_the_program_needs_is_told(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", SMALL + "\n\n" + SCALED, processes, "compiled_loop", "diag_matmul")
    assert kept(outcome) == [("diag_matmul", 14)] and set(taken_back(outcome)) == {"compiled_loop"}
    before, after = peaks(program_of(outcome))
    assert 10 * MB < before < 20 * MB and after < before
    assert line_of(outcome).startswith(f"{tmp_path / 'p.py'}: the program: peak ")


def test_what_pays_for_the_program_stays_though_it_is_compiled(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", LARGE, processes, "compiled_loop")
    assert kept(outcome) == [("compiled_loop", 5)]
    before, after = peaks(program_of(outcome))
    assert after < before - 5 * MB


def test_who_wants_time_gets_what_costs_a_little_memory(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", SMALL, processes, "compiled_loop", purposes=frozenset(Purpose))
    assert kept(outcome) == [("compiled_loop", 5)]
    before, after = peaks(program_of(outcome))
    assert before + MB < after < before + 32 * MB


def test_without_the_exact_meter_the_text_decides(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", SMALL, processes, "compiled_loop", setup=Setup(calls=2, meter="rss"))
    (one,) = outcome.result.refusals
    assert (one.rule, one.code, one.verification) == ("compiled_loop", "worth", None)


def test_what_loses_to_a_rule_that_is_taken_back_has_its_turn(tmp_path: Path, processes: Processes) -> None:
    text = """\
import tensorflow as tf


def rows(x):
    found = []
    for _ in range(60):
        x = tf.tanh(x * 0.5 + 1.0)
        found.append(x)
    return tf.stack(found)


print(float(tf.reduce_sum(rows(tf.fill([1000], 0.5)))))
"""
    outcome = verify(tmp_path / "p.py", text, processes, "numpy_loop", "compiled_loop")
    assert "but the program as a whole needs " in taken_back(outcome)["compiled_loop"].reason
    other = taken_back(outcome).get("numpy_loop")
    assert kept(outcome) == [("numpy_loop", 6)] or other is not None and "takes its place" not in other.reason


def test_the_command_line_tells_what_the_program_needs(tmp_path: Path, run: Run) -> None:
    (tmp_path / "p.py").write_text("import tensorflow as tf\n\n\n" + SCALED)
    done = run("p.py", "--verify", "--select", "diag_matmul", "--format", "json")
    found = json.loads(done.stdout)
    jsonschema.validate(found, json.loads((ROOT / "tfrewrite/report/schema.json").read_text()))
    program = found["files"][0]["program"]
    assert program["peak_after"] < program["peak_before"] and program["seconds_after"] > 0 and program["resident_before"] > 0
    assert f"p.py: the program: {program['said']}\n" in done.stderr.decode()
    (tmp_path / "test_p.py").write_text("import p\n\n\ndef test():\n    pass\n")
    done = run("p.py", "--verify", "--select", "diag_matmul", "--run", f"{sys.executable} -m pytest -q test_p.py", "--calls", "2")
    assert done.returncode == 0 and b"p.py: the program: not measured as a whole: a command runs it" in done.stderr


# One run


def one_run(tmp_path: Path, processes: Processes, text: str, what: str, seconds: float = 600.0) -> tuple[Ended, Needed | None]:
    path = tmp_path / "p.py"
    path.write_text("raise SystemExit('not what is run')\n")
    program = Program(text, str(path))
    with Runs(Request(program, program, str(path)), processes) as runs:
        return runs.whole(program, what, seconds)


@pytest.mark.smoke
def test_a_run_is_measured_from_its_first_line_to_its_last(tmp_path: Path, processes: Processes) -> None:
    text = "held = bytearray(30_000_000)\ndel held\nheld = bytearray(20_000_000)\n"
    ended, needed = one_run(tmp_path, processes, text, EXACT)
    assert ended.how is End.FINISHED and ended.code == 0
    assert needed is not None and needed.peak == pytest.approx(30 * MB, rel=0.02) and needed.resident is None
    ended, needed = one_run(tmp_path, processes, "held = b'x' * 30_000_000\n", PLAIN)
    assert needed is not None and needed.peak is None and needed.resident is not None and 28 * MB < needed.resident < 60 * MB


@pytest.mark.parametrize(
    ("last", "code"),
    [
        ("raise SystemExit(3)", 3),
        ("raise ValueError('broken')", 1),
        ("import os, sys\nif not os.fork():\n    more = bytearray(50_000_000)\n    sys.exit(5)\nos.wait()", 0),
        ("assert __name__ == '__main__' and __file__.endswith('p.py')", 0),
    ],
)
def test_however_it_ends(tmp_path: Path, processes: Processes, last: str, code: int) -> None:
    ended, needed = one_run(tmp_path, processes, f"held = bytearray(20_000_000)\n{last}\n", EXACT)
    assert ended.how is End.FINISHED and ended.code == code
    assert needed is not None and needed.peak == pytest.approx(20 * MB, rel=0.05)


def test_what_cannot_be_measured_is_not(tmp_path: Path, processes: Processes) -> None:
    ended, needed = one_run(tmp_path, processes, "import os\nos._exit(0)\n", EXACT)
    assert ended.how is End.FINISHED and needed is None
    ended, needed = one_run(tmp_path, processes, "while True: pass\n", EXACT, seconds=2.0)
    assert ended.how is End.TIMEOUT and needed is None
    text = f"import memray\nwith memray.Tracker({str(tmp_path / 'own.bin')!r}):\n    pass\n"
    ended, needed = one_run(tmp_path, processes, text, EXACT)
    assert needed is not None and needed.peak is None and "memray itself" in needed.note


def test_what_it_starts_itself_runs_the_same_version(tmp_path: Path, processes: Processes) -> None:
    text = """\
import multiprocessing


def told(queue):
    queue.put("the version")


if __name__ == "__main__":
    spawned = multiprocessing.get_context("spawn")
    queue = spawned.Queue()
    child = spawned.Process(target=told, args=(queue,))
    child.start()
    assert queue.get(timeout=600) == "the version"
    child.join()
"""
    ended, needed = one_run(tmp_path, processes, text, PLAIN)
    assert (ended.how, ended.code) == (End.FINISHED, 0) and needed is not None


# What the figures say


class Told:
    """Runs whose figures are given: those of a text, one after the other, the last again and again."""

    def __init__(self, peaks: dict[str, list[float]], seconds: float = 0.1, end: Ended | None = None) -> None:
        self.peaks = peaks
        self.seconds = seconds
        self.end = end
        self.made: list[tuple[str, str]] = []
        self.resident: dict[str, float] = {}
        """In megabytes, of texts where it isn't twice the peak."""

    def whole(self, version: Program, what: str, seconds: float) -> tuple[Ended, Needed | None]:
        self.made.append((version.text, what))
        if self.end is not None:
            return self.end, None
        values = self.peaks[version.text]
        value = values.pop(0) if len(values) > 1 else values[0]
        exact = what == EXACT
        resident = self.resident.get(version.text, 2 * value)
        return Ended(End.FINISHED, 0), Needed(self.seconds, int(value * MB) if exact else None, None if exact else int(resident * MB))


OLD, NEW = Program("'old'", "/p.py"), Program("'new'", "/p.py")


def footprints(old: list[float], new: list[float], took: float = 0.1, allowance: float = 0.0, **more: Any) -> tuple[Footprints, Told]:
    told = Told({OLD.text: old, NEW.text: new}, **more)
    return Footprints(cast(Runs, told), OLD, took, allowance=allowance), told


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        ([40.0], [10.0], 2),
        ([40.0], [40.4], 2),
        ([0.3], [1.2], 6),  # less than a megabyte
        ([100.0], [104.0], 6),  # less than 5 %
        ([10.0, 12.0, 10.0], [14.0, 10.0, 10.0], 6),  # once
        ([10.0, 14.0, 10.0], [13.0, 13.0, 13.0], 6),  # the original itself, once
    ],
)
@pytest.mark.smoke
def test_noise_decides_nothing(old: list[float], new: list[float], runs: int) -> None:
    made, told = footprints(old, new)
    for _ in range(2):
        assert made.needs_more(NEW) is None
        # Of resident sizes each version needs two, and no more.
        assert [what for _, what in told.made].count(EXACT) == runs and len(told.made) == runs + 4


def test_what_stays_resident_counts_too() -> None:
    made, told = footprints([40.0], [40.0])
    told.resident = {OLD.text: 60.0, NEW.text: 140.0}  # XLA's code, which no allocator counts
    assert made.needs_more(NEW) == (60 * MB, 140 * MB)
    allowed, told = footprints([40.0], [40.0], allowance=100 * MB)
    told.resident = {OLD.text: 60.0, NEW.text: 140.0}
    assert allowed.needs_more(NEW) is None


def test_what_needs_more_is_measured_three_times_but_for_long_programs() -> None:
    made, told = footprints([0.3], [12.3])
    assert made.needs_more(NEW) == (0.3 * MB, 12.3 * MB) and len(told.made) == 6
    made, told = footprints([0.3], [12.3], seconds=30.0)
    assert made.needs_more(NEW) == (0.3 * MB, 12.3 * MB) and len(told.made) == 2
    made.costs(NEW)
    assert told.made[2:] == [(OLD.text, PLAIN), (NEW.text, PLAIN)]


def test_what_makes_others_look_useless_is_told_from_what_is_useless() -> None:
    for old, new, larger in ((40.0, 60.0, True), (40.0, 40.0, False), (40.0, 41.0, False)):
        made, told = footprints([old], [new])
        assert not made.is_larger(NEW, OLD)  # nothing was measured yet, and nothing is for this
        assert not told.made and made.saves(NEW, OLD) is None and made.is_larger(NEW, OLD) is larger


def test_who_wants_time_allows_more() -> None:
    made, _ = footprints([0.3], [12.3], allowance=32 * MB)
    assert made.needs_more(NEW) is None
    made, _ = footprints([0.3], [42.3], allowance=32 * MB)
    assert made.needs_more(NEW) == (0.3 * MB, 42.3 * MB)


def test_long_programs_and_those_that_do_not_end_are_not_measured() -> None:
    made, told = footprints([1.0], [2.0], took=500.0)
    assert made.needs_more(NEW) is None and not made.judges and not told.made
    assert program_line(made.costs(NEW)) == "not measured as a whole: a run of it takes 500 s, which is too long for more of them"
    made, told = footprints([1.0], [2.0], end=Ended(End.TIMEOUT, seconds=60.0))
    assert made.needs_more(NEW) is None and not made.judges and len(told.made) == 1
    assert program_line(made.costs(NEW)) == "not measured as a whole: the original under the meter was stopped after 60 s"
    assert len(told.made) == 1


def test_without_the_exact_meter_nothing_is_judged() -> None:
    told = Told({OLD.text: [1.0], NEW.text: [50.0]})
    made = Footprints(cast(Runs, told), OLD, 0.1, exact=False)
    assert made.needs_more(NEW) is None and not told.made
    assert program_line(made.costs(NEW)) == "resident +2.0 -> +100 MB, 100 -> 100 ms (no exact peak: another meter was asked for)"


def test_the_line() -> None:
    def cost(peak: float, resident: float, seconds: float) -> ProgramCost:
        peaks, pages, times = (Figure(value, value, value) for value in (peak * MB, resident * MB, seconds))
        return ProgramCost(peaks, pages, times)

    line = program_line(ProgramCosts(cost(48.1, 150, 3.1), cost(25.3, 120, 2.2)))
    assert line == "peak 48.1 -> 25.3 MB, resident +150 -> +120 MB, 3.1 -> 2.2 s"


def test_each_rewrite_that_is_to_blame_is_found(tmp_path: Path, processes: Processes) -> None:
    other = SMALL[SMALL.index("def ") :].replace("simulate", "again").replace("tanh", "sin").replace("result", "more")
    text = SMALL + "\n\n" + SCALED + "\n\n" + other
    outcome = verify(tmp_path / "p.py", text, processes, "compiled_loop", "diag_matmul")
    assert kept(outcome) == [("diag_matmul", 14)]
    costly = [one for one in outcome.result.refusals if "the program as a whole needs" in one.reason]
    assert [(one.rule, one.line) for one in costly] == [("compiled_loop", 5), ("compiled_loop", 22)]
    assert "linalg.diag" not in apply_edits(text, outcome.result.edits)


RETRACED = """\
import tensorflow as tf


@tf.function
def activate(x, k):
    return tf.tanh(x * k) + x


def train(steps):
    x = tf.ones([100, 100])
    total = 0.0
    for i in range(steps):
        total += float(tf.reduce_sum(activate(x, i / steps)))
    return total


train(1)
print(train(150))
"""


def test_what_saves_nothing_in_warm_calls_stays_where_the_program_needs_less(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", RETRACED, processes, "retraced_argument")
    assert kept(outcome) == [("retraced_argument", 13)]
    (one,) = outcome.result.rewrites
    assert one.verification is not None and " of the whole program " in one.verification.said
    before, after = peaks(program_of(outcome))
    assert after < before / 2


def test_without_trials_nothing_is_tried_in_the_whole_program(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", RETRACED, processes, "retraced_argument", setup=Setup(calls=2, trials=0))
    assert kept(outcome) == [], outcome.result.rewrites
    (refused,) = outcome.result.refusals
    assert refused.reason.startswith("measured ") and "--trials 2 makes more trials" in refused.remedy


FIT = """\
import keras
import numpy as np

keras.utils.set_random_seed(1)
x = np.random.randint(0, 256, (20000, 20, 20)).astype("uint8")
x = x / 255.0
y = np.arange(20000) % 4
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(4)])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, batch_size=500)
"""


def test_a_script_that_fits_and_tells_how_far_it_is(tmp_path: Path, processes: Processes) -> None:
    """Its progress bar says something else in each run, and its array ends with fewer digits."""
    outcome = verify(tmp_path / "p.py", FIT, processes, "scaled_images")
    assert outcome.failure is None and kept(outcome) == [("scaled_images", 6)], outcome.result.refusals
    before, after = peaks(program_of(outcome))
    assert after < before - 20 * MB


HANDED = """\
import keras
import numpy as np

keras.utils.set_random_seed(1)
x = np.random.randint(0, 256, (20000, 20, 20)).astype("uint8")
x = x / 255.0
y = np.arange(20000) % 4
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(4)])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, batch_size=500, verbose=0)
import matplotlib.pyplot as plt


def plot(i, images, labels):
    image, label = images[i], labels[i]
    plt.imshow(image)
    {more}


for i in range(3):
    plot(i, x, y)
"""
PYPLOT = "def imshow(image):\n    pass\ndef title(text):\n    print(text)\n"


@pytest.mark.parametrize(
    ("more", "made"),
    [
        ("plt.title(label)", [("scaled_images", 6)]),
        ("plt.title(image.dtype)", []),
        ("print(image.mean())", []),
        ("np.save('image.npy', image)", []),
        ("return image", []),
        ("plot.last = image", []),
    ],
)
def test_an_array_with_fewer_digits_is_handed_to_a_function_that_draws(
    tmp_path: Path, processes: Processes, more: str, made: list[tuple[str, int]]
) -> None:
    """What a function makes of its arguments is compared, and what files it writes the rule has looked at."""
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").touch()
    (tmp_path / "matplotlib" / "pyplot.py").write_text(PYPLOT)
    outcome = verify(tmp_path / "p.py", HANDED.format(more=more), processes, "scaled_images")
    assert outcome.failure is None and kept(outcome) == made, outcome.result.refusals


MAIN = """\
import os
import time

import numpy as np
import tensorflow as tf


def main():
    os.system("echo >> {path}")
    time.sleep(3.2)
    x = np.ones([2000, 2000], np.uint8)
    x = x.astype(np.float32) / 255.0
    print(x[0, 0], tf.float32.name)


if __name__ == "__main__":
    main()
"""


def test_a_function_that_takes_long_is_called_a_few_times(tmp_path: Path, processes: Processes) -> None:
    """A `main` is the whole program: each of its calls costs as much as a run."""
    outcome = verify(tmp_path / "p.py", MAIN.format(path=tmp_path / "calls"), processes, "scaled_images")
    assert outcome.failure is None and kept(outcome) == [("scaled_images", 12)], outcome.result.refusals
    assert len((tmp_path / "calls").read_text()) <= 28


STRETCHED = """\
import os
import time

import numpy as np

x = np.ones([1000, 1000])
y = x / 255.0
time.sleep(30)
os.system("touch {path}")
"""


def test_a_script_is_stopped_behind_the_last_stretch_that_is_measured(tmp_path: Path, processes: Processes) -> None:
    text = STRETCHED.format(path=str(tmp_path / "end"))
    file = tmp_path / "p.py"
    file.write_text(text)
    program = Program(text, str(file))
    with Runs(Request(program, program, str(file)), processes) as runs:
        found = runs.stretches(program, [(7, 7), (6, 6)])
    assert found.keys() == {0, 1} and all(7 * MB < peak < 9 * MB for _, peak in found.values())
    assert not (tmp_path / "end").exists()


DATASET_OF_A_FUNCTION = """\
import numpy as np
import tensorflow as tf


def prepared(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def loaded():
    images, labels = tf.ones([20000, 28, 28], tf.uint8).numpy(), np.arange(20000)
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.map(prepared)
    data = data.shuffle(20000, seed=3).batch(100)
    return data, tf.data.Dataset.from_tensor_slices((images[:100], labels[:100])).batch(10)


train, test = loaded()
for images, labels in train.take(3):
    print(labels.numpy().tolist(), float(tf.reduce_sum(images)))
"""


def test_a_function_that_gives_datasets_is_judged_by_their_elements(tmp_path: Path, processes: Processes) -> None:
    """Its array is a tensor's memory: what NumPy allocates is copied or not, as its address has it."""
    outcome = verify(tmp_path / "p.py", DATASET_OF_A_FUNCTION, processes, "shuffle_first")
    assert kept(outcome) == [("shuffle_first", 13)], outcome.result.refusals
    before, after = peaks(program_of(outcome))
    assert after < before - 20 * MB


@pytest.mark.parametrize(
    ("after", "controls", "verdict", "runs"),
    [
        ("step 1\nloss 3\n", ["step 1\nloss 2\n"], Verdict.EQUIVALENT, 1),
        ("step 1\nloss 3\n", ["step 1\nloss 1\n", "step 1\nloss 2\n"], Verdict.EQUIVALENT, 2),
        ("step 1\nloss 3\n", ["step 1\nloss 1\n", "step 1\nloss 1\n"], Verdict.DIFFERS, 2),
        ("step 2\nloss 3\n", ["step 1\nloss 1\n", "step 1\nloss 2\n"], Verdict.DIFFERS, 2),
        ("step 1\nloss 3\nend\n", ["step 1\nloss 1\n", "step 1\nloss 1\n"], Verdict.DIFFERS, 2),
        ("step 1\nloss 3\n", ["step 1\nloss 1\nagain\n"], Verdict.UNDECIDED, 1),
    ],
)
def test_lines_that_the_original_prints_otherwise_in_one_of_its_runs_tell_nothing(
    after: str, controls: list[str], verdict: Verdict, runs: int
) -> None:
    made: list[int] = []

    def control(number: int, *, digits: bool) -> SimpleNamespace:
        made.append(number)
        return SimpleNamespace(printed=controls[number - 1])

    versions = [SimpleNamespace(printed=text) for text in ("step 1\nloss 1\n", after)]
    case: Any = SimpleNamespace(versions=lambda digits: versions, control=control, rounds=False, trains=False)
    assert _unequal_text(case, "printed", digits=False).verdict is verdict
    assert made == list(range(1, runs + 1))
