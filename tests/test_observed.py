"""Programs that are observed while they run: they must not notice, and what was seen must lead to rewrites."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import linecache
import math
import random
import traceback
import weakref
from typing import Any
from unittest import mock

import gast
import pytest
from programs import Case, Run, cases, differences, telling

from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, Result, rewrite
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.observed import LoopCounts, Observations, Observed, Ran, Seen, joined, together
from tfrewrite.facts.observed_facts import observed_facts
from tfrewrite.kinds import Kind, contradicts, refined
from tfrewrite.outcomes import Edit, Evidence, Fidelity
from tfrewrite.process import Outcome
from tfrewrite.report.diff import unified
from tfrewrite.report.json import Json
from tfrewrite.runner import _result as remembered
from tfrewrite.source import Source, Span, apply_edits
from tfrewrite.verify.agent import observer as observe_module
from tfrewrite.verify.agent.observer import Observer

IMPORT = "import tensorflow as tf\n"


def observe(text: str) -> tuple[Observations, dict[str, Any]]:
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": "observed.py"}
    with Observer(text, "observed.py") as observer:
        exec(observer.code, namespace)
    return observer.observations(namespace), namespace


def rewritten(text: str, observations: Observations | None = None) -> tuple[str, Result]:
    result = rewrite(Source(text, "observed.py"), Options(rules(), observations=observations))
    return apply_edits(text, result.edits), result


def seen_at(observations: Observations, text: str, part: str) -> Seen:
    """What was seen of the last expression with that text."""
    source = Source(text)
    found = [
        seen
        for (line, column, end_line, end_column, _), seen in observations.expressions.items()
        if text[source.offset(line, column) : source.offset(end_line, end_column)] == part
    ]
    return found[-1]


# The program must not notice

ODD = '''
"""A docstring."""
from __future__ import annotations

import inspect

order = []


def note(value):
    order.append(value)
    return value


class Base:
    kind: str = "base"

    def name(self):
        return "base"

    @property
    def loud(self):
        order.append("read")
        return self


class Point(Base):
    def __init__(self, x, y=note(2)):
        self.x, self.y = x, y

    def name(self):
        """Only zero-argument super."""
        return super().name() + __class__.__name__ + self.__hidden()

    def __hidden(self):
        return "!"


def only_doc():
    """Nothing else."""


def closure():
    total = 0

    def add(n):
        nonlocal total
        total += n
        return total

    return add


def generator(n):
    got = yield n
    while got is not None:
        got = yield from [got, note("inner")]
        got = None
    return (yield "last")


async def coroutine(x):
    async def inner():
        return x * 2

    return await inner()


def chosen(value):
    match value:
        case Point(x=0, y=note) if note > 1:
            return "zero", note
        case [first, *rest] | (first, rest):
            return first, rest
        case {"a": one, **others}:
            return one, others
        case str() as text:
            return text.upper()
    return None


def walrus(values):
    return [last := value for value in values if (half := value // 2) or half == 0], last, half


def kept(*positional, key=note("default"), **named):
    del named[note("gone")]
    return positional, key, named


def short(a, b):
    return (note(a) and note(b)) or (note(3) if a else note(4)) or 1 < note(5) < note(2) < note(9)


def frames():
    here = [value for value in sorted(locals())]
    return here, inspect.currentframe().f_code.co_name


def updated():
    table = {"n": [1, 2, 3]}
    table["n"][note(0)] += note(10)
    (a, *b), table["n"][1] = (1, 2, 3), note(20)
    for table["i"] in range(2):
        note(table["i"])
    else:
        note("else")
    with open(__file__) as table["f"]:
        pass
    table["f"] = table["f"].closed
    x: int = note(30)
    y: note("never")
    assert x, note("never")
    del table["n"][note(2)]
    return a, b, table, x, f"{note(table['i']):>{note(5)}} {x!r:<4}"


point = Point(1)
add = closure()
steps = generator(5)
answers = [next(steps), steps.send("x"), next(steps), next(steps)]
waiting = coroutine(4)
try:
    waiting.send(None)
except StopIteration as stop:
    answers.append(stop.value)
answers += [chosen(one) for one in (Point(0, 3), [1, 2, 3], {"a": 1, "b": 2}, "text", 5)]
answers += [walrus([0, 1, 5]), kept(1, 2, gone=3, left=4), short(0, 1), short(2, 0), frames(), updated(), add(1), add(2)]
answers += [point.loud.name(), only_doc(), (lambda x, *y, z=3: (x, y, z))(1, 2), [*map(lambda v: v + 1, [1, 2])]]
answers += [inspect.getsource(short), closure.__doc__, Point.name.__doc__, __doc__]
print(answers, order)
'''


def test_odd_programs_do_what_they_did(tmp_path: Any) -> None:
    path = tmp_path / "odd.py"
    path.write_text(ODD)
    printed = []
    for observed in (False, True):
        namespace: dict[str, Any] = {"__name__": "odd", "__file__": str(path)}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            if observed:
                with Observer(ODD, str(path)) as observer:
                    exec(observer.code, namespace)
            else:
                exec(compile(ODD, str(path), "exec", dont_inherit=True), namespace)
        printed.append(out.getvalue())
    assert printed[0] == printed[1] and "default" in printed[0]


def executed(case: Case, observed: bool) -> Run:
    """A program of the corpus with all functions run eagerly."""
    import numpy as np
    import tensorflow as tf

    tf.keras.utils.set_random_seed(7)
    random.seed(7)
    np.random.seed(7)
    path = str(case.path)
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": path}
    run, out = Run(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.ExitStack() as stack:
        if observed:
            # Programs that count their traces show whether they run as graphs: here they don't, however often they are called.
            stack.enter_context(mock.patch.multiple(observe_module, _EAGER_CALLS=math.inf, _MOST_EAGER_CALLS=math.inf))
            code = stack.enter_context(Observer(case.text, path)).code
        else:
            code = compile(case.text, path, "exec", dont_inherit=True)
            stack.callback(tf.config.run_functions_eagerly, False)
            tf.config.run_functions_eagerly(True)
        try:
            exec(code, namespace)
        except Exception as error:
            run.raised = error
    run.printed = out.getvalue()
    kept = (tf.Tensor, tf.Variable, np.ndarray, int, float, str, list, tuple, dict)
    run.values = {name: value for name, value in namespace.items() if not name.startswith("__") and isinstance(value, kept)}
    return run


# Whole programs take their time, and what is in them is in the rules' cases too: in those that hold something new.
SMALL = [case for case in cases() if not case.name.startswith("programs/")]
TELLING = {case.name for case in telling(SMALL)}
OBSERVED = [pytest.param(case, marks=[] if case.name in TELLING else [pytest.mark.fuzz]) for case in cases()]


@pytest.mark.parametrize("case", OBSERVED, ids=lambda case: case.name)
def test_programs_of_the_corpus_do_what_they_did(case: Case) -> None:
    assert differences(executed(case, False), executed(case, True), Fidelity.BITWISE) == []


def test_tracebacks_show_the_program() -> None:
    text = "def f(x):\n    y = [x]\n    return (y[0] +\n            y.missing(x))\n\nf(1)\n"
    shown = []
    for observed in (False, True):
        linecache.cache["shown.py"] = (len(text), None, text.splitlines(True), "shown.py")
        try:
            if observed:
                with Observer(text, "shown.py") as observer:
                    exec(observer.code, {})
            else:
                exec(compile(text, "shown.py", "exec"), {})
        except AttributeError as error:
            shown.append([(one.lineno, one.line, one.name) for one in traceback.extract_tb(error.__traceback__)[1:]])
    assert shown[0] == shown[1] and len(shown[0]) == 2


def test_nothing_is_kept_alive_and_nothing_unknown_is_touched() -> None:
    text = """
class Thing:
    def __getattr__(self, name):
        raise RuntimeError(name)
    def __eq__(self, other):
        raise RuntimeError("compared")
    __hash__ = None
    def __bool__(self):
        raise RuntimeError("asked")

def use(thing, many):
    return thing, many

for _ in range(3):
    use(Thing(), [Thing()])
thing = use(Thing(), {})[0]
"""
    namespace: dict[str, Any] = {"__name__": "things"}
    with Observer(text, "things.py") as observer:
        exec(observer.code, namespace)
        kept = weakref.ref(namespace.pop("thing"))
        gc.collect()
        assert kept() is None
    assert seen_at(observer.observations(), text, "Thing()").sort == "other"


# What is seen


@pytest.mark.smoke
def test_kinds_counts_and_surroundings() -> None:
    text = (
        IMPORT
        + """
w = tf.Variable(tf.zeros([3]), trainable=False)

@tf.function
def graph(x):
    return helper(x) + w

@tf.function(jit_compile=True)
def fast(x):
    return x + 1

def helper(x):
    return x * 2.0

def eager(x, n, flag=None):
    mul = tf.linalg.matmul
    return mul(x, x) if n else (x, [n], flag)

def loop(n):
    for i in range(n):
        if i == 2:
            break
    k = n
    while k > 0:
        k -= 1

for size in (2, 3):
    eager(tf.ones([size, size]), size)
with tf.GradientTape() as tape:
    helper(tf.ones([3]))
graph(tf.ones([3]))
fast(tf.ones([3]))
eager(tf.ones([2, 2]), 0)
loop(0)
loop(5)
"""
    )
    observations, _ = observe(text)
    x = seen_at(observations, text, "mul(x, x)")
    assert (x.sort, x.dtype, x.shape, x.count, x.finite) == ("tensor", "float32", (None, None), 2, True)
    assert seen_at(observations, text, "mul").name == "tensorflow.matmul"
    assert seen_at(observations, text, "w") == Seen("variable", "float32", (3,), trainable=False, graph=True)
    assert seen_at(observations, text, "flag").sort == "none"
    ran = {text.splitlines()[place[0] - 1].split("(")[0].split()[-1]: ran for place, ran in observations.functions.items()}
    assert ran["graph"] == Ran(calls=1, graph=1)
    assert ran["fast"] == Ran(calls=1, graph=1, compiled=1)
    assert ran["helper"] == Ran(calls=2, eager=1, graph=1)
    assert ran["eager"] == Ran(calls=3, eager=3, untaped=3)
    assert list(observations.loops.values()) == [LoopCounts(2, 0, 3, 3), LoopCounts(2, 0, 5, 5), LoopCounts(1, 2, 2, 2)]
    assert Observations.from_data(json.loads(json.dumps(observations.to_data()))) == observations


EFFECTS = {
    "def g(x):\n    return tf.square(x) * 2.0": "",
    "def h(x):\n    return tf.nn.relu(x)\n\ndef g(x, *more, scale=3):\n    y = h(x)\n    return y * scale": "",
    "def g(x):\n    return x + tf.random.normal([3, 3])": "draws random numbers",
    "w = tf.Variable(tf.zeros([3, 3]))\ndef g(x):\n    w.assign(x)\n    return x": "assigns to a variable",
    "w = tf.Variable(tf.zeros([3, 3]))\ndef g(x):\n    return x + w": "reads a variable",
    "def g(x):\n    tf.print(x)\n    return x": "prints",
    "def g(x):\n    return tf.py_function(lambda y: y, [x], tf.float32)": "calls back into Python",
    "def g(x):\n    tf.debugging.assert_less(x, 9.0)\n    return x": "may fail an assertion",
    "@tf.function\ndef h(x):\n    return x + tf.random.normal([3, 3])\n\ndef g(x):\n    return h(x) * 2.0": "draws random numbers",
    "calls = []\ndef g(x):\n    calls.append(1)\n    return x": "calls append",
    "import random\ndef g(x):\n    return x * random.random()": "calls random",
    "def g(x):\n    print('here')\n    return x": "calls print",
    "count = 0\ndef g(x):\n    global count\n    count += 1\n    return x": "g changes more than its own names",
}


@pytest.mark.parametrize("function", EFFECTS)
@pytest.mark.smoke
def test_what_callees_do(function: str) -> None:
    text = f"{IMPORT}{function}\n\nx = tf.ones([3, 3])\ng(x)\ng(x)\n"
    observations, _ = observe(text)
    effects = observations.effects["__main__.g"]
    assert (effects.pure, effects.reason) == (not EFFECTS[function], EFFECTS[function])


def test_functions_that_can_not_be_traced_are_unknown() -> None:
    text = (
        IMPORT
        + "def g(x):\n    return float(x)\n\ndef f():\n    def h(x):\n        return x\n    return h(tf.ones([]))\ng(tf.ones([]))\nf()\n"
    )
    observations, _ = observe(text)
    assert list(observations.effects) == ["__main__.f"]


def test_functions_of_libraries_are_watched_too() -> None:
    text = IMPORT + "import textwrap\ntextwrap.dedent('a')\n"
    observations, _ = observe(text)
    assert not observations.effects["textwrap.dedent"].pure


def test_what_compiled_functions_get_is_a_tensor() -> None:
    import numpy as np

    text = IMPORT + "@tf.function\ndef f(x):\n    y = x\n    return y\n\ndef g(x):\n    return x\nf(array)\ng(array)\n"
    with Observer(text, "observed.py") as observer:
        exec(observer.code, {"array": np.ones([3])})
    source = Source(text, "observed.py")
    facts = observed_facts(Facts(source), Observed.of(observer.observations(), source))
    returned = [node.value for node in gast.walk(source.tree) if isinstance(node, gast.Return)]
    assert [facts.kind(node).sort for node in returned] == [Sort.TENSOR, Sort.ARRAY]
    assert [facts.mode(node) for node in returned] == [Mode.GRAPH, Mode.EAGER]


# What follows

CLASS = """
class Layer(tf.Module):
    def __init__(self, units):
        self.units = units
        self.total = None

    def __call__(self, q, k):
        if self.total is None:
            self.total = tf.Variable(tf.zeros([len(q), len(k)]))
        scores = tf.matmul(q, tf.transpose(k))
        self.total.assign(self.total + scores)
        return scores


layer = Layer(4)
for _ in range(2):
    layer(tf.ones([30, 20]), tf.ones([50, 20]))
"""
CLASS_AFTER = CLASS.replace("tf.matmul(q, tf.transpose(k))", "tf.matmul(q, k, transpose_b=True)").replace(
    "assign(self.total + scores)", "assign_add(scores)"
)
MATMUL = "def f(x, y):\n    return x @ tf.transpose(y)\n"
ONE_HOT = "def f(ids, table):\n    return tf.matmul(tf.one_hot(ids, 50), table)\n"
DIAGONAL = "def f(d, m):\n    return tf.matmul(tf.linalg.diag(d), m)\n"
REPEATED = "def f(x, n):\n    return tf.reduce_sum(tf.repeat(x, n))\n"
PASSED = "def f(m, n):\n    return m(n, tf.transpose(n))\n"
PAIRS = [
    (
        MATMUL,
        ["tf.ones([30, 5]), tf.ones([50, 5])", "tf.ones([20, 5]), tf.ones([60, 5])"],
        "    return tf.matmul(x, y, transpose_b=True)\n",
    ),
    (MATMUL, ["tf.ones([30, 5]), tf.ones([50, 5])", "tf.ones([9, 3, 4]), tf.ones([5, 4, 9])"], None),
    (MATMUL, ["tf.ones([30, 5]), tf.ones([50, 5]).numpy()"], "    return tf.matmul(x, y, transpose_b=True)\n"),
    (PASSED, ["tf.matmul, tf.ones([30, 5])"], "    return m(n, n, transpose_b=True)\n"),
    (PASSED, ["tf.matmul, tf.ones([30, 5])", "lambda x, y: x, tf.ones([30, 5])"], None),
    (ONE_HOT, ["tf.constant([3, 49]), tf.ones([50, 8])"], "    return tf.gather(table, ids)\n"),
    (ONE_HOT, ["tf.constant([3, 50]), tf.ones([50, 8])"], None),
    (ONE_HOT, ["tf.constant([3, 49]), tf.Variable(tf.ones([50, 8]))"], None),
    (DIAGONAL, ["tf.ones([40]), tf.ones([40, 8])"], "    return tf.expand_dims(d, -1) * m\n"),
    (DIAGONAL, ["tf.ones([40]), tf.ones([40, 8]) / 0.0"], None),
    (REPEATED, ["tf.ones([9], tf.int32), 50"], "    return tf.reduce_sum(x) * n\n"),
    (REPEATED, ["tf.ones([9], tf.int32), 50", "tf.ones([9], tf.int32), 60"], None),
]


def called(function: str, calls: list[str]) -> str:
    """A script that others may import, so that its calls prove nothing."""
    return f"{IMPORT}{function}\nif __name__ == '__main__':\n" + "".join(f"    f({call})\n" for call in calls)


@pytest.mark.parametrize(("function", "calls", "body"), PAIRS)
def test_what_was_seen_makes_rewrites(function: str, calls: list[str], body: str | None) -> None:
    text = called(function, calls)
    plain, _ = rewritten(text)
    assert plain == text
    observations, _ = observe(text)
    found, result = rewritten(text, observations)
    assert found == (text if body is None else called(f"{function.partition(chr(10))[0]}\n{body}", calls))
    assert all(one.evidence is Evidence.OBSERVED and str(one.observed).startswith("observed in ") for one in result.rewrites)


def test_methods_and_attributes_are_seen() -> None:
    text = IMPORT + CLASS
    assert rewritten(text)[0] == text
    assert rewritten(text, observe(text)[0])[0] == IMPORT + CLASS_AFTER


MOVED = """
def {name}(x):
    {before}return tf.square(x)


def f(x, y):
    t = tf.transpose(half(y))
    return tf.matmul(x, t)

f(tf.ones([30, 20]), tf.ones([50, 20]))
"""


def test_calls_without_effects_can_be_moved() -> None:
    text = IMPORT + MOVED.format(name="half", before="")
    assert rewritten(text)[0] == text
    found, result = rewritten(text, observe(text)[0])
    assert "    return tf.matmul(x, half(y), transpose_b=True)" in found
    assert "half has no effects" in str(result.rewrites[0].observed)
    printing = IMPORT + MOVED.format(name="half", before="print(end='')\n    ")
    assert rewritten(printing, observe(printing)[0])[0] == printing


def test_what_was_never_run_is_left_alone() -> None:
    function = "def f(x, again):\n    if again:\n        return tf.matmul(x, tf.transpose(x))\n    return x\n"
    ran, never = called(function, ["tf.ones([30, 5]), True"]), called(function, ["tf.ones([30, 5]), False"])
    assert "transpose_b=True" in rewritten(ran, observe(ran)[0])[0]
    assert rewritten(never, observe(never)[0])[0] == never


def test_a_rewrite_says_what_it_rests_on() -> None:
    observations, _ = observe(IMPORT + CLASS)
    _, result = rewritten(IMPORT + CLASS, observations)
    said = [str(one.observed) for one in result.rewrites]
    assert said[0].startswith("observed in 2 calls: k is a float32 tensor of shape [50, 20]")
    assert "self.total is a float32 tf.Variable of shape [30, 50]" in said[1]
    outcome = Outcome("observed.py", result)
    shown = json.loads(Json().entry(outcome, None))["rewrites"]
    assert [one["evidence"] for one in shown] == ["observed"] * len(said) and [one["observed"] for one in shown] == said
    after = apply_edits(IMPORT + CLASS, result.edits)
    heads = [line for line in unified("observed.py", (IMPORT + CLASS).encode(), after.encode(), IMPORT + CLASS, result) if b"@@" in line]
    assert b"no copy is made (observed in 2 calls)" in heads[0]
    stored = [[list(vars(one).values()) for one in many] for many in (result.edits, result.rewrites, result.refusals)]
    assert remembered(*json.loads(json.dumps(stored))) == result


def test_what_is_proven_stays_proven() -> None:
    text = IMPORT + "m = tf.ones([30, 30])\nprint(tf.matmul(m, tf.transpose(m)))\n"
    observations, _ = observe(text)
    assert rewritten(text, observations) == rewritten(text)
    assert [one.evidence for one in rewritten(text)[1].rewrites] == [Evidence.PROVEN]


@pytest.mark.parametrize(
    ("what", "why"), [("p = {}", "other files may read `p`"), ("print(tf.argmax({}))", "depends on a value that is rounded differently")]
)
def test_what_may_be_another_answer_is_compared(what: str, why: str) -> None:
    """Only a run of the whole program shows what becomes of other last bits."""
    text = IMPORT + "m = tf.ones([30, 30])\n" + what.format("tf.matmul(m, tf.transpose(m))") + "\n"
    plain, refused = rewritten(text)
    assert plain == text and [one.offered for one in refused.refusals] == [True]
    found, result = rewritten(text, observe(text)[0])
    assert "tf.matmul(m, m, transpose_b=True)" in found
    (one,) = result.rewrites
    assert one.evidence is Evidence.OBSERVED and one.fidelity is Fidelity.ROUNDING
    assert str(one.observed).startswith("to be compared: its results are rounded differently, and ") and why in str(one.observed)


def test_observations_of_another_text_are_refused() -> None:
    observations, _ = observe(IMPORT + CLASS)
    with pytest.raises(ValueError, match="another text"):
        rewritten(IMPORT + CLASS + "\n", observations)


# The parts


def test_places_move_with_the_edits() -> None:
    text = "a = f(x, g(y)) + z\n"
    places = {
        (4, 14, "Call"): Seen("a"),
        (6, 7, "Name"): Seen("b"),
        (9, 13, "Call"): Seen("c"),
        (11, 12, "Name"): Seen("d"),
        (17, 18, "Name"): Seen("e"),
    }
    observed = Observed(places, {}, {})
    # f(x, g(y)) becomes f(x, y, flag): the value of f(...) stays, g(y) is gone.
    edits = (Edit(9, 11), Edit(12, 13, ", flag"))
    after = apply_edits(text, edits)
    moved = {after[start:end]: seen.sort for (start, end, _), seen in observed.carried([(Span(4, 14), edits)]).expressions.items()}
    assert moved == {"f(x, y, flag)": "a", "x": "b", "y": "d", "z": "e"}
    # The same edits as part of a rewrite of something else: the value of f(...) may be another.
    elsewhere = observed.carried([(Span(17, 18), edits)]).expressions
    assert sorted(seen.sort for seen in elsewhere.values()) == ["b", "d", "e"]


def test_what_differs_is_not_believed() -> None:
    assert joined(Seen("tensor"), Seen("array")).kind == Kind()
    assert joined(Seen("tensor", "float32", (2, 3)), Seen("tensor", "float64", (2, 4))) == Seen("tensor", None, (2, None), count=2)
    assert joined(Seen("number", "int", (), 1), Seen("number", "int", (), True)).value is None
    assert joined(Seen("tensor"), Seen("tensor", taped=True)).kind.fixed is False


def test_what_is_known_holds_against_what_was_seen() -> None:
    known, seen = Kind(Sort.TENSOR, "float32", (None, 4)), Kind(Sort.TENSOR, "float64", (3, 5), fixed=True)
    assert contradicts(known, seen) and refined(known, seen) == known
    assert contradicts(known, Kind(Sort.VARIABLE)) and refined(known, Kind(Sort.VARIABLE)) == known
    assert refined(known, Kind(Sort.TENSOR, None, (3, 4), fixed=True)) == Kind(Sort.TENSOR, "float32", (3, 4), fixed=True)


def test_several_runs_together() -> None:
    text = IMPORT + "import sys\ndef f(x):\n    for _ in range(sys.maxsize and len(x)):\n        pass\n    return x\nf(given)\n"
    runs = []
    for size in (2, 3):
        with Observer(text, "observed.py") as observer:
            import tensorflow as tf

            exec(observer.code, {"given": tf.ones([size, 4])})
        runs.append(observer.observations())
    both = together(runs)
    assert seen_at(both, text, "x").shape == (None, 4) and seen_at(both, text, "x").count == 2
    assert list(both.functions.values()) == [Ran(2, 2, 2)] and list(both.loops.values()) == [LoopCounts(2, 2, 3, 5)]


# Graphs

MAPPED = (
    IMPORT
    + """

def prepare(image):
    \"\"\"Scaled.\"\"\"
    scaled = tf.cast(image, tf.float32) / 255.0
    if tf.reduce_mean(scaled) > 0.5:
        scaled = scaled * 0.5
    rows = []
    for row in range(scaled.shape[0]):
        rows.append(tf.tanh(scaled[row]))
    return tf.stack(rows)


class Counted:
    def __init__(self):
        self.rows = 0

    def count(self, image):
        @tf.autograph.experimental.do_not_convert
        def plain(x):
            return x + 1
        return plain(image)


data = tf.data.Dataset.from_tensor_slices(tf.ones([4, 3, 5], tf.uint8)).map(prepare).map(Counted().count)
total = [float(tf.reduce_sum(one)) for one in data]
"""
)


def test_what_graphs_alone_evaluate_is_seen_while_they_are_traced() -> None:
    observations, namespace = observe_file(MAPPED)
    assert seen_at(observations, MAPPED, "scaled") == Seen("tensor", "float32", (3, 5), graph=True, count=3)
    assert seen_at(observations, MAPPED, "scaled[row]").shape == (5,)
    assert seen_at(observations, MAPPED, "tf.stack(rows)").shape == (3, 5)
    assert seen_at(observations, MAPPED, "image").shape == (3, 5)
    assert len(set(namespace["total"])) == 1


MANY = (
    IMPORT
    + """
ran = []


@tf.function
def step(x, training=True):
    ran.append(tf.executing_eagerly())
    return tf.reduce_sum(tf.tanh(x))


for i in range(300):
    step(tf.ones([3]))
step(tf.ones([4]))
step(tf.ones([3]), training=False)
"""
)


def test_of_many_calls_of_compiled_functions_the_first_run_eagerly() -> None:
    observations, namespace = observe_file(MANY)
    assert namespace["ran"][:200] == [True] * 200 and namespace["ran"][-2:] == [True] * 2
    assert namespace["ran"].count(True) == 202 and False in namespace["ran"]
    assert seen_at(observations, MANY, "tf.reduce_sum(tf.tanh(x))").shape == ()
    assert seen_at(observations, MANY, "x").shape == (None,)
    (ran,) = observations.functions.values()
    assert ran.eager == 0 and ran.graph == ran.calls >= 202


def observe_file(text: str) -> tuple[Observations, dict[str, Any]]:
    """AutoGraph looks the text up."""
    linecache.cache["observed.py"] = (len(text), None, text.splitlines(keepends=True), "observed.py")
    try:
        return observe(text)
    finally:
        del linecache.cache["observed.py"]


UNROLLED = (
    IMPORT
    + """

def states(x, w, u, h):
    found = []
    for t in range(x.shape[1]):
        h = tf.tanh(x[:, t] @ w + h @ u)
        found.append(h)
    return tf.stack(found, axis=1)


@tf.function
def total(x, w, u):
    return tf.reduce_sum(states(x, w, u, tf.zeros([x.shape[0], 64])))


def main():
    for n in {lengths}:
        total(tf.ones([32, n, 16]), tf.ones([16, 64]), tf.ones([64, 64]))


if __name__ == "__main__":
    main()
"""
)


@pytest.mark.parametrize(("lengths", "count"), [((200,), " 200"), ((200, 30), "")])
def test_a_loop_that_ran_in_a_graph_is_rewritten_by_what_was_seen_there(lengths: tuple[int, ...], count: str) -> None:
    text = UNROLLED.format(lengths=lengths)
    observations, before = observe_file(text)
    after, result = rewritten(text, observations)
    if not count:
        assert after == text, "without a number of iterations it isn't known that there is one"
        return
    (rewrite,) = result.rewrites
    assert (rewrite.rule, rewrite.evidence) == ("while_loop", Evidence.OBSERVED)
    assert f"instead of all of its{count} iterations" in rewrite.reason
    assert "tf.while_loop(" in after and "200" not in after.replace(str(lengths), "")
    namespace: dict[str, Any] = {"__name__": "after"}
    exec(compile(after, "after.py", "exec"), namespace)
    tf = before["tf"]
    for n in (200, 7):
        given = tf.random.stateless_normal([2, n, 16], [1, n]), tf.ones([16, 64]) / 64, tf.ones([64, 64]) / 64, tf.zeros([2, 64])
        same = tf.abs(namespace["states"](*given) - before["states"](*given)) <= 1e-6
        assert same.shape == [2, n, 64] and bool(tf.reduce_all(same))


DATA = """\
import numpy as np
import tensorflow as tf


def loaded(kind):
    return getattr(tf.data, kind).from_tensor_slices((np.zeros([4000, 28, 28], "uint8"), np.arange(4000)))


def to_float(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


data = loaded("Dataset").map(to_float).shuffle(2000).batch(50)
names = tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).repeat()
for images, labels in data.take(2):
    print(labels[0])
"""


def test_what_elements_a_dataset_has_is_seen() -> None:
    observations, _ = observe(DATA)
    kind = seen_at(observations, DATA, 'loaded("Dataset")').kind
    image, label = Kind(Sort.TENSOR, "uint8", (28, 28), fixed=True), Kind(Sort.TENSOR, "int64", (), fixed=True)
    assert kind.sort is Sort.DATASET and kind.value == 4000 and kind.each is not None and kind.each.items == (image, label)
    endless = seen_at(observations, DATA, 'tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).repeat()').kind
    assert endless.sort is Sort.DATASET and endless.value is None and endless.each is None
    assert Observations.from_data(json.loads(json.dumps(observations.to_data()))) == observations
    assert rewritten(DATA)[0] == DATA
    assert 'loaded("Dataset").shuffle(2000).map(to_float).batch(50)' in rewritten(DATA, observations)[0]
