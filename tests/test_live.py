"""`@optimize_memory` in use: what can be decorated, what users see of it, and where it may stand."""

from __future__ import annotations

import copy
import functools
import inspect
import linecache
import os
import pickle
import subprocess
import sys
import tempfile
import textwrap
import threading
import timeit
import traceback
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfrewrite
from tfrewrite.live import optimized
from tfrewrite.live.optimized import NotEquivalent, OptimizeWarning
from tfrewrite.live.rewritten_functions import Made

optimize_memory: Any = functools.partial(tfrewrite.optimize_memory, purpose="both", fidelity="tolerance")
"""To compile what is as small as this costs more than it saves, and callers may decide by its last bits: what is asked here is how it is done."""


@pytest.fixture(autouse=True)
def told() -> Iterator[list[Any]]:
    """Warnings of ours fail a test that doesn't ask for them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", OptimizeWarning)
        yield []


X = tf.reshape(tf.range(16, dtype=tf.float32), [4, 4]) / 16.0


@optimize_memory
def turned(x, n=100):
    """Turns it."""
    for _ in range(n):
        x = tf.tanh(tf.matmul(x, x) * 0.5)
    return x


def by_hand(x: Any, n: int = 100) -> Any:
    for _ in range(n):
        x = tf.tanh(tf.matmul(x, x) * 0.5)
    return x


def same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def names(function: Any) -> list[str]:
    return [one.rule for one in function.rewrites]


# What users see


@pytest.mark.smoke
def test_what_was_made_can_be_looked_at() -> None:
    same(turned(X), by_hand(X))
    assert names(turned) == ["compiled_loop"]
    assert "tf.while_loop" in turned.source and "def _turned_loop(" in turned.source and "optimize_memory" not in turned.source
    assert turned.diff().count("\n-") >= 2 and "@@" in turned.diff()
    shown = str(turned.report())
    assert "x: float32[4, 4], n: int" in shown and "compared in the first call" in shown
    assert "compiled_loop" in turned.report()._repr_html_()
    np.testing.assert_array_equal(turned.original(X), by_hand(X))


@pytest.mark.smoke
def test_it_still_looks_like_the_original() -> None:
    assert turned.__name__ == "turned" and turned.__doc__ == "Turns it." and turned.__module__ == __name__
    assert str(inspect.signature(turned)) == "(x, n=100)"
    assert inspect.isfunction(turned) and inspect.getsource(turned).startswith("@optimize_memory")
    assert pickle.loads(pickle.dumps(turned)) is turned and copy.copy(turned) is turned and copy.deepcopy(turned) is turned
    assert functools.wraps(turned)(lambda: None).__wrapped__ is turned


def test_each_kind_of_arguments_has_its_own() -> None:
    @optimize_memory
    def scaled(x, n):
        for _ in range(n):
            x = x * 0.5 + 0.25
        return x

    assert scaled(8.0, 100) == pytest.approx(0.5) and isinstance(scaled(8.0, 100), float)
    assert names(scaled) == []
    assert scaled(tf.constant(8.0, tf.float64), 100).dtype == tf.float64
    assert names(scaled) == ["compiled_loop"]
    assert isinstance(scaled(np.float32(8.0), 3), np.floating) and isinstance(scaled(np.ones(3), 3), np.ndarray)
    assert scaled(tf.ones([2, 2]), 0) is not None
    assert len(scaled.report().versions) == 5


def test_many_sizes_share_what_was_made_for_any() -> None:
    @optimize_memory
    def scaled(x, n):
        for _ in range(n):
            x = tf.sin(x) * 0.5
        return x

    @optimize_memory
    def chained(x):
        y = tf.sin(x)
        z = y * x[0] + tf.reduce_sum(y)
        return tf.cumsum(z)

    for size in range(1, 12):
        same(scaled(tf.ones([size]), 60), [scaled.original(1.0 * tf.ones([]), 60)] * size)
        same(chained(tf.ones([size])), chained.original(tf.ones([size])))
    versions = scaled.report().versions
    assert len(versions) == 5, "four sizes, then all others"
    assert [one.function is None for one in versions] == [False, False, False, False, True], "a graph would be made for each"
    assert "traced for each" in versions[-1].said


def test_a_call_costs_less_than_a_microsecond_more() -> None:
    """Counted in what the call does besides, not by the clock: no call of find, no loop, one call of the function."""
    turned(X)
    calls: list[str] = []
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code.co_name) if event == "call" else None)
    try:
        turned(X)
    finally:
        sys.setprofile(None)
    assert calls[:2] == ["turned", "turned"], calls[:5]


def test_importing_it_imports_no_tensorflow() -> None:
    code = "import sys; from tfrewrite import optimize_memory; assert not {'tensorflow', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)})


@pytest.mark.smoke
def test_a_traceback_shows_the_rewritten_line() -> None:
    @optimize_memory(verify=False)
    def failing(x, n):
        for _ in range(n):
            x = tf.tanh(x) * 0.5
        return tf.reshape(x, [7])

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        failing(X, 50)
    assert "return tf.reshape(x, [7])" in "".join(traceback.format_exception(caught.value))
    assert "_failing_loop" in failing.source


# What can be decorated


class Model:
    def __init__(self) -> None:
        self.w = tf.Variable(tf.eye(4) * 0.5)

    @optimize_memory
    def step(self, x, n):
        for _ in range(n):
            x = tf.tanh(tf.matmul(x, self.w))
        return x

    @optimize_memory
    @staticmethod
    def static(x, n):
        for _ in range(n):
            x = tf.tanh(x)
        return x

    @classmethod
    @optimize_memory
    def of_class(cls, x, n):
        for _ in range(n):
            x = tf.tanh(x)
        return x

    @optimize_memory
    def __call__(self, x):
        for _ in range(60):
            x = tf.tanh(tf.matmul(x, self.w))
        return x


def test_methods() -> None:
    model = Model()
    same(model.step(X, 60), Model.step.original(model, X, 60))
    assert names(Model.step) == ["compiled_loop"] == names(model.step)
    model.w.assign(tf.eye(4))
    assert float(model.step(X, 60)[1, 1]) > 0.1, "the variable is read anew in each call"
    assert model(X).shape == [4, 4]
    function: Any
    for function in (Model.static, Model.of_class):
        same(function(X, 60), Model.static.original(X, 60))
        assert names(function) == ["compiled_loop"]
    model.w = tf.Variable(tf.eye(4)[:, :2])  # of another shape: another kind
    assert model.step(X, 1).shape == [4, 2]


def test_nested_functions_with_nonlocal() -> None:
    count = 0
    rate = 0.5

    @optimize_memory
    def counted(x, n):
        nonlocal count
        count += 1
        for _ in range(n):
            x = tf.tanh(x) * rate
        return x

    for _ in range(3):
        counted(X, 60)
    assert count == 3
    assert names(counted) == ["compiled_loop"]
    before = counted(X, 60)
    rate = 0.25
    assert not np.allclose(before, counted(X, 1))
    same(counted(X, 2), tf.tanh(tf.tanh(X) * 0.25) * 0.25)


def test_what_a_function_makes_again_and_again_is_rewritten_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfrewrite.live import rewritten_functions

    rewritten = []
    plain = rewritten_functions.made
    monkeypatch.setattr(rewritten_functions, "made", lambda *args: (rewritten.append(1), plain(*args))[1])  # type: ignore[func-returns-value]

    def outer(rate: float) -> Any:
        @optimize_memory(verify=False)
        def inner(x, n):
            for _ in range(n):
                x = tf.tanh(x) * rate
            return x

        return inner(X, 60)

    for rate in (0.5, 0.5, 0.5):
        np.testing.assert_allclose(outer(rate), outer(0.5))
    assert len(rewritten) == 1


def test_closures_with_other_numbers_share_what_is_compiled() -> None:
    def outer(rate: float) -> Any:
        @optimize_memory
        def inner(x, n):
            for _ in range(n):
                x = tf.sin(x) * rate
            return x

        return inner(X, 60), inner.original(X, 60)

    for found, expected in map(outer, (0.5, 0.9, 1.5)):
        same(found, expected)
    assert [name for name in globals() if name.startswith("_inner_loop") and "rate" in inspect.signature(globals()[name]).parameters]
    made = sum(name.startswith("_inner_loop") for name in globals())
    same(*outer(1.25))
    assert sum(name.startswith("_inner_loop") for name in globals()) == made


def test_lambdas_partials_and_objects() -> None:
    summed = optimize_memory(lambda rows: tf.add_n([tf.sin(rows[i]) for i in range(4)]))
    same(summed(X), tf.reduce_sum(tf.sin(X), 0))
    half = optimize_memory(functools.partial(by_hand, n=60))
    same(half(X), by_hand(X, 60))
    assert names(half.func) == names(half) == ["compiled_loop"]
    assert "compiled_loop" in str(half.report()) and half.diff() and half.original.func is by_hand
    assert isinstance(half, functools.partial)

    class Turner:
        def __call__(self, x):
            for _ in range(60):
                x = tf.tanh(x)
            return x

    turner = optimize_memory(Turner())
    same(turner(X), Turner()(X))
    assert names(turner) == ["compiled_loop"]
    bound = optimize_memory(Turner().__call__)
    same(bound(X), Turner()(X))


GRAPHS = """
from tfrewrite import optimize_memory
import tensorflow as tf

@optimize_memory(purpose="both", fidelity="tolerance")
@tf.function
def above(x):
    for _ in range(300):
        x = tf.tanh(x) * 0.9 + 0.05
    return x

@tf.function
@optimize_memory(purpose="both", fidelity="tolerance")
def below(x):
    for _ in range(300):
        x = tf.tanh(x) * 0.9 + 0.05
    return x

@optimize_memory(purpose="both", fidelity="tolerance")
def plain(x):
    for _ in range(300):
        x = tf.tanh(x) * 0.9 + 0.05
    return x
"""


def test_under_and_above_a_tf_function(tmp_path: Path) -> None:
    user = module(tmp_path, GRAPHS)
    for function in (user["above"], user["below"]):
        same(function(X), user["plain"].original(X))
        nodes = function.get_concrete_function(X).graph.as_graph_def().node
        assert len(nodes) < 30, "the loop is not unrolled"
    assert isinstance(user["above"], type(user["below"])) and names(user["above"].python_function) == ["while_loop"]
    assert "while_loop" in str(user["above"].report())
    assert names(user["above"]) == ["while_loop"] and "tf.while_loop" in user["above"].source and user["above"].refusals == []
    assert user["above"].__name__ == "above" and str(inspect.signature(user["above"])) == "(x)"


def test_autograph_goes_on_inside() -> None:
    @tf.function
    @optimize_memory
    def decided(x):
        if tf.reduce_sum(x) > 0.0:
            x = x * 2.0
        for _ in tf.range(3):
            x = x + 1.0
        return x

    np.testing.assert_allclose(decided(tf.constant([1.0])), [5.0])
    np.testing.assert_allclose(decided(tf.constant([-1.0])), [2.0])


@pytest.mark.parametrize(
    "thing",
    [len, int, 3, (lambda x: (yield x)), property(lambda self: 1), np.add],
    ids=["C", "class", "number", "generator", "property", "ufunc"],
)
def test_what_has_no_source_stays(thing: Any) -> None:
    with pytest.warns(OptimizeWarning, match="is called as it was written") as caught:
        assert optimize_memory(thing) is thing
    assert len(caught) == 1 and caught[0].filename == __file__


def test_coroutines_and_generators_stay() -> None:
    async def waits(x):
        return x

    def yields(x):
        yield x

    for function in (waits, yields):
        with pytest.warns(OptimizeWarning, match="piece by piece"):
            assert optimize_memory(function) is function


def test_a_model_is_decorated_in_its_call() -> None:
    model = Trained(decorated=False)
    with pytest.warns(OptimizeWarning, match="which keras calls; decorate its call"):
        assert optimize_memory(model) is model


def raising(self: Any, name: str) -> Any:
    raise RuntimeError(name)


class Nameless(type):
    __module__ = property(lambda _: None)


@pytest.mark.parametrize(
    ("kind", "name"), [(type, "__getattr__"), (type, "__repr__"), (type, "__getattribute__"), (Nameless, "__getattribute__")]
)
def test_decorating_never_raises(kind: Any, name: str) -> None:
    thing = kind("Shy", (), {name: raising})()
    with pytest.warns(OptimizeWarning, match="is called as it was written"):
        assert optimize_memory(thing) is thing


def test_code_without_a_source_stays() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x):\n    return x", namespace)
    with pytest.warns(OptimizeWarning, match="source can't be found"):
        assert optimize_memory(namespace["f"]) is namespace["f"]


SMALL = """
from tfrewrite import optimize_memory
import tensorflow as tf

@optimize_memory{settings}
def f(x):
    for _ in range(100):
        x = {turn}
    return x
"""


def small(tmp_path: Path, settings: str = "", turn: str = "tf.tanh(x) * 0.5") -> Any:
    """What becomes of a small loop, called once."""
    f = module(tmp_path, SMALL.format(settings=settings, turn=turn))["f"]
    same(f(X), f.original(X))
    return f


def refusal_of(function: Any, rule: str) -> Any:
    (found,) = [one for one in function.refusals if one.rule == rule]
    return found


def test_a_small_loop_stays_as_it_is_by_default(tmp_path: Path) -> None:
    f = small(tmp_path)
    assert names(f) == [] and "tf.function" not in f.source and f.diff() == ""
    refused = refusal_of(f, "compiled_loop")
    assert (refused.code, refused.offered) == ("rounding-leaves", True)
    assert "rounded differently, and callers of `f` may depend on its exact result" in refused.reason
    # Whoever takes any rounding is told what else speaks against it.
    f = small(tmp_path, '(fidelity="tolerance")')
    refused = refusal_of(f, "compiled_loop")
    assert names(f) == [] and (refused.code, refused.offered, refused.remedy) == ("worth", False, "--for time makes it.")
    assert refused.reason == "it saves next to nothing at the peak, and compiling by XLA takes 80 MB of the process"


@pytest.mark.parametrize("purpose", ["time", "both"])
def test_what_saves_time_alone_is_made_for_it(tmp_path: Path, purpose: str) -> None:
    f = small(tmp_path, f'(purpose="{purpose}", fidelity="tolerance")')
    (made,) = f.rewrites
    assert (made.rule, made.purpose) == ("compiled_loop", "time")
    assert made.balance == "it saves next to nothing at the peak, and compiling by XLA takes 80 MB of the process"
    assert "@tf.function(jit_compile=True)" in f.source
    # What was made of the same code for another purpose, or with another fidelity, is not taken for it.
    for settings, code in (({"fidelity": "tolerance"}, "worth"), ({"purpose": purpose}, "rounding-leaves")):
        again = tfrewrite.optimize_memory(**settings)(f.original)  # type: ignore[call-overload]
        same(again(X), f.original(X))
        assert names(again) == [] and refusal_of(again, "compiled_loop").code == code
    f = small(tmp_path, f'(purpose="{purpose}")')
    assert names(f) == [] and refusal_of(f, "compiled_loop").code == "rounding-leaves", "callers may decide by the last bits"


def test_where_callers_may_decide_a_graph_keeps_every_bit(tmp_path: Path) -> None:
    f = small(tmp_path, '(purpose="both")', "tf.tanh(x) + tf.square(x)")
    assert names(f) == ["compiled_loop"] and "@tf.function\n" in f.source and "jit_compile" not in f.source
    np.testing.assert_array_equal(f(X), f.original(X))
    f = small(tmp_path, '(purpose="both", fidelity="tolerance")', "tf.tanh(x) + tf.square(x)")
    assert names(f) == ["compiled_loop"] and "jit_compile=True" in f.source


def test_wrong_settings_are_told() -> None:
    with pytest.raises(ValueError, match="purpose is one of memory, time, both, not 'speed'"):
        tfrewrite.optimize_memory(purpose="speed")(by_hand)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="fidelity is one of bitwise, rounding, tolerance, not 'exact'"):
        tfrewrite.optimize_memory(fidelity="exact")(by_hand)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="there is no rule 'loop'"):
        optimize_memory(select=["loop"])(by_hand)
    with pytest.raises(TypeError, match="takes a list of names"):
        optimize_memory(ignore="compiled_loop")(by_hand)
    with pytest.raises(ValueError, match='True, False or "always"'):
        optimize_memory(verify="sometimes")(by_hand)


def test_rules_can_be_chosen() -> None:
    ignoring = optimize_memory(ignore=["compiled_loop"])(by_hand)
    selecting = optimize_memory(select=["early_release"])(by_hand)
    for function in (ignoring, selecting):
        np.testing.assert_array_equal(function(X), by_hand(X))
        assert names(function) == []
    assert any(one.rule == "compiled_loop" for one in optimize_memory(by_hand).refusals) is False


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFREWRITE", "off")
    function = optimize_memory(by_hand)
    np.testing.assert_array_equal(function(X), by_hand(X))
    assert names(function) == [] and "wasn't called" in str(function.report())


# Where source stands


def module(tmp_path: Path, text: str, name: str = "written_by_a_user") -> Any:
    path = tmp_path / f"{name}.py"
    path.write_text(textwrap.dedent(text))
    namespace: dict[str, Any] = {"__name__": name, "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), namespace)
    return namespace


LOOP = """
from tfrewrite import optimize_memory
import tensorflow as tf
TURNS = 60

def half(x):
    return tf.tanh(x) * 0.5

@optimize_memory(purpose="both", fidelity="tolerance")
def f(x):
    for _ in range(TURNS):
        x = half(x)
    return x
"""


def test_a_cell_or_prompt_knows_names_of_others() -> None:
    cell = "@optimize_memory\ndef f(x):\n    for _ in range(60):\n        x = tf.tanh(x)\n    return x\n"
    linecache.cache["<ipython-input-1>"] = (len(cell), None, cell.splitlines(keepends=True), "<ipython-input-1>")
    namespace: dict[str, Any] = {"tf": tf, "optimize_memory": optimize_memory, "__name__": "__main__"}
    exec(compile(cell, "<ipython-input-1>", "exec", dont_inherit=True), namespace)
    same(namespace["f"](X), namespace["f"].original(X))
    assert names(namespace["f"]) == ["compiled_loop"]
    assert not namespace["f"].source.startswith("import")
    assert "+import" not in namespace["f"].diff() and "\n import tensorflow" not in namespace["f"].diff()


def test_a_file_that_has_changed_since_is_not_believed(tmp_path: Path) -> None:
    user = module(tmp_path, LOOP)
    path = Path(user["__file__"])
    path.write_text(path.read_text().replace("0.5", "0.25").replace("range(TURNS)", "range(TURNS + 1)"))
    os.utime(path, (1, 1))
    linecache.checkcache(str(path))
    with pytest.warns(OptimizeWarning, match="isn't what it was when the function was made"):
        np.testing.assert_allclose(user["f"](X), user["f"].original(X))
    assert user["f"].rewrites == []
    user["f"](X)  # and that is said once


@pytest.mark.parametrize(("name", "value"), [("TURNS", 3), ("half", lambda x: x * 2.0)])
def test_a_module_that_was_changed_since_is_not_believed(tmp_path: Path, name: str, value: Any) -> None:
    user = module(tmp_path, LOOP)
    user[name] = value
    with pytest.warns(OptimizeWarning, match=f"{name} isn't what its file says"):
        user["f"](X)
    assert user["f"].rewrites == []


@pytest.mark.parametrize(("name", "value"), [("TURNS", 3), ("half", lambda x: x * 2.0)])
def test_a_module_that_changes_later_is_noticed(tmp_path: Path, name: str, value: Any) -> None:
    user = module(tmp_path, LOOP)
    user["f"](X)
    assert names(user["f"]) == ["compiled_loop"]
    user[name] = value
    expected = user["f"].original(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimizeWarning)
        same(user["f"](X), expected)


CHANGING = {
    "a number of another module": ("import cfg", "x * cfg.K", "cfg.K = 0.5"),
    "a number from another module": ("from cfg import K", "x * K", "user['K'] = 0.5"),
    "a tensor from another module": ("from cfg import T", "x * T", "user['T'] = tf.constant(0.5)"),
    "an annotated number": ("K: float = 0.9", "x * K", "user['K'] = 0.5"),
    "a number that is computed": ("K = float('0.9')", "x * K", "user['K'] = 0.5"),
    "what a helper reads": ("K = float('0.9')\ndef half(x):\n    return x * K", "half(x)", "user['K'] = 0.5"),
    "what a method reads": (
        "K = float('0.9')\nclass A:\n    def half(self, x):\n        return x * K\nx0 = A()", "x0.half(x)", "user['K'] = 0.5",
    ),
    "a number of an object": ("class C:\n    pass\nc = C()\nc.k = 0.9", "x * c.k", "user['c'].k = 0.5"),
    "an array": ("import numpy as np\nK = np.float32(0.9) * np.ones(4, np.float32)", "x * K", "user['K'] = np.zeros(4, np.float32)"),
    "a variable": ("K = tf.Variable(0.9)", "x * K", "user['K'] = tf.Variable(0.5)"),
    "the turns": ("N = int('60')", "x * 0.9", "user['N'] = 3"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGING)
def test_what_is_read_from_outside_may_change(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, value, then = CHANGING[what]
    cfg = types.ModuleType("cfg")
    vars(cfg).update(K=0.9, T=tf.constant(0.9))
    monkeypatch.setitem(sys.modules, "cfg", cfg)
    turns = "N" if "N = " in before else "60"
    text = f"import tensorflow as tf\nfrom tfrewrite import optimize_memory\n{before}\n"
    text += f"@optimize_memory(purpose='both', fidelity='tolerance')\ndef f(x):\n    for _ in range({turns}):\n        x = tf.tanh({value}) + 0.01\n    return x\n"
    user = module(tmp_path, text)
    f = user["f"]
    same(f(X), f.original(X))
    before = f.original(X)
    exec(then, {"user": user, "tf": tf, "np": np, "cfg": cfg})
    assert not np.allclose(before, f.original(X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimizeWarning)
        for _ in range(2):
            same(f(X), f.original(X))


class Counting:
    def __init__(self, n: int) -> None:
        self.n, self.tol = n, 0.05

    @optimize_memory
    def turned(self, x):
        for _ in range(self.n):
            x = tf.tanh(x * 0.9)
        return x

    @optimize_memory
    def shrunk(self, x):
        while tf.reduce_max(x) > self.tol:
            x = x * 0.9
        return x


def test_turns_may_be_an_attribute() -> None:
    counting = Counting(60)
    for counting.n, counting.tol in ((60, 0.05), (0, 9.0), (70, 0.01)):
        same(counting.turned(X), Counting.turned.original(counting, X))
        same(counting.shrunk(X), Counting.shrunk.original(counting, X))
    assert names(Counting.turned)[0] == names(Counting.shrunk)[0] == "compiled_loop"


HELD = {
    "an enumerated number": ("import enum\nclass Mode(enum.IntEnum):\n    SHORT = 3\n    LONG = 60\nK = Mode.LONG", "user['Mode'].SHORT"),
    "infinity": ("K = float('inf')", "float('-inf')"),
    "not a number": ("K = float('nan')", "0.5"),
    "a zero with a sign": ("K = float('0')", "-0.0"),
    "a NumPy number": ("import numpy as np\nK = np.float64(0.9)", "np.float32(0.5)"),
    "a text of another class": ("class Name(str): pass\nK = Name('a')", "user['Name']('b')"),
    "a complex number": ("K = complex(0.0, 1.0)", "complex(-0.0, 1.0)"),
}


@pytest.mark.parametrize("what", HELD)
def test_numbers_and_texts_of_all_kinds_are_told_apart(tmp_path: Path, what: str) -> None:
    before, other = HELD[what]
    text = f"import tensorflow as tf\nfrom tfrewrite import optimize_memory\n{before}\n@optimize_memory(verify=False, purpose='both', fidelity='tolerance')\n"
    user = module(tmp_path, text + "def f(x):\n    for _ in range(60):\n        x = tf.tanh(x)\n    return x, K\n")
    first = user["f"](X)
    assert repr(first[1]) == repr(user["K"]) and names(user["f"]) == ["compiled_loop"]
    assert "find" not in called(lambda: user["f"](X)), "its tests are true"
    user["K"] = eval(other, {"user": user, "np": np})
    assert "find" in called(lambda: user["f"](X))
    assert repr(user["f"](X)[1]) == repr(user["K"])


def called(function: Any) -> list[str]:
    """The names of the Python functions that a call runs."""
    found: list[str] = []
    sys.setprofile(lambda frame, event, _: found.append(frame.f_code.co_name) if event == "call" else None)
    try:
        function()
    finally:
        sys.setprofile(None)
    return found


def test_parameters_may_have_any_name() -> None:
    @optimize_memory
    def named(x, type, len, Exception, _type_0, _tfrewrite_find, _tfrewrite_chosen, _tfrewrite_failure):
        for _ in range(60):
            x = tf.tanh(x)
        return x

    heard: list[Any] = []
    for _ in range(2):
        same(named(X, heard.append, [1], 3, 4, 5, 6, 7), tf.stack(named.original(X, *range(7))))
    assert names(named) == ["compiled_loop"] and heard == []
    assert "find" not in called(lambda: named(X, heard.append, [1], 3, 4, 5, 6, 7))


REPLACING = {
    "by its module": "user['half'].__code__ = (lambda x: x + 0.25).__code__",
    "by one of the same name": "user['half'] = types.FunctionType((lambda x: x + 0.25).__code__, {}, 'half')",
    "by what wraps it": "half = user['half']; user['half'] = functools.wraps(half)(lambda x: half(x) + 0.5)",
}


@pytest.mark.parametrize("what", REPLACING)
@pytest.mark.parametrize("first", [False, True])
def test_a_helper_may_be_replaced(tmp_path: Path, what: str, first: bool) -> None:
    user = module(tmp_path, LOOP)
    if not first:
        same(user["f"](X), user["f"].original(X))
        assert names(user["f"]) == ["compiled_loop"]
    before = user["f"].original(X)
    exec(REPLACING[what], {"user": user, "types": types, "functools": functools})
    assert not np.allclose(before, user["f"].original(X))
    with pytest.warns(OptimizeWarning, match="half isn't what its file says"):
        same(user["f"](X), user["f"].original(X))


REPLACED = """
from tfrewrite import optimize_memory
import tensorflow as tf
from tensorflow import sin

@optimize_memory(purpose="both", fidelity="tolerance")
def f(x):
    for _ in range(60):
        x = sin(tf.tanh(x))
    return x
"""


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("name", ["tf.tanh", "sin"])
def test_functions_of_tensorflow_may_be_replaced(tmp_path: Path, name: str, first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    user = module(tmp_path, REPLACED)
    if not first:
        same(user["f"](X), user["f"].original(X))
    plain = user["f"].original(X)
    heard: list[int] = []

    def other(x: Any) -> Any:
        heard.append(1)
        return x * 0.5

    stand_in: Any
    for stand_in in (
        other,
        functools.wraps(tf.tanh)(other),
        functools.partial(other),
        type("Other", (), {"__call__": lambda _, x: other(x)})(),
    ):
        with monkeypatch.context() as patch:
            if name == "sin":
                patch.setitem(user, "sin", stand_in)
            else:
                patch.setattr(tf, "tanh", stand_in)
            for _ in range(2):
                heard.clear()
                found = user["f"](X)
                assert len(heard) == 60
                same(found, user["f"].original(X))
    with monkeypatch.context() as patch:
        patch.setitem(user, "sin", tf.cos)
        same(user["f"](X), user["f"].original(X))
    same(user["f"](X), plain)
    assert names(user["f"]) == ["compiled_loop"]


def test_what_wraps_a_decorated_function_can_be_decorated() -> None:
    @functools.wraps(turned)
    def wrapping(x):
        for _ in range(60):
            x = tf.tanh(x)
        return turned.original(x, 1)

    again = optimize_memory(wrapping)
    same(again(X), wrapping(X))
    assert again.original is wrapping and names(again) == ["compiled_loop"]
    assert optimize_memory(again) is again


def test_names_that_are_taken_stay(tmp_path: Path) -> None:
    user = module(tmp_path, LOOP)
    user["_f_loop"] = "mine"
    user["f"](X)
    user["f"](tf.ones([3], tf.float64))
    assert user["_f_loop"] == "mine" and user["f"](tf.ones([3], tf.float64)).dtype == tf.float64


# Comparing


def wrongly(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Let what is made differ from what it was made of."""
    from tfrewrite.live import rewritten_functions

    plain = rewritten_functions._compiled

    def compiled(result: Any, text: str, *rest: Any) -> Made:
        return plain(result, text.replace(old, new), *rest)

    monkeypatch.setattr(rewritten_functions, "_compiled", compiled)


def test_where_they_differ_the_original_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    wrongly(monkeypatch, "* 0.125", "* 0.12")

    @optimize_memory
    def wrong(x, n):
        for _ in range(n):
            x = tf.tanh(x) * 0.125 + 0.5
        return x

    with pytest.warns(OptimizeWarning, match="what tfrewrite made of .*wrong differs from it: result.*report it") as caught:
        np.testing.assert_array_equal(wrong(X, 60), wrong.original(X, 60))
    assert len(caught) == 1
    np.testing.assert_array_equal(wrong(X, 3), wrong.original(X, 3))
    assert wrong.rewrites == [] and "taken back" in str(wrong.report())


def test_without_a_fallback_that_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    wrongly(monkeypatch, "* 0.126", "* 0.12")

    @optimize_memory(fallback=False)
    def wrong(x, n):
        for _ in range(n):
            x = tf.tanh(x) * 0.126 + 0.5
        return x

    for _ in range(2):
        with pytest.raises(NotEquivalent, match="differs from it"):
            wrong(X, 60)


def test_where_it_fails_the_original_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    wrongly(monkeypatch, "* 0.127", "* tf.ones([9, 9])")

    @optimize_memory
    def failing(x, n):
        for _ in range(n):
            x = tf.tanh(x) * 0.127 + 0.5
        return x

    with pytest.warns(OptimizeWarning, match="differs from it: exception"):
        np.testing.assert_array_equal(failing(X, 60), failing.original(X, 60))


def test_where_it_fails_in_a_graph_the_original_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrongly(monkeypatch, "* 0.9", "* tf.ones([9, 9])")
    user = module(
        tmp_path,
        GRAPHS[: GRAPHS.index("@optimize_memory")]
        + GRAPHS[GRAPHS.index("@tf.function\n@optimize") :].partition('@optimize_memory(purpose="both", fidelity="tolerance")\ndef plain')[
            0
        ],
    )
    with pytest.warns(OptimizeWarning, match="fails in a graph"):
        same(user["below"](X), user["below"].python_function.original(X))


def test_always_compares_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    wrongly(monkeypatch, "* 0.995", "* tf.where(x > 0.0, 0.995, 0.99)")

    @optimize_memory(verify="always")
    def wrong(x, n):
        for _ in range(n):
            x = x * 0.995
        return x

    wrong(X, 60)
    assert names(wrong) == ["compiled_loop"]
    with pytest.warns(OptimizeWarning, match="differs from it"):
        np.testing.assert_array_equal(wrong(-X, 60), wrong.original(-X, 60))


def test_comparing_leaves_no_trace(capfd: pytest.CaptureFixture[str]) -> None:
    weights = tf.Variable(tf.ones([4, 4]))
    seen: list[int] = []

    @optimize_memory
    def trained(x, n):
        print("called")
        seen.append(n)
        for _ in range(n):
            x = tf.tanh(x)
        weights.assign_add(x)
        return x

    expected = trained.original(X, 60) + 1.0
    weights.assign(tf.ones([4, 4]))
    seen.clear()
    capfd.readouterr()
    trained(X, 60)
    printed = capfd.readouterr()
    same(weights, expected)
    assert seen == [60] and printed.out == "called\n"
    assert "compared in the first call" in trained.report().versions[0].said


def test_what_others_print_while_it_compares_is_theirs(capfd: pytest.CaptureFixture[str]) -> None:
    @optimize_memory
    def shared(x, n):
        print("called\n", end="")  # at once
        for _ in range(n):
            x = tf.tanh(x)
        return x

    stopped = threading.Event()
    sent: list[str] = []

    def talk() -> None:
        while not stopped.wait(0.0005):
            sent.append(f"line {len(sent)}\n")
            print(sent[-1], end="")
            os.write(2, sent[-1].encode())

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        shared(X, 60)
    finally:
        stopped.set()
        talker.join()
    heard = capfd.readouterr()
    assert heard.out.replace("called\n", "") == "".join(sent) and heard.out.count("called") == 1
    assert [line for line in heard.err.splitlines(keepends=True) if line.startswith("line")] == sent
    assert "compared in the first call" in shared.report().versions[0].said


def test_comparing_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfrewrite.verify import in_process

    weights = tf.Variable(1.0)
    seen: list[int] = []

    @optimize_memory
    def stopped(x, n):
        seen.append(n)
        weights.assign_add(1.0)
        for _ in range(n):
            x = tf.tanh(x)
        return x

    plain = in_process._Case._outcome

    def interrupted(self: Any, *args: Any) -> Any:
        plain(self, *args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(in_process._Case, "_outcome", interrupted)
        stopped(X, 60)
    assert seen == [] and float(weights) == 1.0 and stopped.report().versions == ()
    stopped(X, 60)
    assert seen == [60] and float(weights) == 2.0
    assert "compared in the first call" in stopped.report().versions[0].said


def test_random_numbers_stay_what_they_were() -> None:
    def draws(x, n):
        for _ in range(n):
            x = tf.tanh(x)
        return x + tf.random.normal([4, 4]) + np.random.rand()

    results = []
    for function in (draws, optimize_memory(draws)):
        tf.random.set_seed(3)
        np.random.seed(3)
        results.append([function(X, 60) for _ in range(3)])
    same(results[0], results[1])


def test_what_reaches_out_is_called_once(tmp_path: Path) -> None:
    log = str(tmp_path / "log")

    @optimize_memory
    def writes(x, n):
        with open(log, "a") as file:
            file.write("called\n")
        for _ in range(n):
            x = tf.tanh(x)
        return x

    writes(X, 60)
    assert Path(log).read_text() == "called\n" and names(writes) == ["compiled_loop"]
    assert "not compared, because it calls open" == writes.report().versions[0].said


LEFT_BEHIND = {
    "an iterator": ("import itertools\nids = itertools.count()", "k = next(ids)"),
    "an iterator of an object": ("class C: pass\nc = C()\nc.it = (i for i in range(9))", "k = next(c.it)"),
    "an iterator in a list": ("its = [iter(range(9))]", "k = next(its[0])"),
    "random numbers by another name": ("from tensorflow.random import normal\ntf.random.set_seed(3)", "k = normal([])"),
    "random numbers of an image": ("tf.random.set_seed(3)", "k = tf.image.random_brightness(tf.ones([2, 2, 3]), 0.5)[0, 0, 0]"),
    "what is remembered": ("import functools\n@functools.lru_cache\ndef w(n):\n    print('computing', n)\n    return 0.5", "k = w(3)"),
    "what is traced": ("@tf.function\ndef g(v):\n    print('tracing')\n    return v * 2.0", "k = g(x)"),
    "a queue": ("queue = tf.queue.FIFOQueue(9, tf.float32)", "queue.enqueue(1.0); k = queue.size()"),
    "a class's number": ("class C:\n    count = 0", "C.count += 1; k = C.count"),
    "a function's number": ("def c(): pass\nc.count = 0", "c.count += 1; k = c.count"),
    "bytes that change": ("class C: pass\nc = C()\nc.b = bytearray(b'a')", "c.b += b'b'; k = len(c.b)"),
    "an initializer": ("init = tf.keras.initializers.GlorotUniform(seed=3)", "k = init([2, 2])"),
    "a regularizer": ("r = tf.keras.regularizers.L2(0.1)", "k = r(x)"),
    "names of layers": ("", "k = tf.keras.layers.Dense(2).name"),
    "an exit": ("", "print('hello')\n    if n == 60: raise KeyboardInterrupt"),
    "a context variable": ("import contextvars\nv = contextvars.ContextVar('v', default=0)", "v.set(v.get() + 1); k = v.get()"),
    "a made object that counts": ("class C:\n    made = 0\n    def __init__(self): type(self).made += 1", "C(); k = C.made"),
    "a set attribute": ("class C: pass\nc = C()\nc.n = 0", "c.n += 1; k = c.n"),
    "a list": ("rows = []", "rows.append(1); k = len(rows)"),
    "a dict of lists": ("rows = {'a': [0]}", "rows['a'].append(1); rows['b'] = 1; k = len(rows['a'])"),
    "a variable": ("v = tf.Variable(1.0)", "k = float(v.assign_add(1.0))"),
    "a logger": ("import logging", "logging.getLogger('x').warning('said'); k = 0"),
    "a clock": ("import time", "time.sleep(0.0); k = 0"),
}


@pytest.mark.parametrize("what", LEFT_BEHIND)
def test_comparing_is_noticed_by_nobody(tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    before, line = LEFT_BEHIND[what]
    function = f"def f(x, n):\n    k = 0\n    {line}\n    for _ in range(n):\n        x = tf.tanh(x * 0.9) + 0.01\n    return x, k\n"
    found = []
    for decorator in ("", "@optimize_memory(purpose='both', fidelity='tolerance')\n"):
        text = f"import tensorflow as tf\nfrom tfrewrite import optimize_memory\n{before}\n{decorator}{function}"
        tf.keras.backend.clear_session()
        user = module(tmp_path, text, "decorated" if decorator else "plain")
        results = []
        for n in (60, 50, 60):
            try:
                x, k = user["f"](X, n)
                results.append((np.round(x, 4).tolist(), str(k)))
            except KeyboardInterrupt:
                results.append(([], "interrupted"))
        found.append((results, capsys.readouterr().out))
    assert found[0] == found[1]


def test_what_is_made_in_a_graph_is_made_once(tmp_path: Path) -> None:
    text = (
        GRAPHS[: GRAPHS.index("@optimize_memory")]
        + """
v = tf.Variable(0.0)
log = []

@optimize_memory(purpose="both", fidelity="tolerance")
def inner(x, w):
    log.append(1)
    v.assign_add(1.0)
    for _ in range(300):
        x = tf.tanh(x) * 0.9
    return tf.matmul(x, w)

@tf.function(autograph=False)
def outer(x):
    try:
        return inner(x, tf.ones([3, 3]))
    except ValueError:
        return x * 2.0
"""
    )
    user = module(tmp_path, text)
    same(user["outer"](tf.ones([2, 2])), 2.0 * tf.ones([2, 2]))
    assert user["log"] == [1] and float(user["v"]) == 1.0 and names(user["inner"]) == ["while_loop"]


def test_objects_are_not_asked_for_what_the_program_does_not_ask() -> None:
    asked: list[str] = []

    def answer(self: Any, name: str) -> Any:
        asked.append(name)
        if name == "k":
            return 0.9
        raise AttributeError(name)

    @optimize_memory
    def lazy(x, settings):
        for _ in range(60):
            x = tf.tanh(x)
        return x * settings.k

    lazy(X, type("Lazy", (), {"__getattr__": answer})())
    assert asked == ["k"]


def test_what_is_called_while_others_are_compared_has_its_turn() -> None:
    @optimize_memory
    def inner(x):
        for _ in range(60):
            x = tf.tanh(x) + 0.01
        return x

    @optimize_memory
    def outer(x):
        for _ in range(60):
            x = tf.tanh(x) + 0.01
        return inner(x)

    for _ in range(2):
        same(outer(X), outer.original(X))
    for function in (inner, outer):
        assert all(one.said.startswith("compared") for one in function.report().versions if one.function), function.report()
        assert names(function) == ["compiled_loop"]


def test_a_callback_is_called_once() -> None:
    @optimize_memory
    def stepped(x, told, n):
        told(n)
        for _ in range(n):
            x = tf.tanh(x * 0.9)
        return x

    heard: list[int] = []

    class Hears:
        def __call__(self, n: int) -> None:
            heard.append(n)

    for callback in (heard.append, lambda n: heard.append(n), Hears(), functools.partial(lambda to, n: to.append(n), heard)):
        heard.clear()
        stepped(X, callback, 60)
        assert heard == [60]


def test_who_asks_for_its_caller_stays() -> None:
    def asking(x):
        return x + len(inspect.stack())

    def warning(x):
        warnings.warn("careful", stacklevel=2)
        return x

    for function in (asking, warning):
        with pytest.warns(OptimizeWarning, match="looks at who calls it"):
            assert optimize_memory(function) is function


def test_names_that_a_class_changes() -> None:
    class Turner:
        @optimize_memory
        def turn(self, __x, *, __n):
            for _ in range(__n):
                __x = tf.tanh(__x)
            return __x

    same(Turner().turn(X, **{"_Turner__n": 60}), Turner.turn.original(None, X, **{"_Turner__n": 60}))
    assert Turner.turn.report().versions


# In use


def test_gradients_are_what_they_were() -> None:
    def steps(x, w):
        for _ in range(60):
            x = tf.tanh(tf.matmul(x, w))
        return tf.reduce_sum(x)

    fast = optimize_memory(steps)
    w = tf.Variable(tf.eye(4) * 0.9)
    fast(X, w)
    found = []
    for function in (steps, fast):
        with tf.GradientTape() as tape:
            loss = function(X, w)
        found.append(tape.gradient(loss, w))
    same(found[0], found[1])
    assert len(fast.report().versions) == 2, "under a tape it is another kind of call"


def test_many_threads_make_the_first_call() -> None:
    @optimize_memory
    def shared(x, n):
        for _ in range(n):
            x = tf.tanh(x) * 0.5
        return x

    expected = shared.original(X, 60)
    results: list[Any] = []
    barrier = threading.Barrier(8)

    def work() -> None:
        barrier.wait()
        results.extend(shared(X, 60) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    assert len(results) == 40
    for one in results:
        same(one, expected)
    assert names(shared) == ["compiled_loop"]


def test_many_functions_are_first_called_by_many_threads() -> None:
    def shared(x, n):
        for _ in range(n):
            x = tf.tanh(x) * 0.5
        return x

    functions = [optimize_memory(shared) for _ in range(6)]
    barrier = threading.Barrier(6)

    def work(function: Any) -> None:
        barrier.wait()
        function(X, 60)

    threads = [threading.Thread(target=work, args=(one,)) for one in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    for one in functions:
        same(one(X, 60), shared(X, 60))
        assert [version.said.partition(":")[0] for version in one.report().versions] == ["compared in the first call"]


def test_inside_of_a_data_set_and_a_tf_function(tmp_path: Path) -> None:
    plain = module(tmp_path, GRAPHS)["plain"]
    rows = list(tf.data.Dataset.from_tensor_slices(X).map(plain))
    same(tf.stack(rows), plain.original(X))
    assert names(plain) == ["while_loop"]

    @tf.function
    def outer(x):
        return plain(x) + 1.0

    same(outer(X), plain.original(X) + 1.0)
    same(plain(X), plain.original(X))
    assert names(plain) == ["while_loop", "while_loop", "compiled_loop"]


DECIDING = """
from tfrewrite import optimize_memory
import tensorflow as tf

@optimize_memory(purpose="both", fidelity="tolerance")
def doubled(x):
    if tf.reduce_sum(x) > 1.0:
        x = x * 2.0
    return x

@optimize_memory(purpose="both", fidelity="tolerance")
def turned(x):
    if tf.reduce_sum(x) > 1.0:
        x = x * 2.0
    for _ in range(300):
        x = tf.tanh(x) * 0.9 + 0.05
    return x

@optimize_memory(purpose="both", fidelity="tolerance")
def summed(n):
    total = tf.constant(0, tf.int64)
    for rows in tf.data.Dataset.range(n).batch(2):
        total = total + tf.reduce_sum(rows)
    return total

class Doubling:
    @optimize_memory(purpose="both", fidelity="tolerance")
    def __call__(self, x):
        return doubled(x) if tf.reduce_min(x) > 0.0 else x
"""


@pytest.mark.parametrize("name", ["doubled", "turned", "Doubling"])
def test_a_data_set_converts_what_it_is_given(tmp_path: Path, name: str) -> None:
    made = module(tmp_path, DECIDING)
    function = made[name]() if name == "Doubling" else made[name]
    rows = tf.constant([[1.0, 1.0], [0.1, 0.1], [-1.0, 3.0]])
    expected = [function(row) for row in rows]
    for mapped in (function, lambda row: function(row)):
        same(list(tf.data.Dataset.from_tensor_slices(rows).map(mapped)), expected)
        same(tf.function(lambda mapped: tf.map_fn(mapped, rows))(mapped), expected)
    if name == "turned":
        assert "while_loop" in names(function)


CALLED = """
from tfrewrite import optimize_memory
import tensorflow as tf

class Layer:
    @optimize_memory
    def __call__(self, x):
        return x * 2.0 if tf.reduce_sum(x) > 0.0 else x

class Net:
    def __init__(self):
        self.layer = Layer()

    @tf.function
    @optimize_memory
    def __call__(self, x, training=False):
        return self.layer(x) + (1.0 if training else 0.0)
"""


def test_an_object_is_called_by_a_method_of_the_same_name(tmp_path: Path) -> None:
    net = module(tmp_path, CALLED)["Net"]()
    same(net(tf.ones([2])), tf.constant([2.0, 2.0]))
    same(net(-tf.ones([2]), training=True), tf.constant([0.0, 0.0]))


def test_a_data_set_may_be_made_in_another(tmp_path: Path) -> None:
    summed = module(tmp_path, DECIDING)["summed"]
    assert [int(one) for one in tf.data.Dataset.range(4).map(lambda n: summed(n))] == [0, 0, 1, 3]
    assert int(summed(4)) == 6


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("name", ["doubled", "turned"])
def test_what_is_not_converted_stays_so(tmp_path: Path, name: str, first: bool) -> None:
    function = module(tmp_path, DECIDING)[name]
    for autograph in (first, not first, first):
        for compiled in (tf.function(function, autograph=autograph), tf.function(lambda x: function(x), autograph=autograph)):
            if autograph:
                same(compiled(X), function(X))
            else:
                with pytest.raises(TypeError, match="symbolic `tf.Tensor` as a Python `bool`"):
                    compiled(X)


class Layer(tf.keras.layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)

    @optimize_memory
    def call(self, x, training=False):
        for _ in range(3):
            x = x + tf.tanh(self.dense(x))
        return x


class Trained(tf.keras.Model):
    def __init__(self, decorated: bool) -> None:
        super().__init__()
        self.layer = Layer()
        self.out = tf.keras.layers.Dense(1)
        self.decorated = decorated

    def call(self, x):
        return self.out(self.layer(x))

    def train_step(self, data):
        return (self._fast if self.decorated else self._plain)(data)

    def _plain(self, data):
        x, y = data
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"error": loss}

    _fast = optimize_memory(_plain)


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_model_is_trained_as_without(eagerly: bool) -> None:
    losses = []
    x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
    for decorated in (False, True):
        tf.keras.utils.set_random_seed(1)
        model = Trained(decorated)
        model.compile(optimizer="adam", run_eagerly=eagerly)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            losses.append(model.fit(x, x.sum(1, keepdims=True), epochs=3, batch_size=16, verbose=0, shuffle=False).history["error"])
    same(losses[0], losses[1])
    assert losses[0][-1] < losses[0][0]


_MIRRORED = """
import tensorflow as tf
from tfrewrite import optimize_memory
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    w = tf.Variable(tf.eye(4))

@optimize_memory(purpose="both", fidelity="tolerance")
def step(x):
    for _ in range(100):
        x = tf.tanh(tf.matmul(x, w))
    context = tf.distribute.get_replica_context()
    return context.all_reduce("sum", tf.reduce_sum(x))

for run in (strategy.run, tf.function(strategy.run)):
    for _ in range(2):
        found = strategy.experimental_local_results(run(step, (tf.ones([4, 4]),)))
        wanted = strategy.experimental_local_results(strategy.run(step.original, (tf.ones([4, 4]),)))
        assert abs(float(found[0]) - float(wanted[0])) < 1e-4, (found, wanted)
print("done")
"""


def test_under_a_distribution_strategy(tmp_path: Path) -> None:
    script = tmp_path / "mirrored.py"
    script.write_text(_MIRRORED)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=600, env=environment)
    assert done.stdout == "done\n", done.stderr[-3000:]


def test_an_error_of_ours_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimized.Optimized, "_version", lambda *args, **named: 1 / 0)

    @optimize_memory
    def fine(x):
        return x + 1

    with pytest.warns(OptimizeWarning, match="tfrewrite failed: ZeroDivisionError"):
        assert float(fine(tf.constant(1.0))) == 2.0
    assert float(fine(tf.constant(1.0))) == 2.0


def test_timeit_runs_it() -> None:
    assert timeit.timeit(lambda: turned(X), number=3) > 0


# Memory


def peak(function: Any, *args: Any) -> float:
    """The exact peak of a warm call, in MB."""
    import memray

    function(*args)
    with tempfile.TemporaryDirectory() as folder:
        capture = Path(folder) / "capture"
        with memray.Tracker(capture):
            function(*args)
        return float(memray.FileReader(capture).metadata.peak_memory) / 1e6


@optimize_memory
def chained(x):
    y = tf.square(x)
    z = y * 2.0
    w = z + 1.0
    return w


@optimize_memory
def collected(x, n):
    rows = []
    for i in range(n):
        rows.append(tf.tanh(x * i))
    return tf.add_n(rows)


@optimize_memory
def grown(x, n):
    rows = tf.zeros([0, 100, 100])
    for _ in range(n):
        rows = tf.concat([rows, x[None]], 0)
    return rows


@optimize_memory
def fading(x, n):
    for step in range(n):
        x = x + np.sin(step)
    return x


@pytest.mark.parametrize(
    ("function", "args", "ratio"),
    [(chained, (tf.ones([1000, 1000]),), 0.34), (collected, (tf.ones([500, 500]), 64), 0.1), (grown, (tf.ones([100, 100]), 100), 0.55)],
    ids=["chained", "collected", "grown"],
)
def test_less_memory_is_needed(function: Any, args: tuple[Any, ...], ratio: float) -> None:
    same(function(*args), function.original(*args))
    assert peak(function, *args) <= ratio * peak(function.original, *args)


def test_the_diff_can_be_applied(tmp_path: Path) -> None:
    user = module(tmp_path, LOOP.replace("@optimize_memory(", "@optimize_memory(\n    verify=False,\n    "))
    user["f"](X)
    path = Path(user["__file__"])
    subprocess.run(["patch", "-s", str(path)], input=user["f"].diff(), text=True, check=True, cwd=tmp_path)
    again = module(tmp_path, path.read_text(), "patched")
    assert (
        "def _f_loop(" in path.read_text()
        and '@optimize_memory(\n    verify=False,\n    purpose="both", fidelity="tolerance")\ndef f' in path.read_text()
    )
    same(again["f"](X), user["f"].original(X))


def test_what_tensorflow_logs_is_no_output(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"{LOOP}\nf(tf.ones([3]))\nassert f.rewrites, f.report()\nprint('done')\n")
    environment = {name: value for name, value in os.environ.items() if name != "TF_CPP_MIN_LOG_LEVEL"}
    environment["PYTHONPATH"] = str(Path(__file__).parent.parent)
    done = subprocess.run([sys.executable, "-W", "error::UserWarning", str(script)], capture_output=True, text=True, env=environment)
    assert done.stdout == "done\n", done.stderr[-2000:]


def test_a_module_that_is_needed_is_imported() -> None:
    same(fading(X, 30), fading.original(X, 30))
