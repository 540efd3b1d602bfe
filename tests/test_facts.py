"""What is said of a program, against what happens when it is run."""

from __future__ import annotations

import itertools
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np
import pytest
from forms import CALLS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from truth import Sizes, contradiction

from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, rewrite
from tfrewrite.facts import Facts, Mode, World
from tfrewrite.facts.infer import Inference
from tfrewrite.kinds import Kind, Sort, Symbol, number
from tfrewrite.ops import OPS, TENSORFLOW
from tfrewrite.ops.naming import canonical
from tfrewrite.ops.row import Op
from tfrewrite.outcomes import purposes
from tfrewrite.source import Source

FUZZ = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def facts_of(text: str) -> Facts:
    return Facts(Source(textwrap.dedent(text), "x.py"))


def last_call(facts: Facts, called: str = "use") -> Any:
    """The one argument of the last call of `use`."""
    calls = [node for node in facts.nodes([gast.Call]) if isinstance(node.func, gast.Name) and node.func.id == called]
    return max(calls, key=lambda node: (node.lineno, node.col_offset)).args[0]


# Worlds

EIGHT_LINES = """\
import tensorflow as tf
def spread(x, k): return tf.reduce_sum(tf.abs(x[:, None] - x[None]) * k, -1)
a = [spread(tf.ones([2000, 40]), 2.0), spread(tf.ones([3000, 40]), 3.0), spread(tf.ones([1000, 40]), 1.0)]
b = [spread(tf.ones([2000, 40]), 2.0), spread(tf.ones([3000, 40]), 3.0), spread(tf.ones([1000, 40]), 1.0)]
for i in range(100):
    a[0] = a[0] * i + spread(tf.ones([2000, 40]), 2.0)
print(a, b)
print(spread(tf.ones([2000, 40]), 2.0))
"""


def test_equal_suppositions_have_the_same_facts() -> None:
    facts = facts_of("def f(x):\n    return x\n")
    function, name = facts.tree.body[0], facts.tree.body[0].args.args[0]
    believed = facts.given(facts.world.called_here([function], {name: Kind(Sort.TENSOR, "float32")}))
    assert believed is facts.given(facts.world.called_here([function], {name: Kind(Sort.TENSOR, "float32")}))
    assert believed.given(believed.world.unsupposed()) is facts
    assert believed.kind(name).dtype == "float32" and facts.kind(name).dtype is None
    other = facts.given(facts.world.supposing({name: number(0.0)}))
    assert other.kind(name).value == 0.0
    assert facts.given(facts.world.supposing({name: number(-0.0)})).kind(name).value is None


def test_each_world_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds: list[tuple[gast.AST, World]] = []

    class Counted(Inference):
        def __init__(self, tree: gast.Module, scopes: Any, names: Any, contexts: Any, world: World, *rest: Any, **named: Any) -> None:
            worlds.append((tree, world))
            super().__init__(tree, scopes, names, contexts, world, *rest, **named)

    monkeypatch.setattr("tfrewrite.facts.Inference", Counted)
    rewrite(Source(EIGHT_LINES, "x.py"), Options(rules(), purposes=purposes("both")))
    assert len(worlds) == len(set(worlds)) <= 5


# Callers


TWO_CLASSES = """
import tensorflow as tf
class Actor:
    def train(self, x):
        return use(x)
class Critic:
    def train(self, x, y):
        return use(y)
class Agent:
    def __init__(self):
        self.actor = Actor()
        self.critic = Critic()
    def step(self):
        self.actor.train(tf.zeros([2, 3]))
        self.critic.train(tf.zeros([4]), tf.zeros([5, 6, 7]))
Agent().step()
"""


@pytest.mark.parametrize(("line", "ranks"), [("", (2, 3)), ("other.train(1)", (None, None)), ("Actor().train(tf.zeros([]))", (None, 3))])
def test_methods_of_one_name_are_told_apart(line: str, ranks: tuple[int | None, ...]) -> None:
    facts = facts_of(TWO_CLASSES + line)
    uses = [node for node in facts.nodes([gast.Call]) if isinstance(node, gast.Call) and getattr(node.func, "id", "") == "use"]
    assert tuple(facts.kind(one.args[0]).rank for one in uses) == ranks


@pytest.mark.parametrize(
    ("magic", "known"),
    [
        ("run_cell_magic('time', '', 'f(1)')", False),
        ("run_line_magic('time', 'f(1)')", False),
        ("run_line_magic('time', text)", False),
        ("run_line_magic('matplotlib', 'inline')", True),
        ("system('ls')", True),
    ],
)
def test_a_magic_may_call_anything(magic: str, known: bool) -> None:
    facts = facts_of(f"import tensorflow as tf\ndef f(x):\n    return use(x)\nf(tf.ones([2, 3]))\nget_ipython().{magic}\n")
    assert facts.kind(last_call(facts)).is_tensor is known


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("import fire\nfire.Fire()", False),
        ("import fire\nfire.Fire(main)", True),
        ("import cProfile\ncProfile.run('f(1)')", False),
        ("import timeit\ntimeit.timeit('f(1)', setup='from __main__ import f')", False),
        ("import timeit\ntimeit.timeit(lambda: 1)", True),
        ("import doctest\ndoctest.testmod()", False),
        ("import __main__\nhand(__main__)", False),
        ("import IPython\nIPython.embed()", False),
        ("tf.compat.v1.app.run()", False),
        ("from absl import app\napp.run(main)", True),
    ],
)
def test_a_library_may_take_everything_in_the_file(line: str, known: bool) -> None:
    facts = facts_of(f"import tensorflow as tf\ndef f(x):\n    return use(x)\nf(tf.ones([2, 3]))\n{line}\n")
    assert facts.kind(last_call(facts)).is_tensor is known


# Names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import tensorflow as tf; use(tf.matmul)", "tensorflow.matmul"),
        ("import tensorflow; use(tensorflow.matmul)", "tensorflow.matmul"),
        ("import tensorflow as t; use(t.linalg.matmul)", "tensorflow.matmul"),
        ("import tensorflow.compat.v2 as tf; use(tf.matmul)", "tensorflow.matmul"),
        ("from tensorflow.compat import v2 as tf; use(tf.linalg.matmul)", "tensorflow.matmul"),
        ("from tensorflow import matmul; use(matmul)", "tensorflow.matmul"),
        ("from tensorflow import matmul as mm; use(mm)", "tensorflow.matmul"),
        ("from tensorflow import linalg; use(linalg.matmul)", "tensorflow.matmul"),
        ("from tensorflow.linalg import matmul; use(matmul)", "tensorflow.matmul"),
        ("import tensorflow.linalg as la; use(la.matmul)", "tensorflow.matmul"),
        ("import tensorflow.linalg; use(tensorflow.linalg.matmul)", "tensorflow.matmul"),
        ("import tensorflow as tf; mm = tf.matmul; use(mm)", "tensorflow.matmul"),
        ("import tensorflow as tf\nla = tf.linalg\nmm = la.matmul\nuse(mm)", "tensorflow.matmul"),
        ("import tensorflow as tf\ndef f():\n    use(tf.matmul)", "tensorflow.matmul"),
        ("def f():\n    import tensorflow as tf\n    use(tf.matmul)", "tensorflow.matmul"),
        ("def f():\n    import tensorflow as tf\nuse(tf.matmul)", "builtins.tf.matmul"),
        ("def f(tf):\n    use(tf.matmul)\nimport tensorflow as tf", None),
        ("import tensorflow as tf\ntf = 3\nuse(tf.matmul)", None),
        ("import tensorflow as tf\ndef f():\n    tf = g()\n    use(tf.matmul)", None),
        ("import tensorflow as tf\nfor tf in x: use(tf.matmul)", None),
        ("import tensorflow as tf\nuse([tf.matmul for tf in x])", None),
        ("import tensorflow as tf\n[use(tf.matmul) for tf in x]", None),
        ("import tensorflow as tf\n[use(tf.matmul) for i in x]", "tensorflow.matmul"),
        ("import tensorflow as tf\n[(tf := i) for i in x]\nuse(tf.matmul)", None),
        ("import tensorflow as tf\ndef f():\n    global tf\n    tf = 1\nuse(tf.matmul)", None),
        ("import tensorflow as tf\ndef f():\n    def g():\n        nonlocal_ = 1\n    use(tf.matmul)", "tensorflow.matmul"),
        ("def f():\n    import tensorflow as tf\n    def g():\n        nonlocal tf\n        tf = 1\n    use(tf.matmul)", None),
        ("import tensorflow as tf\nwith x as tf: use(tf.matmul)", None),
        ("import tensorflow as tf\ntry: pass\nexcept E as tf: pass\nuse(tf.matmul)", None),
        ("import tensorflow as tf\nmatch x:\n    case [tf, *_]: use(tf.matmul)", None),
        ("import tensorflow as tf\nmatch x:\n    case {**tf}: use(tf.matmul)", None),
        ("import tensorflow as tf\nmatch x:\n    case [*tf]: use(tf.matmul)", None),
        ("import tensorflow as tf\nmatch x:\n    case int() as tf: use(tf.matmul)", None),
        ("import tensorflow as tf\nclass A:\n    tf = 1\n    def f(self): use(tf.matmul)", "tensorflow.matmul"),
        ("import tensorflow as tf\nclass A:\n    tf = 1\n    use(tf.matmul)", None),
        ("import tensorflow as tf\nclass A:\n    tf = g()\n    x = [use(tf.matmul) for i in y]", "tensorflow.matmul"),
        ("class A:\n    import tensorflow as tf\nuse(tf.matmul)", "builtins.tf.matmul"),
        ("import tensorflow as tf\nclass tf: pass\nuse(tf.matmul)", None),
        ("import tensorflow as tf\ndef tf(): pass\nuse(tf.matmul)", None),
        ("import tensorflow as tf\nlambda tf: use(tf.matmul)", None),
        ("import tensorflow as tf\nlambda x=use(tf.matmul), tf=1: x", "tensorflow.matmul"),
        ("import tensorflow as tf\ndef f(x=use(tf.matmul), tf=1): pass", "tensorflow.matmul"),
        ("import tensorflow as tf\ndef f(*tf): use(tf.matmul)", None),
        ("import tensorflow as tf\ndef f(**tf): use(tf.matmul)", None),
        ("import tensorflow as tf\ndel tf\nuse(tf.matmul)", None),
        ("try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\nuse(tf.matmul)", "tensorflow.matmul"),
        (
            "try:\n    import tensorflow.compat.v2 as tf\nexcept ImportError:\n    import tensorflow as tf\nuse(tf.matmul)",
            "tensorflow.matmul",
        ),
        ("try:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n    import tensorflow as tf\nuse(tf.matmul)", None),
        ("try:\n    import tensorflow as tf\nexcept ImportError:\n    import other as tf\nuse(tf.matmul)", None),
        ("from x import *\nimport tensorflow as tf\nuse(tf.matmul)", "tensorflow.matmul"),
        ("from x import *\nuse(len)", None),
        ("from tensorflow import *\nuse(matmul)", None),
        ("use(len)", "builtins.len"),
        ("len = 1\nuse(len)", None),
        ("from . import tensorflow as tf\nuse(tf.matmul)", None),
        ("from .tensorflow import matmul\nuse(matmul)", None),
        ("import tensorflow as tf\nuse(tf.math.multiply)", "tensorflow.multiply"),
        ("import tensorflow as tf\nuse(tf.keras.layers.Dense)", "tensorflow.keras.layers.Dense"),
        ("import numpy as np\nuse(np.random.rand)", "numpy.random.rand"),
        ("import tensorflow as tf\ntf.matmul = 3\nuse(tf.matmul)", None),
        ("import tensorflow as tf\nmm = tf.matmul\ndef f():\n    global mm\n    mm = g\nuse(mm)", None),
        ("import tensorflow as tf\nuse(tf.compat.v1.placeholder)", "tensorflow.compat.v1.placeholder"),
        ("import tensorflow as tf\nuse(f().matmul)", None),
        ("import tensorflow as tf\nfor i in x:\n    mm = tf.matmul\nuse(mm)", "tensorflow.matmul"),
        ("import tensorflow as tf\nif x: mm = tf.matmul\nelse: mm = tf.add\nuse(mm)", None),
        ("import tensorflow as tf\nmm, aa = tf.matmul, tf.add\nuse(mm)", None),
        ("import tensorflow as tf\nmm = aa = tf.matmul\nuse(mm)", None),
        ("tf = tf.compat.v1\nuse(tf.matmul)", None),
    ],
)
@pytest.mark.smoke
def test_names(text: str, name: str | None) -> None:
    facts = facts_of(text)
    if name is not None and name.startswith("builtins."):
        assert facts.names(last_call(facts)) in (name, None)
    else:
        assert facts.names(last_call(facts)) == name


# Operations

TENSORS = {
    "float32": "tf.constant([[1., -2.], [3., 4.]])",
    "vector": "tf.constant([0.5, 2., 3.])",
    "wide": "tf.ones([2, 3])",
    "cube": "tf.ones([2, 1, 2], tf.float16)",
    "empty": "tf.zeros([0, 2])",
    "scalar": "tf.constant(3.5)",
    "float64": "tf.constant([[2., 1.], [1., 3.]], tf.float64)",
    "bfloat16": "tf.ones([2], tf.bfloat16)",
    "int32": "tf.constant([1, 0, 2])",
    "int64": "tf.constant([[1, 0], [1, 1]], tf.int64)",
    "int8": "tf.constant([100, 100, -100], tf.int8)",
    "uint8": "tf.constant([1, 0], dtype=tf.uint8)",
    "uint32": "tf.constant([1, 0], dtype='uint32')",
    "bool": "tf.constant([True, False])",
    "complex64": "tf.constant([1 + 2j, 0.5j], tf.complex64)",
    "matrices": "tf.constant([[2 + 1j, 1], [1, 3]], tf.complex128)",
    "infinite": "tf.constant([float('inf'), -1.])",
    "large": "tf.constant([3e38, -3e38])",
    "huge": "tf.constant([2.0 ** 100], tf.float64)",
    "text": "tf.constant(['a', 'b'])",
    "variable": "tf.Variable([1., -2.])",
    "counter": "tf.Variable([[1, 2], [3, 4]], dtype=tf.int64)",
    "array": "np.ones([2, 2])",
    "integers": "np.array([1, 0])",
    "narrow": "np.ones([2], np.float32)",
    "list": "[1.0, 2.0]",
    "nested": "[[1, 2], [3, 4]]",
    "pair": "(1, 2.5)",
    "tensors": "[tf.ones([2]), tf.zeros([2])]",
    "uneven": "[tf.ones([2]), tf.zeros([3])]",
    "floats": "2.5",
    "number": "2",
    "minus": "-1",
    "big": "2 ** 40",
    "yes": "True",
}
AXES = ["0", "1", "-1", "-2", "[0, 1]", "[-1]", "[]", "None", "(0, -1)"]
SHAPES = [
    "[2, 3]",
    "(2,)",
    "[]",
    "[-1]",
    "[2, -1]",
    "[1, 4]",
    "[2, 2]",
    "[None, 2]",
    "[3, 2, 3]",
    "3",
    "tf.shape(wide)",
    "wide.shape",
    "[number, 2]",
    "np.array([2, 3])",
    "tf.constant([2, 2])",
]
DTYPES = ["tf.float64", "tf.int32", "'int64'", "np.float32", "float", "int", "bool", "tf.complex64", "float64.dtype", "tf.uint8", "None"]


def calls(name: str, op: Op) -> Iterator[str]:
    """Argument lists to try an operation with; most of them fit only some values."""
    x = [*TENSORS]
    if name in CALLS:
        yield from (
            form.format(x=a, y=b) for form in CALLS[name] for a in (x if "{x}" in form else x[:1]) for b in (x if "{y}" in form else x[:1])
        )
        return
    match op.parameters:
        case ("persistent", *_):
            yield from ("", "persistent=True")
        case ("start",):
            yield from ("3", "number")
        case ("x",) | ("value", "dtype"):
            yield from x
            if len(op.parameters) == 2:
                yield from (f"{value}, {dtype}" for value in x for dtype in DTYPES)
                yield from (f"{value}, dtype={dtype}" for value in ("list", "number", "array") for dtype in DTYPES)
            else:
                yield from (f"{value}, {axis}" for value in x for axis in ("0", "1", "-1", "[0]"))
                yield from (f"{value}, axis={axis}" for value in x for axis in ("0", "-1", "[0]", "[-1]"))
                yield from ("float32, 1, 0", "float32, 0, -1", "int32, 'DESCENDING'", "wide, -1, -1", "float32, shift=1, axis=0")
                yield from ("float32, -1, 'DESCENDING'", "vector, exclusive=True", "floats, name='n'", "wide, shift=[1, 1], axis=[0, 1]")
                yield from ("(wide, float32)", "(wide, int32)", "(vector, float64), name='n'", "{'a': wide}", "float32, keepdims=True")
        case ("x", "beta" | "alpha"):
            yield from x
            yield from (f"{value}, {more}" for value in x for more in ("0.5", "2", "[0.5]", "wide"))
        case ("x", "axis"):
            yield from x
            yield from (f"{value}, {axis}" for value in x for axis in [*AXES, "2", "-3"])
            yield from (f"{value}, axis={axis}" for value in ("cube", "wide", "number") for axis in AXES)
        case ("x", "y") | ("y", "x"):
            yield from (f"{a}, {b}" for a, b in itertools.product(x, x))
            yield from ("x=float32, y=vector", "wide, name='n', y=2.0", "x=wide, y=[1., 2., 3.]")
        case ("x", "axis", "keepdims"):
            yield from x
            yield from (
                f"{value}, {axis}{keep}" for value in x for axis in AXES for keep in ("", ", True", ", keepdims=True", ", keepdims=False")
            )
            yield from (f"{value}, keepdims=True" for value in x)
            yield from (
                "axis=0, input_tensor=wide",
                "wide, axis=number",
                "wide, axis=tf.constant(0)",
                "wide, 0, keepdims=yes",
                "wide, None, True",
            )
        case ("x", "axis", "output_type"):
            yield from x
            yield from (f"{value}, {axis}" for value in x for axis in ("0", "1", "-1", "None"))
            yield from (
                "wide, 0, tf.int32",
                "wide, output_type=tf.int32",
                "wide, axis=1, output_type=tf.int64",
                "vector, output_type='uint16'",
            )
        case ("shape", *_) if name.startswith(("random", "numpy")) or name in ("zeros", "ones"):
            seed = "[1, 2], " if "stateless" in name else ""
            yield from (f"{shape}, {seed}".strip(", ") for shape in SHAPES)
            yield from (f"{shape}, {seed}dtype={dtype}" for shape in ("[2, 3]", "3") for dtype in DTYPES)
            yield from (f"shape={shape}, dtype=tf.float32" + (", seed=[1, 2]" if seed else "") for shape in SHAPES)
            yield from (
                f"[9], {seed}{bounds}"
                for bounds in ("0, 5, tf.int32", "maxval=5, dtype=tf.int64", "maxval=number, dtype=tf.int32", "3, 9, tf.int32")
            )
            yield from (
                f"[9], {seed}{bounds}"
                for bounds in ("0., 2.", "mean=0., stddev=2.", "vector[0], 9.", "0., tf.constant(float('inf'))", "0., 1e39")
            )
            yield from (
                f"[9], {seed}{bounds}"
                for bounds in ("0, 5", "1.0, 2.0, tf.float64", "minval=2, maxval=9, dtype=tf.int32", "float('nan'), 1.")
            )
        case ("shape", "value"):
            yield from (
                f"{shape}, {value}"
                for shape in SHAPES
                for value in ("1.0", "number", "True", "scalar", "float64[0, 0]", "1e39", "'a'", "integers[0]", "big")
            )
            yield from ("dims=[2], value=1", "[2, 2], value=infinite[0]")
        case ("rows", *_):
            yield from (
                "2",
                "2, 3",
                "number, 3",
                "3, num_columns=2",
                "2, None",
                "2, batch_shape=[3]",
                "2, 2, [3]",
                "2, dtype=tf.int32",
                "tf.shape(wide)[0]",
            )
            yield from ("num_rows=3, dtype='float64'", "2, None, None, tf.bool", "scalar", "tf.constant(2)", "2, tf.constant(3)")
        case ("start", *_):
            ends = (
                "3",
                "number",
                "0",
                "-2",
                "2.5",
                "tf.constant(4)",
                "tf.constant(4, tf.int64)",
                "big // 2 ** 38",
                "scalar",
                "tf.shape(wide)[1]",
                "True",
            )
            yield from ends
            yield from (f"{a}, {b}" for a in ("1", "0.5", "tf.constant(1)", "minus") for b in ends)
            yield from (f"{a}, {b}, {c}" for a in ("0", "1") for b in ("7", "2.5", "-3") for c in ("2", "-1", "0.5", "number"))
            yield from (f"{a}, dtype={dtype}" for a in ("3", "2.5", "number") for dtype in DTYPES)
            yield from (
                "1, 5, dtype=tf.float32",
                "0, limit=4",
                "1, 9, delta=3",
                "start=2, stop=4",
                "5, None",
                "5, delta=2",
                "5, None, 2",
                "limit=3, start=1",
            )
        case ("value", "dtype", "shape"):
            yield from x
            yield from (f"{value}, {dtype}" for value in x for dtype in DTYPES)
            yield from (
                f"{value}, shape={shape}"
                for value in ("1", "2.5", "[1, 2, 3, 4]", "scalar", "array")
                for shape in ("[2, 2]", "[4]", "[]", "wide.shape", "None")
            )
            yield from (
                "1, tf.float32, [3]",
                "float('inf')",
                "float('nan')",
                "[float('inf'), 1.0]",
                "1e39",
                "[1e39]",
                "1e300, tf.float32",
                "[[], []]",
                "[]",
                "1j",
            )
            yield from (
                "5e4, tf.float16",
                "1e5, tf.float16",
                "[True, 2]",
                "[1, 2.5]",
                "[None]",
                "b'a'",
                "'abc'",
                "[[1, 2], [3]]",
                "2 ** 31",
                "[2 ** 31]",
                "[1, 2 ** 40]",
            )
        case ("x", "dtype"):
            yield from x
            yield from (f"{value}, {dtype}" for value in x for dtype in [*DTYPES, "tf.int8", "tf.bool", "tf.float16", "tf.bfloat16"])
            yield from (
                "tf.constant([float('nan')]), tf.int32",
                "big, tf.float16",
                "tf.constant(2 ** 40, tf.int64), tf.float16",
                "1e39, tf.float32",
                "1e300, tf.float64",
            )
            yield from (
                "input=wide",
                "wide, dtype='int32'",
                "tf.range(300), tf.uint8",
                "tf.range(300), tf.int8",
                "tf.range(5), tf.int64",
                "tf.argmax(wide), tf.int32",
            )
        case ("indices", *_):
            yield from (f"{value}, {depth}" for value in x for depth in ("3", "number", "tf.constant(2)", "tf.shape(wide)[1]"))
            yield from (f"{value}, 3, axis={axis}" for value in ("int32", "int64", "number") for axis in ("0", "1", "-1", "2"))
            yield from (
                "int32, 3, 5., 2.",
                "int32, 3, on_value=5",
                "int32, 3, off_value=True, on_value=False",
                "int32, 3, dtype=tf.int32",
                "int32, 3, None, None, 0",
            )
            yield from ("int32, 3, on_value=float('inf'), off_value=0.0", "indices=[1, 0], depth=2, dtype=tf.bool", "int32, 3, 1e39, 0.0")
        case ("x", "shape"):
            yield from (f"{value}, {shape}" for value in x for shape in SHAPES)
            yield from (
                "wide, shape=[3, 2]",
                "tensor=wide, shape=[-1]",
                "wide, [number, 3]",
                "vector, [number, number + 1]",
                "empty, [0, -1, 2]",
                "wide, [-1, 0]",
            )
        case ("x", "perm", "conjugate"):
            yield from x
            yield from (
                f"{value}, {perm}"
                for value in x
                for perm in ("[1, 0]", "[0, 2, 1]", "None", "perm=(2, 0, 1)", "[0]", "tf.constant([1, 0])", "[-1, 0]", "[]")
            )
            yield from ("wide, conjugate=True", "a=wide", "complex64, None, True")
        case ("values",):
            yield from (
                "[wide, wide]",
                "[wide]",
                "(vector, [1., 2., 3.])",
                "tensors",
                "uneven",
                "[int32, [1, 2, 3]]",
                "[wide, variable]",
                "[]",
            )
            yield from (
                "inputs=[wide, wide]",
                "[wide, float64]",
                "[scalar, 2]",
                "[2.5, scalar]",
                "[1, 2]",
                "[array, array]",
                "[float64, array]",
            )
        case ("values", "axis"):
            lists = (
                "[wide, wide]",
                "[wide]",
                "(wide, float32)",
                "[vector, [1., 2., 3.]]",
                "tensors",
                "uneven",
                "wide",
                "[1, 2]",
                "[scalar, 2]",
                "[wide, variable]",
                "[]",
            )
            more: tuple[str, ...] = (
                "[float64, array]",
                "[int32, [1, 2, 3]]",
                "[2.5, scalar]",
                "[number, 2.5]",
                "[cube, cube, cube]",
                "[[1.0], vector]",
                "[empty, wide]",
                "nested",
                "array",
            )
            more += (
                "[array, narrow]",
                "[array, float64]",
                "[True, False]",
                "[1, integers[0]]",
                "[infinite, infinite]",
                "[1, tf.constant(1, tf.int64)]",
                "[[1], [2.5]]",
                "vector",
            )
            yield from (f"{values}, {axis}" for values in lists + more for axis in ("0", "1", "-1", "axis=0", "axis=-2", "2", "number"))
            yield from (
                *lists,
                *more,
                "[wide for _ in range(2)], 0",
                "list(tensors), 0",
                "tensors + tensors, 0",
                "tensors * 2, axis=0",
                "tf.unstack(wide), 0",
            )
        case ("x", "multiples"):
            yield from (
                f"{value}, {factors}"
                for value in x
                for factors in ("[2]", "[2, 1]", "[1, number]", "[1, 1, 3]", "tf.constant([2, 2])", "tf.shape(wide)", "[0, 2]", "2")
            )
            yield from ("wide, multiples=(1, 2)", "input=vector, multiples=[3]", "vector[None], [tf.shape(wide)[0], 1]")
        case ("x", "repeats", "axis"):
            yield from (
                f"{value}, {count}{axis}"
                for value in x
                for count in ("2", "number", "[1, 2]", "[2]", "0", "tf.constant(2)", "int32[0]")
                for axis in ("", ", 0", ", axis=1", ", -1", ", None")
            )
            yield from (
                "wide, repeats=2, axis=0",
                "vector, [1, 0, 2]",
                "vector, tf.constant([1, 0, 2])",
                "wide, tf.constant([1, 2]), 0",
                "vector, int32",
            )
        case ("x", "indices", *_):
            yield from (
                f"{table}, {ids}"
                for table in x
                for ids in ("0", "[0, 1]", "int64", "[[0], [1]]", "tf.constant(1)", "np.array([0])", "number", "tf.range(2)")
            )
            yield from (
                f"wide, [0, 1]{more}"
                for more in (", axis=1", ", axis=-1", ", axis=0", ", None, 1", ", axis=number", ", batch_dims=0", ", axis=None")
            )
            yield from (
                "wide, int64, axis=1, batch_dims=1",
                "params=wide, indices=[1]",
                "wide, [[0], [1]], batch_dims=1",
                "wide, ids=[1]",
                "wide, [0], max_norm=1.0",
            )
            yield from ("wide, [0, 5]", "[wide, wide], [0, 1]", "[wide, float64], [0, 1]", "[vector, vector], [0, 1]", "[variable], [0]")
        case ("x", "y", "transpose_a", *_):
            yield from (f"{a}, {b}" for a, b in itertools.product(x, x))
            flags = (
                "transpose_b=True",
                "True",
                "False, True",
                "adjoint_a=True",
                "transpose_a=True, transpose_b=False",
                "transpose_b=yes",
                "True, True",
            )
            yield from (
                f"{a}, {b}, {flag}"
                for a, b in itertools.product(("float32", "wide", "cube", "float64", "tf.ones([3, 2, 2])", "complex64[None]"), repeat=2)
                for flag in flags
            )
            yield from (
                "a=wide, b=wide, transpose_b=True",
                "tf.ones([5, 1, 2, 3]), tf.ones([4, 3, 2])",
                "tf.ones([2, 3], tf.int8), tf.ones([3, 2], tf.int8), output_type=tf.int32",
            )
            yield from (
                "wide, [[1.], [2.], [3.]]",
                "[[1.]], [[2.]]",
                "wide, vector[:, None]",
                "float32, array",
                "array, float32",
                "array, narrow[None]",
            )
        case ("x", "name", "k", *_):
            yield from x
            yield from (f"{value}, {more}" for value in x for more in ("1", "k=0", "k=-1", "k=1"))
            yield from ("wide, k=(0, 1)", "float64, k=(-1, 1)")  # on a vector TensorFlow aborts
            yield from (
                "vector, num_rows=5",
                "vector, 0, 5, 4",
                "diagonal=vector",
                "tf.ones([2, 3])",
                "wide, padding_value=9.0",
                "vector, name='n'",
                "wide, name='n'",
                "input=cube",
            )
        case ("x", "out_type"):
            yield from x
            yield from (f"{value}, {dtype}" for value in x for dtype in ("tf.int64", "tf.int32", "out_type=tf.int64", "out_type='int64'"))
            yield from ("input=wide",)
        case ("value", "trainable", *_):
            yield from x
            yield from (f"{value}, dtype={dtype}" for value in x for dtype in DTYPES)
            yield from (
                "wide, False",
                "wide, trainable=yes",
                "initial_value=wide",
                "wide, shape=tf.TensorShape(None)",
                "wide, shape=[None, 3]",
                "lambda: wide",
                "wide, name='n'",
            )
        case ("x", "num", "axis"):
            yield from x
            yield from (f"{value}, {more}" for value in x for more in ("2", "axis=0", "axis=1", "axis=-1", "num=2", "num=None"))
        case ("x", "sizes", "axis"):
            yield from (
                f"{value}, {sizes}{axis}"
                for value in x
                for sizes in ("1", "2", "[1, 1]", "[2, -1]", "number", "[1]", "(1, 2)", "[2]")
                for axis in ("", ", 0", ", axis=1", ", -1")
            )
            yield from ("value=wide, num_or_size_splits=2", "wide, 3, 1", "wide, tf.constant([1, 1])", "wide, 2, num=None", "wide, 0")
        case ("condition", "x", "y"):
            yield from x
            conditions = ("bool", "[True, False]", "True", "wide > 0", "cube > 0", "tf.constant(False)")
            yield from (
                f"{condition}, {a}, {b}"
                for condition in conditions
                for a in x
                for b in ("2.0", "wide", "number", "infinite", "scalar", "float64", "list", a)
            )
            yield from (
                "bool, x=1, y=2",
                "condition=bool",
                "tf.ones([2, 2, 2]) > 0",
                "bool, 1e39, 0.0",
                "bool, [1, 2], [3.5, 4]",
                "bool, None, None",
            )
        case ("x", "low", "high"):
            yield from (
                f"{value}, {bounds}"
                for value in x
                for bounds in ("0, 1", "0., 1.", "0, number", "wide, wide", "wide, 2.", "scalar, scalar", "0, [[5], [6]]", "-1, 1")
            )
            yield from (
                "tf.range(9), 0, 5",
                "wide, clip_value_min=0., clip_value_max=1.",
                "tf.range(-3, 9), 0, 0",
                "tf.range(9), 5, 0",
                "scalar, 0., vector",
                "tf.range(-4, 0), 0, -2",
            )
        case ("d0", *_):
            yield from ("", "2", "2, 3", "number, 3", "0")
        case ("mean", *_):
            yield from (
                "",
                "0, 1",
                "size=3",
                "0., 1., [2, 3]",
                "size=(number, 2)",
                "size=None",
                "array, 1.0",
                "array, 1.0, [2, 2]",
                "0, 1, None",
                "loc=0., size=2",
                "low=0., size=2",
                "0., scale=1., size=[]",
            )
        case ("cond", "body", *_):
            keep, grow = "lambda i, x: i < 2, lambda i, x: (i + 1, x * 2)", "lambda i, x: i < 2, lambda i, x: (i + 1, tf.concat([x, x], 0))"
            yield from (
                f"{keep}, (0, wide), shape_invariants=(tf.TensorShape([]), wide.shape)",
                f"{keep}, (0, wide)",
                f"{keep}, [0, wide]",
                f"{keep}, (0, wide), shape_invariants=(tf.TensorShape([]), tf.TensorShape([2, 3])), maximum_iterations=1",
                f"{grow}, (0, wide), shape_invariants=(tf.TensorShape([]), tf.TensorShape([None, 3]))",
                f"{grow}, (0, wide), shape_invariants=(tf.TensorShape([]), tf.TensorShape(None))",
                "lambda x: tf.reduce_sum(x) < 9.0, lambda x: (x + 1.0,), (wide,), shape_invariants=(wide.shape,)",
            )
        case ("size",):
            yield from ("", "3", "[2, 3]", "size=(number,)", "None", "size=None", "[]", "()")
        case ("low", *_):
            yield from (
                "3",
                "0, 3",
                "3, size=4",
                "0, 9, (2, 3)",
                "5, size=[2], dtype=np.int32",
                "5, size=None",
                "3, None, 2",
                "0, [3, 4], size=2",
                "9, size=()",
                "5, size=3, dtype=int",
                "2, size=2, dtype=bool",
            )


def differential(name: str, arguments: list[str]) -> tuple[int, list[str]]:
    """Call an operation with all of the arguments: how often that worked, and what was said of a result and isn't so."""
    function = name if name.startswith("numpy.") else f"tf.{name}"
    function = function.replace("numpy.", "np.")
    head = ["import numpy as np", "import tensorflow as tf", *(f"{key} = {value}" for key, value in TENSORS.items())]
    text = "\n".join([*head, *(f"result = {function}({one})" for one in arguments)])
    facts = Facts(Source(text, "x.py"))
    inside_f = {node.lineno: node for node in facts.nodes([gast.Name]) if isinstance(node.ctx, gast.Store) and node.id == "result"}
    namespace: dict[str, Any] = {}
    exec("\n".join(head), namespace)
    worked, wrong = 0, []
    for line, one in enumerate(arguments, len(head) + 1):
        try:
            exec(f"result = {function}({one})", namespace)
        except Exception:  # what can't be called has no result to be wrong about
            continue
        worked += 1
        kind = facts.kind(inside_f[line])
        found = contradiction(kind, namespace["result"], {})
        if found is not None:
            wrong.append(f"{function}({one}): {found}; said: {kind}")
    return worked, wrong


KNOWN = {name.removeprefix("tensorflow."): row for name, row in OPS.items() if row.is_known}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(KNOWN))
def test_operations(name: str) -> None:
    if name == "numpy.random.default_rng":
        facts = facts_of("import numpy as np\nuse(np.random.default_rng(1))")
        assert facts.kind(last_call(facts)) == Kind(Sort.GENERATOR, instance="numpy.random")
        return
    if name == "GradientTape" or "enerator" in name:
        facts = facts_of(f"import tensorflow as tf\nuse(tf.{name}({'1' if name.endswith('seed') else ''}))")
        assert facts.kind(last_call(facts)).sort is (Sort.TAPE if name == "GradientTape" else Sort.GENERATOR)
        return
    if name == "TensorSpec":
        facts = facts_of("import tensorflow as tf\nuse(tf.TensorSpec([2, 3], tf.int32))")
        kind = facts.kind(last_call(facts))
        assert (kind.sort, kind.dtype, kind.shape) == (Sort.OBJECT, "int32", (2, 3))
        return
    worked, wrong = differential(name, list(calls(name, KNOWN[name])))
    assert not wrong, "\n".join(wrong[:20]) + f"\n{len(wrong)} in all"
    assert worked, "no call of it was possible"


@pytest.mark.parametrize(
    "call", ["normal([2, 3])", "uniform(shape=[4], maxval=5, dtype=tf.int32)", "truncated_normal([2], dtype=tf.float64)"]
)
def test_what_a_generator_draws(call: str) -> None:
    text = f"import tensorflow as tf\ng = tf.random.Generator.from_seed(1)\nresult = g.{call}"
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    facts = facts_of(f"{text}\nuse(g.{call})")
    kind = facts.kind(last_call(facts))
    assert kind.is_tensor and kind.dtype is not None and kind.rank is not None
    assert contradiction(kind, namespace["result"], {}) is None
    assert not facts.pure(last_call(facts))


@pytest.mark.parametrize(
    "call",
    [
        "normal(size=[2, 3])",
        "uniform(0, 2, 4)",
        "random((2, 1))",
        "standard_normal(5)",
        "integers(0, 5, [2, 2])",
        "integers(0, 5, 3, np.int32)",
    ],
)
def test_what_a_generator_of_numpy_draws(call: str) -> None:
    text = f"import numpy as np\ng = np.random.default_rng(1)\nresult = g.{call}"
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    facts = facts_of(f"{text}\nuse(g.{call})")
    kind = facts.kind(last_call(facts))
    assert kind.sort is Sort.ARRAY and kind.dtype is not None and kind.rank is not None
    assert contradiction(kind, namespace["result"], {}) is None
    assert not facts.pure(last_call(facts))


def test_the_names_of_operations_are_the_ones_that_names_lead_to() -> None:
    assert all(canonical(f"tensorflow.{row.name}") == f"tensorflow.{row.name}" for row in TENSORFLOW)


def test_operations_are_said_something_of() -> None:
    """Silence is never wrong, but the common cases have to be known."""
    known = {
        "matmul": ("wide, float32, True", "float32", (3, 2)),
        "reduce_sum": ("wide, 0", "float32", (3,)),
        "concat": ("[wide, wide], 0", "float32", (4, 3)),
        "stack": ("[wide, wide]", "float32", (2, 2, 3)),
        "transpose": ("wide", "float32", (3, 2)),
        "reshape": ("wide, [-1]", "float32", (6,)),
        "one_hot": ("int32, 4", "float32", (3, 4)),
        "cast": ("int32, tf.float64", "float64", (3,)),
        "tile": ("wide, [2, 1]", "float32", (4, 3)),
        "gather": ("wide, int32", "float32", (3, 3)),
        "linalg.diag": ("vector", "float32", (3, 3)),
        "range": ("5", "int32", (5,)),
    }
    for name, (arguments, dtype, shape) in known.items():
        head = "\n".join(f"{key} = {value}" for key, value in TENSORS.items())
        facts = facts_of(f"import numpy as np\nimport tensorflow as tf\n{head}\nuse(tf.{name}({arguments}))")
        kind = facts.kind(last_call(facts))
        assert (kind.sort, kind.dtype, kind.shape) == (Sort.TENSOR, dtype, shape), name


# Programs

EXPRESSIONS = [
    "{x}", "{x}", "-{x}", "{x} + {x}", "{x} * 2", "{x} - {y}", "{x} / {y}", "{x} * 2.0 + {y}", "{x} % 3", "{x} // 2", "{x} > 0",
    "tf.square({x})", "tf.transpose({x})", "tf.reshape({x}, [-1])", "tf.reshape({x}, [1, -1])", "tf.reshape({x}, tf.shape({y}))",
    "tf.concat([{x}, {x}], 0)", "tf.concat([{x}, {y}], axis=-1)", "tf.stack([{x}, {x}])", "tf.reduce_sum({x})", "tf.reduce_sum({x}, axis=0)",
    "tf.reduce_mean({x}, -1, keepdims=True)", "tf.expand_dims({x}, 0)", "{x}[0]", "{x}[None]", "{x}[:1]", "{x}[..., None]", "{x}[..., 0]",
    "tf.zeros([n, 2])", "tf.ones(tf.shape({x}))", "tf.zeros({x}.shape)", "tf.zeros_like({x})", "tf.cast({x}, tf.float64)", "tf.cast({x}, tf.int32)",
    "tf.tile(tf.reshape({x}, [1, -1]), [n, 1])", "tf.matmul(tf.reshape({x}, [-1, 1]), tf.reshape({y}, [1, -1]))", "{x} @ tf.transpose({x})",
    "tf.repeat({x}, 2, axis=0)", "tf.range(n)", "tf.one_hot(tf.range(n), 4)", "tf.argmax({x})", "tf.where({x} > 0, {x}, {y})",
    "({x} if flip() else {y})", "g({x})", "h({x}, {y})", "(c := {x} * 2)", "tf.stack([row for row in {x}])", "tf.stack([e * 2 for e in [{x}, {x}]])",
    "tf.ensure_shape({x}, [None, None])", "tf.broadcast_to({x}, tf.shape({y} + {x}))", "tf.identity(v)", "v + {x}", "v", "w", "s.w",
    "tf.zeros([{x}.shape[0], 3])", "tf.zeros([len({x}), n])", "tf.ones([tf.shape({x})[0], 2])", "tf.fill([n, m], 2.0)", "tf.constant([1.0, 2.0])",
    "np.ones([2, 3])", "tf.linalg.diag({x})", "tf.gather({x}, tf.range(m))", "tf.gather({x}, [[0, 1]], axis=1)", "tf.gather({x}, [0, 0, 1], axis=-1)", "(lambda q: q + {x})({y})", "tf.eye(n, m)", "pair[0]", "pair[1] * 2",
    "tf.stack([(c := e) for e in [{x}, {y}]])",
    "[tf.shape(c), (c := {x})] and {y}",
    "(flip() and (c := {x})) or {y}",
    "((c := {x}) if flip() else {y})",
    "~({x} > 0)", "({x} > 0) & ({y} > 1)", "(~tf.cast({x}, tf.int32)) | 1", "tf.cast({x}, tf.int64) ^ 3",
    "tf.math.top_k({x}, 1).indices", "tf.einsum('ij,kj->ik', {x}, {y})", "tf.pad({x}, [[0, 1], [0, 0]])", "tf.slice({x}, [0, 0], [1, -1])",
    "tf.abs({x})", "tf.split({x}, 2)[0]", "tf.unstack({x})[0]", "tf.squeeze({x})", "tf.tile({x}[None], [m, 1, 1])[0]",
]  # fmt: skip
NUMBERS = [
    "n + 1",
    "m",
    "2",
    "3",
    "len(a)",
    "a.shape[0]",
    "b.shape[-1]",
    "n * m",
    "n // 2 + 1",
    "max(n, m)",
    "tf.shape(a)[0]",
    "int(n)",
    "-n",
    "i",
]
NAMES = ["a", "b", "c"]
SIMPLE = [
    "{t} = {e}", "{t} = {e}", "{t} = {e}", "{t} = {e}", "{t} += {e}", "{t} *= 2", "a, b = b, a", "{t}, {u} = {e}, {f}", "n = {n}", "m = {n}", "n, m = m, n",
    "{t} = {u} = {e}", "w = {e}", "v.assign(v + 1.0)", "pair = ({e}, {f})", "pair = [{e}, {f}]", "{t}, {u} = pair", "pair.append({e})", "pair += [{e}]", "pair += {t}",
    "maybe_raise()", "assert len({t}.shape) == 2", "tf.debugging.assert_rank({t}, 2)", "n, m = {t}.shape", "del {t}; {t} = {e}", "{t}: tf.Tensor = {e}",
    "rebind()",
    "def {t}(): pass",
    "class {t}: pass",
    "import numpy as {t}",
    "[(c := e) for e in pair]", "s.w = {e}", "tf.debugging.assert_equal(tf.shape({t}), tf.shape({u}))", "{t}.shape.assert_has_rank(2)", "*_, {t} = {e}, {f}",
]  # fmt: skip
NESTED = [
    "if flip():\n{}", "if flip():\n{}\nelse:\n{}", "for i in range(3):\n{}", "for i in range(n):\n{}\nelse:\n{}", "while flip():\n{}",
    "while flip():\n{}\nelse:\n{}", "for row in {t}:\n{}", "for a in [b, c]:\n{}", "for a, b in zip([b, c], [c, a]):\n{}", "try:\n{}\nexcept Exception:\n{}",
    "try:\n{}\nexcept Exception as error:\n{}\nelse:\n{}\nfinally:\n{}", "try:\n{}\nfinally:\n{}", "with tf.GradientTape() as tape:\n{}",
    "with quiet():\n{}",
    "match {e}:\n    case {t}:\n{{}}",
    "while (c := {e}) is not None and flip():\n{}",
    "with quiet() as {t}:\n{}", "if (c := {e}) is not None and flip():\n{}", "match n:\n    case 1 | 2:\n{{}}\n    case a_ if flip():\n{{}}\n    case _:\n{{}}",
    "for i, a in enumerate({t}):\n{}", "for w in {t}, {u}:\n{}", "if {t}.shape.rank == 2:\n{}", "if len({t}.shape) == 2 and {t}.shape == {u}.shape:\n{}",
]  # fmt: skip
HEAD = """\
import numpy as np
import tensorflow as tf
v = tf.Variable(tf.ones([2, 3]))
w = tf.ones([3, 2])
n, m = 2, 3

def g(q):
    {g}

def h(p, q):
    r = p
    {h}
    return r

def rebind():
    global w
    w = {w}

class S:
    def __init__(self):
        self.w = tf.ones([2, 2])

"""
INITIAL = [
    "tf.ones([2, 3])",
    "tf.zeros([3])",
    "tf.constant([[1.0, 2.0], [3.0, 4.0]])",
    "tf.constant([1, 0, 2])",
    "tf.constant(2.0)",
    "tf.ones([1, 3])",
    "np.ones([2, 2])",
]


@st.composite
def programs(draw: st.DrawFn, probes: bool = True) -> str:
    """A program that gives its names all sorts of tensors, and shows them to `probe` on the way."""

    def expression(names: list[str]) -> str:
        text = draw(st.sampled_from(EXPRESSIONS))
        return text.format(x=draw(st.sampled_from(names)), y=draw(st.sampled_from(names)))

    def filled(text: str) -> str:
        names = st.sampled_from(NAMES)
        return text.format(
            "{}", "{}", "{}", "{}", t=draw(names), u=draw(names), e=expression(NAMES), f=expression(NAMES), n=draw(st.sampled_from(NUMBERS))
        )

    def block(depth: int, indentation: str, in_loop: bool) -> str:
        lines = []
        for _ in range(draw(st.integers(1, 5 if depth == 2 else 3))):
            if depth and draw(st.integers(0, 2)) == 0:
                template = draw(st.sampled_from(NESTED))
                head = filled(template)
                deeper = indentation + " " * (8 if template.startswith("match") else 4)
                own = template.startswith(("for", "while"))  # but not the `else` of a loop
                bodies = [block(depth - 1, deeper, in_loop or (own and place == 0)) for place in range(head.count("{}"))]
                shown = head.replace("\n", "\n" + indentation).replace(indentation + "{}", "{}")
                lines.append(indentation + shown.format(*bodies))
            else:
                lines.append(indentation + filled(draw(st.sampled_from(SIMPLE))))
            if probes:
                lines.append(f"{indentation}probe(a, b, c, n, m, w, v)")
        if in_loop and draw(st.integers(0, 4)) == 0:
            lines.append(indentation + draw(st.sampled_from(["break", "continue", "if flip(): break", "if flip(): continue"])))
        return "\n".join(lines)

    q = ["q"]
    head = HEAD.format(
        g=draw(st.sampled_from(["return q * 2", f"return {expression(q)}", "if flip():\n        return q\n    return tf.square(q)"])),
        h=f"r = {expression(['p', 'q'])}" if draw(st.booleans()) else "pass",
        w=draw(st.sampled_from(INITIAL)),
    )
    start = [
        f"a = {draw(st.sampled_from(INITIAL))}",
        f"b = {draw(st.sampled_from(INITIAL))}",
        "c = a + 1",
        "n, m, i = 2, 3, 1",
        "pair = (a, b)",
        "s = S()",
    ]
    where = draw(st.sampled_from(["module", "function", "method"]))
    if where == "module":
        return head + "\n".join(start) + "\n" + block(2, "", False) + "\n"
    body = block(2, "    ", False)
    given = f"    c = a + b\n    m, i = 3, 1\n    pair = (a, b)\n    s = S()\n{body}\n    return a, b, c\n"
    annotation = draw(st.sampled_from(["", ": tf.Tensor"]))
    first = INITIAL[:-1] if annotation else INITIAL  # what an annotation says is believed
    arguments = [
        f"{draw(st.sampled_from(first))}, {draw(st.sampled_from(INITIAL))}, {draw(st.integers(1, 3))}"
        for _ in range(draw(st.integers(1, 2)))
    ]
    tail = "".join(f"try:\n    run({one})\nexcept Exception:\n    pass\n" for one in arguments)
    return head + f"def run(a{annotation}, b, n):\n" + given + tail


class _Stop(BaseException):
    """Ends a program that has run for long enough."""


class _Quiet:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> bool:
        return True


def execute(text: str, flips: list[bool], probe: Any) -> dict[str, Any]:
    rest = iter(flips)

    def maybe_raise() -> None:
        if next(rest, False):
            raise ValueError

    namespace = {"flip": lambda: next(rest, False), "maybe_raise": maybe_raise, "probe": probe, "quiet": _Quiet}
    exec(compile(text, "program", "exec"), namespace)
    return namespace


def check_program(text: str, flips: list[bool]) -> None:
    facts = Facts(Source(text, "program.py"))
    probed = {node.lineno: node for node in facts.nodes([gast.Call]) if isinstance(node.func, gast.Name) and node.func.id == "probe"}
    budget = iter(range(60))

    def probe(*values: Any) -> None:
        line = sys._getframe(1).f_lineno
        if next(budget, None) is None or any(np.size(value) > 5000 or np.ndim(value) > 5 for value in values):
            raise _Stop
        for believed in (facts, facts.given(facts.world.believing_callers())):
            sizes: Sizes = {}
            for node, value in zip(probed[line].args, values, strict=True):
                wrong = contradiction(believed.kind(node), value, sizes)
                if wrong is not None:
                    raise _Stop(f"{node.id} in line {line}: {wrong}; said: {believed.kind(node)}")

    try:
        execute(text, flips, probe)
    except _Stop as stop:
        assert not stop.args, f"{stop}\n{text}"
    except Exception:
        pass  # the program's own mistake: until then all was checked


def check_inlined(text: str, flips: list[bool]) -> None:
    source = Source(text, "program.py")
    facts = Facts(source)
    for use in facts.nodes([gast.Name]):
        assert isinstance(use, gast.Name)
        assignment = facts.inlined(use) if isinstance(use.ctx, gast.Load) else None
        if assignment is None:
            continue
        assert assignment is facts.flow.sole_definition(use)
        gone, here = source.span(assignment), source.span(use)
        value = source.text_of(assignment.value)
        before = outcome_of(text, flips)
        if any(isinstance(one, str) for one in before):
            return  # a program that fails may fail a little later
        moved = text[: gone.start] + "pass" + text[gone.end : here.start] + f"({value})" + text[here.end :]
        assert outcome_of(moved, flips) == before, moved


def outcome_of(text: str, flips: list[bool]) -> list[Any]:
    """What a program's functions returned, to the last bit, or the names of what they raised."""
    seen: list[Any] = []
    text = text.replace("    run(", "    see(run(").replace(")\nexcept Exception:\n    pass", "))\nexcept Exception as e:\n    fail(e)")
    rest = iter(flips)

    def maybe_raise() -> None:
        if next(rest, False):
            raise ValueError

    def see(values: Any) -> None:
        for value in values:
            numeric = isinstance(value, float | int | np.ndarray) or hasattr(value, "numpy")
            seen.append((type(value).__name__, np.asarray(value).tobytes(), np.shape(value)) if numeric else type(value))

    names = {
        "flip": lambda: next(rest, False),
        "maybe_raise": maybe_raise,
        "quiet": _Quiet,
        "see": see,
        "fail": lambda e: seen.append(type(e).__name__),
    }
    if "run(" not in text:
        return []
    budget = iter(range(2000))
    names["flip"] = lambda: next(rest, False) if next(budget, None) is not None else False
    try:
        exec(compile(text, "program", "exec"), names)
    except Exception as error:
        seen.append(type(error).__name__)
    seen.append(np.asarray(names["v"]).tobytes() if "v" in names else None)
    return seen


# What is known of small programs


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("use(3)", "3"),
        ("use(2 + 3 * 4)", "14"),
        ("use(tf.zeros([2, 3]))", "tensor of float32, shape [2, 3]"),
        ("x = tf.zeros([2, 3]); use(x.shape[1])", "3"),
        ("x = tf.zeros([2, 3]); use(x[0])", "tensor of float32, shape [3]"),
        ("x = tf.zeros([2, 3]); use(x[:, None])", "tensor of float32, shape [2, 1, 3]"),
        ("x = tf.zeros([2, 3]); use(x[..., 0])", "tensor of float32, shape [2]"),
        ("x, y = tf.zeros([2]), tf.ones([3]); use(y)", "tensor of float32, shape [3]"),
        ("use(tf.Variable(tf.ones([2])))", "tf.Variable of float32, shape [2]"),
        ("use(np.ones([2]))", "NumPy array of float64, shape [2]"),
        ("use(tf.ones([2]) @ tf.ones([2, 2]))", "tensor of float32, shape as this"),
        ("def f(x: tf.Tensor): use(x)", "tensor of unknown dtype, shape as x"),
        ("def f(x: 'tf.Tensor'): use(x)", "tensor of unknown dtype, shape as x"),
        ("def f(x: tf.Variable): use(x)", "tf.Variable of unknown dtype, shape as x"),
        ("def f(x: int): use(x)", "Python number"),
        ("def f(x): use(x)", "unknown"),
        ("@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.int32)])\ndef f(x): use(x)", "tensor of int32, shape [x.shape[0], 3]"),
        ("def f(x):\n    n, m = x.shape\n    use(x)", "unknown"),
        ("def f(x: tf.Tensor):\n    n, m = x.shape\n    use(x)", "tensor of unknown dtype, shape [x.shape[0], x.shape[1]]"),
        ("def f(x: tf.Tensor):\n    tf.debugging.assert_rank(x, 2)\n    use(x)", "tensor of unknown dtype, shape [x.shape[0], x.shape[1]]"),
        ("if q: x = tf.ones([2])\nelse: x = tf.ones([3])\nuse(x)", "tensor of float32, shape [x.shape[0]]"),
        ("if q: x = tf.ones([2])\nelse: x = 3\nuse(x)", "unknown"),
        ("x = tf.ones([2])\nfor i in range(3): x = tf.concat([x, x], 0)\nuse(x)", "tensor of float32, shape [?]"),
        ("x = tf.ones([2])\nwhile q: x = x + 1\nuse(x)", "tensor of float32, shape [2]"),
        ("x = tf.ones([2])\ntry:\n    x = tf.ones([3])\nexcept E: pass\nuse(x)", "unknown"),
        ("x = tf.ones([9])\nfor i in range(3): use(x[i : i + 7])", "tensor of float32, shape [7]"),
        ("x = tf.ones([9])\nfor i in range(3): use(x[i : 7 + i])", "tensor of float32, shape [7]"),
        ("x = tf.ones([9])\nfor i in range(4): use(x[i : i + 7])", "tensor of float32, shape [this.shape[0]]"),
        ("x = tf.ones([9])\nfor i in range(-1, 2): use(x[i : i + 7])", "tensor of float32, shape [this.shape[0]]"),
        ("x = tf.ones([9])\nfor i in range(2):\n    i -= 3\n    use(x[i : i + 7])", "tensor of float32, shape [this.shape[0]]"),
        ("x = tf.ones([9])\nfor i in range(2):\n    j = -i\n    use(x[j : j + 7])", "tensor of float32, shape [this.shape[0]]"),
        ("x = tf.ones([9, 4])\nfor i in range(0, 9, 3): use(x[i : i + 3, i])", "tensor of float32, shape [3]"),
        ("x = tf.ones([9])\nfor i in range(0, 9, 2): use(x[i : i + 2])", "tensor of float32, shape [this.shape[0]]"),
        ("x = tf.ones([9])\nfor i in range(3): use(x[i * 3 : (i + 1) * 3])", "tensor of float32, shape [3]"),
        ("x = tf.ones([9])\nfor i in range(4): use(x[i * 3 : (i + 1) * 3])", "tensor of float32, shape [this.shape[0]]"),
        ("rng = np.random.default_rng(1)\nuse(rng.normal(size=[3, 4]))", "NumPy array of float64, shape [3, 4]"),
        ("rng = np.random.default_rng()\nuse(rng.uniform(0.0, 1.0, (3,)).astype(np.float32))", "NumPy array of float32, shape [3]"),
        ("rng = np.random.default_rng(1)\nuse(rng.integers(5, size=3))", "NumPy array of int64, shape [3]"),
        ("rng = np.random.default_rng(1)\nuse(rng.random())", "Python number"),
        ("rng = np.random.default_rng(1)\nuse(rng.standard_normal([3], dtype=np.float32))", "NumPy array of float32, shape [3]"),
        ("rng = np.random.default_rng(1)\nuse(rng.choice([3]))", "unknown"),
        ("def g(): return tf.ones([4])\nuse(g())", "tensor of float32, shape [4]"),
        ("def g():\n    yield tf.ones([4])\nuse(g())", "unknown"),
        ("async def g(): return tf.ones([4])\nuse(g())", "unknown"),
        ("@cache\ndef g(): return tf.ones([4])\nuse(g())", "unknown"),
        ("x = tf.ones([4])\ndef f():\n    global x\n    x = 1\nuse(x)", "unknown"),
        ("x = tf.ones([4])\ndef f(): use(x)", "tensor of float32, shape [4]"),
        ("x = tf.ones([4])\nx = tf.ones([5])\ndef f(): use(x)", "tensor of float32, shape [?]"),
        ("l = [tf.ones([4])]\nl.append(3)\nuse(l[0])", "unknown"),
        ("l = [tf.ones([4])]\nuse(l[0])", "tensor of float32, shape [4]"),
        ("use([tf.ones([4]) for i in q][0])", "tensor of float32, shape [4]"),
        ("use(tf.no_such_function(3))", "unknown"),
        ("use('%s' % tf.ones([2]))", "str"),
        ("use(q % tf.ones([2]))", "unknown"),
        ("x = tf.Variable(1)\nwith tf.GradientTape() as t: y = x * 2\nuse(t.gradient(y, x))", "unknown"),
        ("x = tf.Variable(1.0)\nwith tf.GradientTape() as t: y = tf.ones([])\nuse(t.gradient(y, x))", "gradient of float32, shape []"),
        ("x = tf.Variable(1.0)\nwith tf.GradientTape() as t: y = x * 2\nuse(0.1 * t.gradient(y, x))", "tensor of float32, shape []"),
        ("use(tf.zeros(*q))", "tensor of unknown dtype, shape as this"),
        ("use(-True)", "Python number"),
        ("l = [tf.ones([4]), tf.ones([4])]\nuse(l[slice(0, 2)])", "unknown"),
        ("l = [tf.ones([4]), tf.ones([4])]\npart = slice(0, 2)\nuse(l[part])", "unknown"),
        ("use(tf.tile(tf.ones([1, 4]), [True, 1]))", "tensor of float32, shape [this.shape[0], 4]"),
        ("use(np.diff(np.ones(4, np.uint8), 0))", "unknown"),
        ("use(np.clip(2.0, np.ones(4, np.float32), np.ones(4, np.uint8)))", "unknown"),
        ("use(np.delete(np.ones([3, 4]), 1, None))", "NumPy array of float64, shape [?]"),
    ],
)
@pytest.mark.smoke
def test_kinds(text: str, said: str) -> None:
    facts = facts_of("import numpy as np\nimport tensorflow as tf\n" + text)
    assert str(facts.kind(last_call(facts))) == said


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("use(1)", Mode.EAGER),
        ("def f(): use(1)", Mode.UNKNOWN),
        ("def f(): use(1)\nf()", Mode.EAGER),
        ("@tf.function\ndef f(): use(1)", Mode.GRAPH),
        ("@tf.function(jit_compile=True)\ndef f(): use(1)", Mode.GRAPH),
        ("@functools.partial(tf.function, jit_compile=True)\ndef f(): use(1)", Mode.GRAPH),
        ("def f(): use(1)\ng = tf.function(f)", Mode.GRAPH),
        ("def f(): use(1)\ng = tf.function(f)\nf()", Mode.EAGER),
        ("def f(): use(1)\ndata.map(f)", Mode.GRAPH),
        ("def f(): use(1)\nmap(f, rows)", Mode.UNKNOWN),
        ("@other\ndef f(): use(1)\nf()", Mode.UNKNOWN),
        ("@tf.function\ndef f():\n    def g(): use(1)\n    g()", Mode.GRAPH),
        ("class A:\n    def f(self): use(1)", Mode.UNKNOWN),
        ("class A:\n    @tf.function\n    def f(self): use(1)", Mode.GRAPH),
        ("def f():\n    use(1)\n    return tf.ones([2]).numpy()", Mode.EAGER),
        ("def f():\n    use(1)\n    if q: return tf.ones([2]).numpy()", Mode.UNKNOWN),
        ("tf.compat.v1.disable_eager_execution()\nuse(1)", Mode.UNKNOWN),
        ("with tf.Graph().as_default(): use(1)", Mode.UNKNOWN),
        ("with tf.summary.create_file_writer('logs').as_default(): use(1)", Mode.EAGER),
        ("writer = tf.summary.create_file_writer('logs')\nwith writer.as_default(): use(1)", Mode.EAGER),
        ("graph = tf.Graph()\nwith graph.as_default(): use(1)", Mode.UNKNOWN),
        ("for writer in [tf.Graph()]:\n    with writer.as_default(): use(1)", Mode.UNKNOWN),
        ("def f(): f(); use(1)", Mode.UNKNOWN),
    ],
)
@pytest.mark.smoke
def test_mode(text: str, mode: Mode) -> None:
    facts = facts_of("import functools\nimport tensorflow as tf\n" + text)
    assert facts.mode(last_call(facts)) is mode


@pytest.mark.parametrize(
    ("text", "taped"),
    [
        ("use(1)", False),
        ("with tf.GradientTape() as t: use(1)", True),
        ("with tf.GradientTape() as t: pass\nuse(1)", False),
        ("with tf.GradientTape() as t, q: use(1)", True),
        ("with tf.device('cpu'): use(1)", False),
        ("from x import other\nwith other(): use(1)", True),
        ("def f(): use(1)", True),
        ("def f(): use(1)\nf()", False),
        ("def f(): use(1)\nwith tf.GradientTape() as t: f()", True),
        ("def f(): use(1)\ndef g(): f()\nwith tf.GradientTape() as t: g()", True),
        ("def f(): use(1)\ndef g(): f()\ng()", False),
        ("def f(): f(); use(1)", True),
    ],
)
@pytest.mark.smoke
def test_taped(text: str, taped: bool) -> None:
    facts = facts_of("import tensorflow as tf\n" + text)
    assert facts.taped(last_call(facts)) is taped


@pytest.mark.parametrize(
    ("body", "inlined"),
    [
        ("y = tf.square(x)\nuse(y)", True),
        ("y = tf.square(x)\nz = 1\nuse(y)", True),
        ("y = tf.square(x)\nuse(y)\nprint(y)", False),
        ("y = tf.square(x)\nx = 3\nuse(y)", False),
        ("y = tf.square(x)\nfor i in q: use(y)", False),
        ("y = tf.square(x)\nif q: use(y)", False),
        ("y = tf.square(x)\n(lambda: use(y))()", False),
        ("y = tf.square(x)\n[use(y) for i in q]", False),
        ("y = tf.square(x)\nq and use(y)", False),
        ("y = tf.square(x)\n1 if q else use(y)", False),
        ("y = tf.square(x)\nuse(y); x = 3", True),
        ("y = tf.square(x); (x := 3); use(y)", False),
        ("y = tf.random.normal([3])\nuse(y)", False),
        ("y = other(x)\nuse(y)", False),
        ("y = l[0]\nl.append(1)\nuse(y)", False),
        ("y = tf.square(v)\nv.assign_add(1.0)\nuse(y)", False),
        ("if q: y = tf.square(x)\nelse: y = 1\nuse(y)", False),
        ("y: tf.Tensor = tf.square(x)\nuse(y)", False),
        ("y = z = tf.square(x)\nuse(y)", False),
        ("y, z = tf.square(x), 1\nuse(y)", False),
        ("y = tf.square(x)\ntry: use(y)\nexcept E: pass", False),
        ("y = tf.square(x)\nyield\nuse(y)", False),
        ("y = tf.square(x)\ndef g(): nonlocal y; y = 1\ng()\nuse(y)", False),
        ("global y\ny = tf.square(x)\nuse(y)", False),
        ("y = tf.square(x)\ndel x\nuse(y)", False),
        ("y = tf.square(x)\nprint(locals())\nuse(y)", None),
        ("y = tf.square(x)\nimport x\nuse(y)", False),
        ("y = tf.square(x)\ndef x(): pass\nuse(y)", False),
        ("y = tf.square(x)\nclass x: pass\nuse(y)", False),
        ("y = tf.square(x)\nfor x in q: pass\nuse(y)", False),
        ("y = tf.square(x)\nwith q as x: pass\nuse(y)", False),
        ("y = tf.square(x)\nmatch q:\n    case x: pass\nuse(y)", False),
        ("y = tf.square(x)\nmatch q:\n    case {**x}: pass\nuse(y)", False),
        ("y = tf.square(x)\ntry: pass\nexcept E as x: pass\nuse(y)", False),
        ("def g():\n    nonlocal x\n    x = 1\ny = tf.square(x)\ng()\nuse(y)", False),
    ],
)
@pytest.mark.smoke
def test_inlined(body: str, inlined: bool | None) -> None:
    text = "import tensorflow as tf\nv = tf.Variable(1.0)\ndef f(x: tf.Tensor, q, l):\n" + textwrap.indent(body, "    ")
    facts = facts_of(text)
    found = facts.inlined(last_call(facts))
    if inlined is not None:
        assert (found is not None) is inlined


ODD = [
    "x = undefined\n",
    "print(y)\n__all__ = ['nothing']\n",
    "def f():\n    nonlocal_ = z\n",
    "class A:\n    x = x\n",
    "del u\n",
    "match x:\n    case A(): pass\n",
]


@pytest.mark.parametrize("text", ODD)
def test_nothing_is_printed(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    facts = facts_of(text)
    for node in facts.nodes([gast.Name]):
        assert isinstance(node, gast.Name)
        facts.flow.definitions(node)
        facts.flow.sole_definition(node)
        facts.kind(node)
    assert capfd.readouterr() == ("", "")


def test_symbols_say_what_is_the_same() -> None:
    facts = facts_of("""
        import tensorflow as tf
        def f(x: tf.Tensor, y: tf.Tensor):
            use(tf.square(x))
            use(x + 1)
            use(y)
    """)
    calls = sorted((node for node in facts.nodes([gast.Call]) if isinstance(node.func, gast.Name)), key=lambda node: node.lineno)
    first, second, third = (facts.kind(node.args[0]).shape for node in calls)
    assert isinstance(first, Symbol) and first == second != third


@pytest.mark.filterwarnings("ignore")
@settings(FUZZ, max_examples=250)
@given(programs(), st.lists(st.booleans(), max_size=30))
def test_programs(text: str, flips: list[bool]) -> None:
    check_program(text, flips)


@pytest.mark.fuzz
@pytest.mark.filterwarnings("ignore")
@settings(FUZZ, max_examples=5000, derandomize=False)
@given(programs(), st.lists(st.booleans(), max_size=30))
def test_programs_however_long_they_try(text: str, flips: list[bool]) -> None:
    check_program(text, flips)


@pytest.mark.filterwarnings("ignore")
@settings(FUZZ, max_examples=100)
@given(programs(probes=False), st.lists(st.booleans(), max_size=30))
def test_what_is_said_to_be_inlinable_is(text: str, flips: list[bool]) -> None:
    check_inlined(text, flips)


@pytest.mark.fuzz
@pytest.mark.filterwarnings("ignore")
@settings(FUZZ, max_examples=3000, derandomize=False)
@given(programs(probes=False), st.lists(st.booleans(), max_size=30))
def test_what_is_said_to_be_inlinable_is_however_long_they_try(text: str, flips: list[bool]) -> None:
    check_inlined(text, flips)


DICTS = """
import numpy as np
import tensorflow as tf

weights = {"h": tf.Variable(tf.ones([4, 3])), "out": tf.Variable(tf.ones([3, 2])), 3: 5}
settings = dict(rate=0.1, units=8, name="a", inner={"a": 1}, sizes=[1, 2])
changed = {"a": 1}
changed["a"] = 0.5
updated = {"a": 1}
updated.update(a=0.5)
other = again = {"a": 1}
again["a"] = "b"
handed = {"a": 1}
grown = {"a": 1}
settings["inner"]["a"] = "b"
settings["sizes"].append(0.5)
many = {"a": 1, **changed}
twice = {"a": 1, "a": "b"}
for key in weights:
    print(key)
for key, one in weights.items():
    print(one)
if weights["h"].shape[0] == 4:
    chosen = {"a": 1, "b": "c"}
else:
    chosen = {"b": 1, "a": 2}


def change(given):
    given["a"] = "b"


change(handed)
grown |= {"a": "b"}


def net(x):
    return tf.matmul(tf.matmul(x, weights["h"]), weights["out"])
"""
OF_DICTS = [
    ('weights["h"]', True), ('weights["out"]', True), ("weights[3]", True), ("weights", True), ('settings["rate"]', True), ('settings["units"]', True),
    ('settings.get("name")', True), ('settings.get("nothing")', False), ('settings["inner"]', True), ('settings["inner"]["a"]', False),
    ('settings["sizes"][0]', False), ('settings["sizes"]', True), ('changed["a"]', False), ('updated["a"]', False), ('other["a"]', False),
    ('handed["a"]', False), ('grown["a"]', False), ('many["a"]', False), ('twice["a"]', False), ('chosen["a"]', False), ("len(weights)", True),
    ("net(tf.ones([2, 4]))", True), ('{"a": tf.ones([2])}["a"] * 2', True), ("list(weights)", False), ("tuple(settings)", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "known"), OF_DICTS)
def test_dicts(text: str, known: bool) -> None:
    facts = Facts(Source(f"{DICTS}result = {text}\n", "x.py"))
    names: dict[str, Any] = {}
    exec(f"{DICTS}result = {text}\n", names)
    kind = facts.kind(facts.tree.body[-1].value)
    assert contradiction(kind, names["result"], {}) is None
    assert (kind.sort is not Sort.UNKNOWN) is known
