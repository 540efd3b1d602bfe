"""Rewrites that are tried on the program itself: what holds and saves is kept, the rest is named and taken back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import gast
import jsonschema
import pytest
from conftest import ROOT, Run

from tfrewrite.catalogue import chosen
from tfrewrite.engine import Applied, Options, Refused, rewrite
from tfrewrite.facts import Facts
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Listed, Outcome, Purpose, Rewrite, Rule
from tfrewrite.process import Outcome as Handled
from tfrewrite.process import process
from tfrewrite.source import Source, apply_edits
from tfrewrite.verify.file_verification import Setup, _apart, verified
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request, Runs

SMALL = Setup(calls=2)
ALL = frozenset(Purpose)
"""What is compiled in programs as small as these costs them more than it saves: `test_whole_program.py` is about that."""


class Stages:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


def verify(path: Path, text: str, processes: Processes, *more: Rule | Listed, setup: Setup = SMALL, **options: Any) -> Handled:
    path.write_text(text)
    rules: tuple[Rule | Listed, ...] = (*chosen(["diag_matmul", "assign_add"], []), *more)

    def make(source: Source, options: Options) -> Any:
        return verified(source, options, setup, processes, Stages())

    return process(text.encode(), str(path), Options(rules, **options), make)


def kept(outcome: Handled) -> list[tuple[str, int]]:
    return [(one.rule, one.line) for one in outcome.result.rewrites]


def taken_back(outcome: Handled) -> dict[tuple[str, int], Refused]:
    return {(one.rule, one.line): one for one in outcome.result.refusals if one.verification is not None}


def said(one: Applied) -> str:
    assert one.verification is not None
    return one.verification.said


# Rules that are wrong on purpose, or useless


def replacing(name: str, old: str, new: str, fidelity: Fidelity = Fidelity.BITWISE, **claims: Any) -> Rule:
    """A rule that claims to know that one text may be written in the place of another."""

    def apply(node: Any, facts: Facts) -> Outcome:
        span = facts.source.span(node)
        if facts.source.text[span.start : span.end] != old:
            return None
        return Rewrite(node, (Edit(span.start, span.end, new),), "it is said to be the same", **claims)

    return Rule(name, (gast.Call, gast.Constant), fidelity, ("tensorflow",), apply, "A rule for tests.")


SILENT = replacing("silent", 'print("in wrong")', "None")
OTHER_AXIS = replacing("other_axis", "0", "1")
USELESS = replacing("useless", "tf.add(x, x)", "(x + x)")

WRONG = """\
import tensorflow as tf


def right(d, m):
    return tf.matmul(tf.linalg.diag(d), m)


def useless(x):
    return tf.add(x, x)


def wrong(d, m):
    print("in wrong")
    rows = tf.matmul(tf.linalg.diag(d), m)
    return tf.reduce_sum(rows, axis=0)


d, m = tf.range(300.0), tf.ones([300, 300])
right(d, m)
useless(m)
wrong(d, m)
"""


def test_wrong_and_useless_rewrites_are_named_and_taken_back_and_the_others_stay(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", WRONG, processes, SILENT, OTHER_AXIS, USELESS)
    assert kept(outcome) == [("diag_matmul", 5), ("diag_matmul", 14)]
    back = taken_back(outcome)
    assert set(back) == {("useless", 9), ("silent", 13), ("other_axis", 15)}
    assert "measured no gain: peak 0.3" in back["useless", 9].reason
    assert "printed output" in back["silent", 13].reason and "(in wrong before, " in back["silent", 13].reason
    assert "result" in back["other_axis", 15].reason and "another value" in back["other_axis", 15].reason
    assert [one.verification.verdict for one in back.values() if one.verification] == ["equivalent", "differs", "differs"]
    assert [one.code for one in back.values()] == ["verify-no-gain", "verify-differs", "verify-differs"]
    text = apply_edits(WRONG, outcome.result.edits)
    assert 'print("in wrong")' in text and "axis=0" in text and "tf.add(x, x)" in text and "tf.linalg.diag" not in text


def test_what_is_kept_says_how_it_was_verified_and_what_it_saves(tmp_path: Path, processes: Processes) -> None:
    text = """\
import tensorflow as tf

total = tf.Variable(tf.zeros([1000, 1000]))


def step(d):
    total.assign(total + d)


for _ in range(3):
    step(tf.ones([1000, 1000]))
scaled = tf.matmul(tf.linalg.diag(tf.ones([500])), tf.ones([500, 600]))
small = tf.matmul(tf.linalg.diag(tf.ones([5])), tf.ones([5, 6]))
"""
    outcome = verify(tmp_path / "p.py", text, processes)
    assert kept(outcome) == [("assign_add", 7), ("diag_matmul", 12)]
    step, scaled = outcome.result.rewrites
    assert said(step).startswith("verified in 2 calls: equal bit by bit, peak 4.0 -> ")
    assert said(scaled).startswith("verified in a run of the program: equal ") and "peak of line 12" in said(scaled)
    assert step.verification is not None and step.verification.peak_before == pytest.approx(4e6, rel=0.05)
    assert "measured no gain" in taken_back(outcome)["diag_matmul", 13].reason


def test_a_rewrite_of_two_statements_is_measured_from_the_first_to_the_last(tmp_path: Path, processes: Processes) -> None:
    text = """\
import numpy as np
import tensorflow as tf

rows = np.random.default_rng(0).random((8000, 1000)).astype("float32")
data = tf.data.Dataset.from_tensor_slices(rows)
data = data.shuffle(100).batch(50)
for batch in data.take(3):
    print(float(tf.reduce_sum(batch)))
"""
    outcome = verify(tmp_path / "p.py", text, processes, *chosen(["array_input"], []))
    assert kept(outcome) == [("array_input", 6)]
    (picked,) = outcome.result.rewrites
    assert "peak of lines 5 to 6" in said(picked)
    assert picked.verification is not None and picked.verification.peak_before is not None
    assert picked.verification.peak_before >= 32e6


def test_in_a_program_that_never_does_the_same_twice_the_proof_of_the_text_counts(tmp_path: Path, processes: Processes) -> None:
    text = """\
import os

import numpy as np
import tensorflow as tf

rows = np.random.default_rng(0).random((8000, 1000)).astype("float32")
data = tf.data.Dataset.from_tensor_slices(rows)
data = data.shuffle(100).batch(50)
first = next(iter(data))
for _ in range(int.from_bytes(os.urandom(4), "big") % 10000):
    print("a line")
scaled = tf.matmul(tf.linalg.diag(tf.ones([500])), tf.ones([500, 600]))
other = tf.add(scaled, scaled)
"""
    outcome = verify(tmp_path / "p.py", text, processes, *chosen(["array_input"], []), USELESS)
    assert kept(outcome) == [("array_input", 8)]
    assert "what the original prints is not the same from run to run" in taken_back(outcome)["diag_matmul", 12].reason
    (picked,) = outcome.result.rewrites
    assert "a second run of the original can't be shown to do the same there either, and the text alone proves it" in said(picked)


def test_stretches_that_have_a_statement_in_common_are_measured_apart() -> None:
    assert _apart([(4, 5), (0, 2), (2, 3), (4, 5)]) == [[(0, 2), (4, 5)], [(2, 3)]]


OBSERVED = """\
import tensorflow as tf


class Layer:
    def __init__(self, scale):
        self.scale = scale

    def call(self, m):
        return tf.matmul(tf.linalg.diag(self.scale), m)


sizes = {"rows": [200]}
layer = Layer(tf.ones(sizes["rows"]))
for _ in range(3):
    layer.call(tf.ones([200, 200]))
"""


def test_what_a_run_has_shown_is_used_with_verification_only(tmp_path: Path, processes: Processes) -> None:
    assert not rewrite(Source(OBSERVED), Options(chosen(["diag_matmul"], []))).rewrites
    (one,) = verify(tmp_path / "p.py", OBSERVED, processes).result.rewrites
    assert one.evidence is Evidence.OBSERVED
    assert str(one.observed).startswith("observed in 3 calls: ") and said(one).startswith("verified in 2 calls: ")


COMPILED = """\
import tensorflow as tf


@tf.function
def dense(x, w):
    return tf.tanh(tf.matmul(x, w)) * 2.0


@tf.function
def shares(queries, keys):
    products = tf.abs(tf.matmul(queries, keys, transpose_b=True))
    return products / (1.0 + tf.reduce_sum(products, -1, keepdims=True))


@tf.function
def undone(x):
    flat = tf.reshape(x, [-1])
    return tf.math.log(tf.exp(flat)) * tf.exp(-flat)


x = tf.ones([400, 400])
queries = tf.random.stateless_normal([8, 256, 64], [1, 2])
for _ in range(2):
    dense(x, x)
    shares(queries, queries)
    undone(tf.fill([10, 10], 1000.0))
"""


def test_xla_is_tried_where_the_text_does_not_say_what_it_holds(tmp_path: Path, processes: Processes) -> None:
    rules = chosen(["jit_compile"], [])
    assert not rewrite(Source(COMPILED), Options(rules, purposes=ALL)).rewrites
    outcome = verify(tmp_path / "p.py", COMPILED, processes, *rules, purposes=ALL)
    (one,) = outcome.result.rewrites
    assert (one.rule, one.line, one.evidence) == ("jit_compile", 5, Evidence.OBSERVED)
    back = taken_back(outcome)
    assert "measured a loss: peak 2.4 -> 4.3 MB" in back["jit_compile", 10].reason
    assert [one.line for one in outcome.result.refusals if one.verification is None] == [18]


@pytest.mark.smoke
def test_programs_that_cannot_be_run_are_failures(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", "import no_such_module_anywhere\n" + WRONG, processes)
    assert outcome.failure is not None and not outcome.result.edits
    assert (
        "not verified" in outcome.failure.message
        and "ModuleNotFoundError: No module named 'no_such_module_anywhere'" in outcome.failure.message
    )


def test_clocks_in_the_output_blame_nobody(tmp_path: Path, processes: Processes) -> None:
    text = (
        WRONG[: WRONG.index("def useless")] + "import time\n\nright(tf.ones([300]), tf.ones([300, 300]))\nprint(time.perf_counter_ns())\n"
    )
    assert kept(verify(tmp_path / "p.py", text, processes)) == [("diag_matmul", 5)]


def test_a_file_with_nothing_to_rewrite_is_never_run(tmp_path: Path, processes: Processes) -> None:
    mark = tmp_path / "mark"
    outcome = verify(tmp_path / "p.py", f"import tensorflow\nopen({str(mark)!r}, 'w')\n", processes)
    assert outcome == Handled(str(tmp_path / "p.py")) and not mark.exists()


def test_what_an_endless_program_has_shown_is_kept(tmp_path: Path, processes: Processes) -> None:
    path = tmp_path / "p.py"
    program = Program(OBSERVED.replace("for _ in range(3)", "while True"), str(path))
    with Runs(Request(program, program, str(path), record_seconds=8.0), processes) as runs:
        seen = runs.observe(program)
    assert seen.ended is None and seen.observations is not None
    result = rewrite(Source(program.text, str(path)), Options(chosen(["diag_matmul"], []), observations=seen.observations))
    assert [one.evidence for one in result.rewrites] == [Evidence.OBSERVED]


@pytest.mark.smoke
def test_a_chosen_part_of_the_rewrites_is_made(tmp_path: Path) -> None:
    rules = (SILENT, OTHER_AXIS, USELESS)
    whole = rewrite(Source(WRONG), Options(rules))
    for one in whole.rewrites:
        alone = rewrite(Source(WRONG), Options(rules, wanted=lambda other, one=one: other == one))  # type: ignore[misc]
        assert alone.rewrites == (one,) and apply_edits(WRONG, alone.edits) != WRONG
    assert rewrite(Source(WRONG), Options(rules, wanted=lambda one: False)).edits == ()


SWING = """\
import tensorflow as tf


def swing(angle, speed):
    angles = []
    for _ in range(100):
        speed = tf.tanh(speed - 0.01 * tf.tanh(angle))
        angle = tf.tanh(angle + 0.01 * speed)
        angles.append(angle)
    return tf.stack(angles)


print(float(tf.reduce_sum(swing(tf.constant(0.5), tf.constant(0.0)))))
"""


def test_no_gradient_is_asked_for_where_a_rule_has_proved_that_nobody_can(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", SWING, processes, *chosen(["numpy_loop"], []))
    assert kept(outcome) == [("numpy_loop", 6)]
    (one,) = outcome.result.rewrites
    assert said(one).startswith("verified in 1 call: equal to rounding, peak ")
    assert said(one).endswith("; gradients not compared: nobody can ask for one (numpy_loop)")


ROWS = """\
import tensorflow as tf


def rows(x):
    found = []
    for _ in range(60):
        x = tf.tanh(x * 0.5 + 1.0)
        found.append(x)
    return tf.stack(found)


print(float(tf.reduce_sum(rows(tf.fill([1000], 0.5)))))
"""


@pytest.mark.parametrize(("text", "better", "worse"), [(SWING, "numpy_loop", "compiled_loop"), (ROWS, "compiled_loop", "numpy_loop")])
def test_of_two_rules_for_one_loop_the_one_that_needs_less_is_kept(
    tmp_path: Path, processes: Processes, text: str, better: str, worse: str
) -> None:
    rules = chosen(["numpy_loop", "compiled_loop"], [])
    (static,) = rewrite(Source(text), Options(rules, fidelity=Fidelity.TOLERANCE, purposes=ALL)).rewrites
    assert static.rule == "numpy_loop"
    outcome = verify(tmp_path / "p.py", text, processes, *rules, purposes=ALL)
    assert kept(outcome) == [(better, 6)]
    reason = taken_back(outcome)[worse, 6].reason
    assert reason.startswith(f"{better} takes its place, and needs less: peak of ")


OUT_OF_REACH = replacing("out_of_reach", "tf.square(x)", "tf.constant(x.numpy() ** 2)", gradients=False)
DIFFERENTIATED = """\
import tensorflow as tf


def loss(x):
    return tf.reduce_sum(tf.square(x))


def norm(x):
    return tf.reduce_max(tf.square(x))


def other(x):
    return tf.reduce_min(tf.square(x))


for _ in range(200):
    loss(tf.ones([3]))
x = tf.Variable(tf.ones([3]))
with tf.GradientTape() as tape:
    y = loss(x.read_value())
norm(tf.ones([3]))
tape.gradient(y, x)
"""


def test_what_the_run_differentiates_is_compared_whatever_a_rule_says(tmp_path: Path, processes: Processes) -> None:
    back = taken_back(verify(tmp_path / "p.py", DIFFERENTIATED, processes, OUT_OF_REACH))
    assert set(back) == {("out_of_reach", 5), ("out_of_reach", 9), ("out_of_reach", 13)}
    # Of all calls only the last, which no one records, is under a tape.
    assert "gradient of x" in back["out_of_reach", 5].reason
    assert "equal" in back["out_of_reach", 9].reason and "gradient" not in back["out_of_reach", 9].reason


CALLING = """\
import tensorflow as tf


def inner(x):
    return tf.square(x)


def outer(d, m):
    return inner(tf.matmul(tf.linalg.diag(d), m))


for _ in range(2):
    outer(tf.ones([300]), tf.ones([300, 300]))
"""


def test_who_calls_what_cannot_be_differentiated_is_not_to_blame(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", CALLING, processes, OUT_OF_REACH)
    assert kept(outcome) == [("diag_matmul", 9)]
    assert taken_back(outcome)["out_of_reach", 5].reason.startswith("measured a loss: peak ")


COUNTING = """\
import tensorflow as tf

state = {"calls": 0}
seen = 0


class Model(tf.Module):
    def __init__(self):
        self.steps = 0
        self.w = tf.Variable(tf.ones([3]))

    @tf.function
    def __call__(self, x):
        self.steps += 1
        return tf.reduce_sum(x * self.w) / 3.0 + self.steps


@tf.function
def step(x):
    state["calls"] += 1
    return x + state["calls"]


@tf.function
def counted(x):
    global seen
    seen += 1
    return seen


model = Model()
for i in range(3):
    print(step(tf.constant(1.0)).numpy(), int(counted(tf.constant(1.0))), model(tf.constant([0.1, 0.2, 0.3])).numpy())
print(model.steps, state["calls"])
"""


def test_graphs_are_made_to_count_where_eager_mode_does_the_same(tmp_path: Path, processes: Processes) -> None:
    rules = chosen(["python_state"], [])
    outcome = verify(tmp_path / "p.py", COUNTING, processes, *rules)
    assert kept(outcome) == [("python_state", 14), ("python_state", 20), ("python_state", 27)]
    assert all(said(one).startswith("verified against what eager mode does in ") for one in outcome.result.rewrites)
    tracing = COUNTING.replace('    state["calls"] += 1', '    print("tracing", x)\n    state["calls"] += 1')
    back = taken_back(verify(tmp_path / "p.py", tracing, processes, *rules))
    assert [rule for rule, _ in back] == ["python_state"] * 3 and all(one.reported for one in back.values())
    assert "would not do what it does eagerly: printed output" in back["python_state", 21].reason


def test_what_is_meant_to_do_something_else_has_to_do_what_eager_mode_does(tmp_path: Path, processes: Processes) -> None:
    text = (
        COUNTING[: COUNTING.index("class")]
        + COUNTING[COUNTING.index("@tf.function\ndef step") : COUNTING.index("@tf.function\ndef counted")]
    )
    text += "for _ in range(3):\n    step(tf.constant(1.0))\n"
    wrong = replacing("wrong", '"calls"', '"called"', Fidelity.BEHAVIOUR)
    outcome = verify(tmp_path / "p.py", text, processes, wrong)
    assert not outcome.result.edits and {rule for rule, _ in taken_back(outcome)} == {"wrong"}


# On the command line


TESTED = WRONG[: WRONG.index("def useless")].rstrip() + "\n"
SUITE = """\
import tensorflow as tf
from net import right


def test_right():
    assert right(tf.ones([200]), tf.ones([200, 200])).shape == [200, 200]
"""


ALONE = """\
import tensorflow as tf


def unseen(model):
    return model.layers[3](tf.matmul(tf.linalg.diag(tf.ones([300])), tf.ones([300, 300])), model.weights["w"])


scaled = tf.matmul(tf.linalg.diag(tf.ones([500])), tf.ones([500, 600]))
"""


def test_the_command_line_shows_and_tells(tmp_path: Path, run: Run) -> None:
    program = tmp_path / "p.py"
    program.write_text(ALONE)
    shown = run("p.py", "--verify", "--format", "json")
    assert shown.returncode == 0 and program.read_text() == ALONE
    found = json.loads(shown.stdout)
    jsonschema.validate(found, json.loads((ROOT / "tfrewrite/report/schema.json").read_text()))
    (file,) = found["files"]
    (rewrite,) = file["rewrites"]
    assert rewrite["line"] == 8 and rewrite["verification"]["peak_after"] < rewrite["verification"]["peak_before"]
    assert "(verified in a run of the program: equal" in file["diff"]
    (refusal,) = file["refusals"]
    assert refusal["verification"]["verdict"] == "undecided" and "--run" in refusal["remedy"]
    assert b"p.py:5:28: taken back: diag_matmul: could not be verified: " in shown.stderr
    assert b"verified; 1 rewrite tried and taken back" in shown.stderr


def test_where_there_is_nothing_to_try_the_profile_is_named(tmp_path: Path, run: Run) -> None:
    (tmp_path / "p.py").write_text("import tensorflow as tf\n\nprint(tf.ones([3]))\n")
    done = run("p.py", "--verify")
    assert done.returncode == 0 and done.stdout == b""
    assert done.stderr == b"nothing to rewrite in 1 file; `tfrewrite profile FILE` shows which lines hold the most memory\n"


def test_a_command_is_what_runs_the_file(tmp_path: Path, run: Run) -> None:
    (tmp_path / "net.py").write_text(TESTED)
    (tmp_path / "test_net.py").write_text(SUITE)
    done = run("net.py", "--verify", "--run", f"{sys.executable} -m pytest -q test_net.py", "--inplace", "--calls", "2")
    assert done.returncode == 0, done.stderr.decode()
    assert "tf.linalg.diag" not in (tmp_path / "net.py").read_text()


def test_a_command_that_gives_arguments_to_the_file_is_the_program_as_a_whole(tmp_path: Path, run: Run) -> None:
    text = "import sys\n" + ALONE + "\nassert sys.argv[1:] == ['--size', 'two words'] and __name__ == '__main__'\n"
    (tmp_path / "p.py").write_text(text)
    done = run("p.py", "--verify", "--run", f"{sys.executable} p.py --size 'two words'", "--inplace")
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "p.py").read_text() != text
    assert b"p.py: the program: peak " in done.stderr, done.stderr.decode()


def test_a_command_that_never_meets_the_file_verifies_nothing(tmp_path: Path, run: Run) -> None:
    (tmp_path / "p.py").write_text(ALONE)
    done = run("p.py", "--verify", "--run", f"{sys.executable} -c pass")
    assert done.returncode == 2 and b"never imported or executed" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-", "--verify"], b"standard input is not one"),
        (["p.py", "--calls", "3"], b"--calls says how to run the program: that goes with --verify"),
        (["p.py", "--verify", "--run", ""], b"the command is empty"),
        (["p.py", "--verify", "--run", "no-such-command-anywhere"], b"there is no command no-such-command-anywhere"),
    ],
)
def test_what_cannot_be_meant_is_told(run: Run, arguments: list[str], message: bytes) -> None:
    done = run(*arguments)
    assert done.returncode == 2 and message in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("last", "message", "seconds"),
    [
        ("os.abort()", b"can't be run to its end: killed by SIGABRT", "600"),
        ("while True: pass", b"doesn't come to its end: it was stopped after ", "4"),
        ("raise SystemError('broken')", b"raises SystemError: broken", "600"),
    ],
)
def test_nothing_to_rewrite_is_said_of_programs_that_came_to_their_end_alone(
    tmp_path: Path, run: Run, last: str, message: bytes, seconds: str
) -> None:
    text = f"import os\nimport tensorflow as tf\n\n\ndef f(a):\n    return tf.matmul(a, a)\n\n\nf(tf.ones([3, 3]))\n{last}\n"
    (tmp_path / "p.py").write_text(text)
    done = run("p.py", "--verify", "--timeout", seconds)
    assert done.returncode == 2 and b"p.py: error: not verified: the original " + message in done.stderr


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        ("open('missing.npz')", b'missing.npz\' (start it where its files are; arguments are given by --run "python FILE ARGUMENTS")'),
        (
            "input('epochs? ')",
            b"EOFError: EOF when reading a line (if it asks for input, give it by --run, such as --run \"sh -c 'echo 3 |",
        ),
        (
            "import no_such_package",
            b"No module named 'no_such_package' (install what it imports beside tfrewrite, or put it on PYTHONPATH)",
        ),
        ("raise ValueError('x')", b"ValueError: x (without --verify, it is rewritten by what its text alone proves)"),
        (
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data', required=True)\np.parse_args()",
            b"the original ends with exit code 2 before it gets there. If it wants arguments, give them: --run",
        ),
    ],
)
def test_what_to_do_about_an_original_that_does_not_get_far_is_said(tmp_path: Path, run: Run, first: str, sentence: bytes) -> None:
    text = f"{first}\nimport numpy as np\nx = np.ones([2000, 2000], 'uint8')\nx = x.astype('float32') / 255.0\nimport tensorflow as tf\n"
    (tmp_path / "p.py").write_text(text + "print(tf.reduce_sum(x))\n")
    done = run("p.py", "--verify")
    assert sentence in done.stderr, done.stderr.decode()


def test_what_stands_behind_an_exception_is_said_to_be_unseen(tmp_path: Path, run: Run) -> None:
    text = "def scaled(x):\n    x = x.astype('float32') / 255.0\n    return x\n\n\nprint(scaled(np.ones([2000, 2000], 'uint8'))[0])\n"
    (tmp_path / "p.py").write_text(f"import numpy as np\nimport tensorflow as tf\n\n\n{text}raise ValueError('no such layer')\n")
    done = run("p.py", "--verify", "--inplace")
    assert done.returncode == 0 and b"1 rewrite (scaled_images 1), verified" in done.stderr, done.stderr.decode()
    assert b"the original ends with ValueError: no such layer: what stands behind that was neither run nor compared" in done.stderr


def test_a_file_that_cannot_be_verified_is_an_error(tmp_path: Path, run: Run) -> None:
    (tmp_path / "p.py").write_text("raise SystemError('broken')\n" + WRONG)
    done = run("p.py", "--verify", "--inplace")
    assert done.returncode == 2 and b"p.py: error: not verified: the original raises SystemError: broken" in done.stderr
    assert (tmp_path / "p.py").read_text().endswith(WRONG)


def test_a_program_that_ends_is_run_to_its_end_however_long_its_functions_are_not_called(
    tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfrewrite.verify.runs._GRACE", 0.5)
    text = (
        "import time\nimport tensorflow as tf\n\n\ndef scaled(x):\n    return tf.matmul(x, tf.linalg.diag(tf.range(300.0)))\n\n\n"
        "for _ in range(20):\n    y = scaled(tf.ones([9, 300]))\nz = tf.matmul(y, tf.linalg.diag(tf.range(300.0)))\ntime.sleep(4)\n"
    )
    assert kept(verify(tmp_path / "p.py", text, processes)) == [("diag_matmul", 6), ("diag_matmul", 11)]
