"""What is said of graphs and of XLA, against what TensorFlow does there."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import gast
import pytest
import tensorflow as tf
from compiled import COMPUTED, DTYPES, Call, differences, expressions

from tfrewrite.analyses.graph_differences import graph_obstacle, xla_obstacle
from tfrewrite.ops import TENSORFLOW, op
from tfrewrite.outcomes import Refusal

NODE = gast.Pass()
ROWS = {row.name: row for row in TENSORFLOW}
MEASURED = {row.name for row in TENSORFLOW if row.is_measured}

# Each has another way to differ, or none; the rest takes minutes.
SAMPLE = (
    ("maximum", "float32"),
    ("math.floordiv", "int32"),
    ("cast", "float32"),
    ("gather", "int32"),
    ("sqrt", "complex64"),
    ("sigmoid", "float16"),
    ("getitem", "float32"),
    ("constant", "int64"),
    ("cumsum", "uint8"),
)


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Iterator[None]:
    level = tf.get_logger().level
    tf.get_logger().setLevel("ERROR")  # every call is traced anew on purpose
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    tf.get_logger().setLevel(level)


# What no program asks for, or gets an answer to that means something.
_UNASKED = {
    ("linalg.cholesky", "F(x)"): "what isn't positive definite leaves eagerly what was in memory before",
    **{(name, "F(x, -1)"): "integers have no negative powers, of no integers either" for name in ("pow",)},
    **{(name, "F(x, 0.5)"): "the root of minus infinity, see moving.py" for name in ("pow",)},
}


def said(name: str, form: str, call: Call) -> str:
    dtypes = [one.dtype.name for key, one in call.operands.items() if key != "c"]
    if name == "cast":
        dtypes += [dtype for dtype in DTYPES if call.text.endswith(f"tf.{dtype})")]
    row = ROWS[name]
    if call.number_first and row.wants_tensor_first:
        return "a number before a tensor"
    safe = row.is_checked and call.text == "F(x, 2)"
    if form == "graph":
        return _UNASKED.get((name, call.text), "") or reason(graph_obstacle(NODE, row, dtypes))
    return reason(xla_obstacle(NODE, row, dtypes, call.finite, in_range=safe or (name == "getitem" and call.text != COMPUTED)))


def reason(refusal: Refusal | None) -> str:
    return refusal.reason if refusal is not None else ""


def check(name: str, dtype: str) -> bool:
    """Nothing differs without an obstacle. Does anything differ under XLA?"""
    _, found = differences(name, dtype)
    missing = [f"{form}: {call}: {what}" for form, call, what in found if not said(name, form, call)]
    assert not missing, f"{name} of {dtype}:\n" + "\n".join(missing[:10]) + f"\n{len(missing)} in all"
    return any(form == "xla" for form, _, _ in found)


def claimed(name: str, dtype: str) -> bool:
    dtypes = [dtype, "int32"] if name == "cast" else [dtype]
    row = ROWS[name]
    return bool(xla_obstacle(NODE, row, dtypes, finite=False, in_range=not row.is_indexed and not row.is_checked))


@pytest.mark.parametrize(("name", "dtype"), SAMPLE)
def test_a_sample_of_the_functions(name: str, dtype: str) -> None:
    assert check(name, dtype) == claimed(name, dtype)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", sorted(MEASURED))
def test_every_function(name: str) -> None:
    differing = [dtype for dtype in DTYPES if check(name, dtype)]
    # Of complex numbers it is said for most functions, to be careful.
    claims = [dtype for dtype in DTYPES if claimed(name, dtype) and not dtype.startswith("complex")]
    assert not claims or differing, "it is said to differ, and doesn't"


@pytest.mark.smoke
def test_every_function_of_the_table_is_called() -> None:
    assert all(expressions(name) for name in MEASURED)


@pytest.mark.smoke
def test_what_is_not_known_is_an_obstacle() -> None:
    for name in (
        "tensorflow.print",
        "tensorflow.py_function",
        "numpy.zeros",
        "tensorflow.random.normal",
        "tensorflow.nn.dropout",
        "tensorflow.Variable",
        "tensorflow.GradientTape",
        "tensorflow.debugging.assert_equal",
        "x.y",
    ):
        assert graph_obstacle(NODE, op(name), ["float32"]) and xla_obstacle(NODE, op(name), ["float32"], finite=True)
    maximum, tanh = ROWS["maximum"], ROWS["tanh"]
    assert xla_obstacle(NODE, maximum, [None], finite=False) and not xla_obstacle(NODE, maximum, ["float32"], finite=True)
    assert xla_obstacle(NODE, tanh, ["string"], finite=True) and not xla_obstacle(NODE, tanh, ["float64"], finite=False)
    assert ROWS["range"].known_to_xla == {"start", "limit", "delta"} and ROWS["reshape"].known_to_xla == {"shape"}
    assert (
        {"getitem"}
        < MEASURED
        >= {row.name for row in TENSORFLOW if row.is_known and row.name.startswith(("reduce_", "nn.", "linalg.")) and not row.is_random}
    )
