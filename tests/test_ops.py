"""The table of operations: every row against TensorFlow and NumPy, and against itself."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
from typing import Any

import gast
import numpy as np
import pytest
import tensorflow as tf

import tfrewrite.ops
from tfrewrite.ops import OPS, TENSORFLOW, op
from tfrewrite.ops.naming import canonical
from tfrewrite.ops.operators import OPERATORS, of_operator
from tfrewrite.ops.row import DECIDED, EDGED, MOVED, NOT_KNOWN, SETTLED, Bits, Effect, Op

TRAITS = {name for name, kind in Op.__annotations__.items() if kind == "bool"}
KEYS = {id(row): key for key, row in OPS.items()}
FILES = [
    one.name
    for one in pkgutil.iter_modules(tfrewrite.ops.__path__)
    if hasattr(importlib.import_module(f"tfrewrite.ops.{one.name}"), "ROWS")
]
# Methods, and what Python writes as an operator.
NO_FUNCTIONS = {"getitem", "assign_add", "assign_sub"}
# What they are called with has no names: *args.
UNNAMED = {
    "Variable", "einsum", "meshgrid", "data.Dataset.range", "data.Dataset.zip", "numpy.arange", "numpy.meshgrid", "numpy.ndarray.reshape",
    "numpy.ndarray.transpose", "numpy.random.RandomState.rand", "numpy.random.RandomState.randn", "numpy.random.rand", "numpy.random.randn",
    "numpy.ndarray.conj", "numpy.ndarray.conjugate", "keras.Model", "keras.Sequential", "tensorflow_datasets.load",
}  # fmt: skip

# TensorFlow 2.16 stands on NumPy 1, which lacks names of NumPy 2, and calls two parameters otherwise.
NEW_IN_NUMPY_2 = {
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bool", "concat", "matrix_transpose", "matvec", "pow", "unstack"),
    *(f"linalg.{name}" for name in ("cross", "matmul", "matrix_transpose", "outer", "tensordot", "trace")),
}
RENAMED_IN_NUMPY_2 = {"numpy.float64", "numpy.reshape"}
OLD_NUMPY = int(np.__version__.partition(".")[0]) < 2
OF_NUMPY = [
    row for row in OPS.values() if row.name.startswith("numpy.") and not (OLD_NUMPY and row.name.removeprefix("numpy.") in NEW_IN_NUMPY_2)
]


def found(row: Op) -> Any:
    """What the row's name names."""
    key = KEYS[id(row)]
    package = importlib.import_module(key.partition(".")[0])
    for part in key.split(".")[1:]:
        if not hasattr(package, part):
            # What Keras offers, and not TensorFlow's view of it.
            return _in(importlib.import_module("keras"), key.removeprefix("tensorflow.keras."))
        package = getattr(package, part)
    return package


def _in(package: Any, name: str) -> Any:
    for part in name.split("."):
        package = getattr(package, part)
    return package


@pytest.mark.parametrize("row", TENSORFLOW, ids=lambda row: row.name)
def test_names_are_canonical_and_exist(row: Op) -> None:
    if row.name not in NO_FUNCTIONS:
        assert canonical(f"tensorflow.{row.name}") == f"tensorflow.{row.name}"
        assert callable(found(row))


@pytest.mark.parametrize("row", OF_NUMPY, ids=lambda row: row.name)
def test_names_of_numpy_exist(row: Op) -> None:
    assert callable(found(row))


def test_no_operation_has_two_rows() -> None:
    rows = {file: importlib.import_module(f"tfrewrite.ops.{file}").ROWS for file in FILES}
    names = [row.name if file in ("methods", "numpy", "python") else f"tensorflow.{row.name}" for file in FILES for row in rows[file]]
    assert sorted(names) == sorted({*names}) == sorted(OPS)


def parameters(row: Op) -> list[str] | None:
    """What the function says that it is called with; None for those of NumPy that are written in C and say nothing."""
    try:
        return [name for name in inspect.signature(found(row)).parameters if name != "self"]
    except ValueError:
        return None


NAMED = [
    row
    for key, row in OPS.items()
    if row.parameters and row.name not in UNNAMED and not key.startswith("builtins.")
    if row in OF_NUMPY and not (OLD_NUMPY and row.name in RENAMED_IN_NUMPY_2) or not row.name.startswith("numpy.")
]


@pytest.mark.parametrize("row", [row for row in NAMED if parameters(row) is not None], ids=lambda row: row.name)
def test_parameters_are_those_of_the_function(row: Op) -> None:
    names = parameters(row)
    assert names is not None and tuple(names[: len(row.keywords)]) == row.keywords


def test_functions_of_tensorflow_say_what_they_are_called_with() -> None:
    assert not [row.name for row in NAMED if parameters(row) is None and KEYS[id(row)].startswith("tensorflow.")]


@pytest.mark.parametrize("row", OPS.values(), ids=lambda row: row.name)
def test_traits_exist_and_agree(row: Op) -> None:
    assert set(row.traits) <= TRAITS
    assert list(row.traits) == list(dict.fromkeys(row.traits))
    contradictions = {
        "a function of each element mixes none": row.is_elementwise and (row.mixes or row.reduces or row.finds_place),
        "what draws random numbers keeps no bits": row.is_random and row.bits is not Bits.NOWHERE,
        "what allocates gives no view": row.is_view and not row.may_share,
        "a view moves what it is given": row.is_view and row.bits is not Bits.EVERYWHERE,
        "what only moves numbers adds nothing to their errors": row.is_view and row.error != MOVED,
        "what keeps its bits everywhere computes nothing": row.bits is Bits.EVERYWHERE and (row.multiplies or row.divides or row.contracts),
        "a sum may cancel": row.adds and row.error not in (NOT_KNOWN,) and row.error.effect is not Effect.SUM,
        "a place is a decision": row.finds_place and row.error != DECIDED,
        "what is fused is known to be elementwise": row.is_fused and not row.is_elementwise,
        "a comparison is a decision": row.compares and row.error != DECIDED,
        "what is not measured has nothing that was": not row.is_measured and row.xla.always != "",
        "what fits all is known": row.fits_all and not row.is_known,
        "a number of another dtype is no tensor": row.is_uniform and not row.creates,
        "what is square is a matrix": row.takes_squares and not row.takes_matrices,
        "only NumPy's functions are like TensorFlow's": row.like and not row.name.startswith("numpy."),
        "what another row says isn't said again": row.like and row.is_known,
        "what is like an operation is like one that is known": row.like and not op(f"tensorflow.{row.like}").is_known,
    }
    assert not [said for said, broken in contradictions.items() if broken]


def _needs(row: Op, *names: str) -> bool:
    """Are these all the arguments that the function can't do without?"""
    needed = {
        one.name
        for one in inspect.signature(found(row)).parameters.values()
        if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD
    }
    return needed == {keyword for name, keyword in zip(row.parameters, row.keywords, strict=True) if name in names}


# Their operands are neither floats nor integers, or no matrices.
OF_OTHERS = {
    "linalg.logm",
    "logical_not",
    "logical_and",
    "logical_or",
    "math.logical_xor",
    "math.invert_permutation",
    "reduce_all",
    "reduce_any",
}
OF_TENSORS = [
    row
    for row in TENSORFLOW
    if row.parameters and not row.is_no_tensor and not row.is_control and row.name not in OF_OTHERS
    if any(_needs(row, "x", *others) for others in ((), ("y",), ("rhs",)))
]


@pytest.mark.parametrize("row", OF_TENSORS, ids=lambda row: row.name)
def test_what_wants_floats_raises_for_integers(row: Op) -> None:
    matrix = tf.eye(3) + 1.0
    names = [keyword for name, keyword in zip(row.parameters, row.keywords, strict=True) if name in ("x", "y", "rhs")]
    found(row)(**dict.fromkeys(names, matrix))
    # tf.eig stumbles over what it doesn't expect.
    with pytest.raises((TypeError, ValueError, UnboundLocalError, tf.errors.OpError)) if row.wants_floats else contextlib.nullcontext():
        found(row)(**dict.fromkeys(names, tf.cast(matrix, tf.int32)))


def test_a_slow_function_is_one_that_is_fused() -> None:
    assert all(row.is_fused for row in TENSORFLOW if row.slow_in_xla)


def test_operators_are_operations() -> None:
    assert all(row.is_known or row.is_operator for row in OPERATORS.values())
    assert of_operator(gast.LShift()).name == "" and of_operator(gast.Add()).name == "add"


def test_names_of_python_are_not_tensorflows() -> None:
    """`math.log` is Python's, and TensorFlow's is `tensorflow.math.log`."""
    assert op("tensorflow.math.log").is_known and not op("math.log").is_known
    assert op("tensorflow.sets.size").error is NOT_KNOWN and op("tensorflow.size").error is SETTLED


def test_what_goes_by_another_operations_name_shares_what_it_does_to_numbers() -> None:
    namesake = op("tensorflow.experimental.numpy.arccos")
    assert namesake.error == EDGED and not namesake.is_known and not namesake.parameters
    assert op("tensorflow.keras.ops.argmax").error == DECIDED


def test_nothing_is_known_of_what_has_no_row() -> None:
    for name in ("tensorflow.no_such_function", "os.path.nothing", "", None):
        row = op(name)
        assert not row.is_known and not row.is_pure and row.error is NOT_KNOWN and not row.traits
