"""Calls TensorFlow's functions eagerly, in a graph and under XLA, with ordinary and with extreme values, and compares."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf
from forms import EXPRESSIONS

from tfrewrite.ops import TENSORFLOW, nn

KNOWN = {row.name: row for row in TENSORFLOW if row.is_known}

DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool", "complex64")
FORMS = ("graph", "xla")
# An index out of range that only the loop knows: XLA looks at one that it is given.
COMPUTED = "tf.while_loop(lambda i, r: i < 1, lambda i, r: (i + 1, x[i + 9]), (0, x[0]))"
# What isn't a function of the table, but an operator on tensors or a variant that has other rules.
OPERATORS = {
    "getitem": ("x[1:]", "x[0]", "x[-1]", "x[::2]", "x[:, None]", "x[..., 0]", "x[None]", "x[:2]", "x[1]", COMPUTED),
    "bitwise.bitwise_and": ("x & y", "x & 6"),
    "bitwise.bitwise_or": ("x | y", "x | 6"),
    "bitwise.bitwise_xor": ("x ^ y", "x ^ 6"),
    "bitwise.invert": ("~x",),
}


@dataclass(frozen=True)
class Call:
    """An expression of `F` (the function), `x`, `y`, ..., and what these stand for."""

    text: str
    operands: dict[str, np.ndarray[Any, Any]]
    finite: bool
    scale: float
    """What rounding is measured by, where the result itself isn't larger."""

    @property
    def number_first(self) -> bool:
        return self.text.startswith(("F(2, x", "F(0.5, x", "F(c, 2, "))

    @property
    def signature(self) -> tuple[Any, ...]:
        return (self.text, *((name, one.dtype.name, one.shape) for name, one in self.operands.items()))


# Values


def values(dtype: str) -> Iterator[tuple[np.ndarray[Any, Any], bool]]:
    """Six numbers at a time, and whether they are finite."""
    if dtype == "bool":
        yield np.array([True, False, False, True, True, False]), True
    elif np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        some = [[1, 3, 2, 5, 7, 4], [0, 1, 2, 1, 0, 3], [info.max, info.min, 1, 2, info.max - 1, 0], [100, 90, 80, 2, 60, 127]]
        if info.min < 0:
            some += [[-1, 3, -2, 5, -7, 4], [0, -3, 2, -1, 1, 0]]
        yield from ((np.array(one, dtype), True) for one in some)
    else:
        real = {"complex64": "float32"}.get(dtype, dtype)
        info = np.finfo(real)
        large, tiny = float(info.max), float(info.tiny)
        finite = [
            [0.5, -1.5, 2.0, 3.0, -0.25, 1.0],
            [0.9, 0.1, 0.3, -0.7, 0.5, -0.2],
            [0.0, -0.0, 1.0, -1.0, 2.5, -2.5],
            [large, -large, large / 2, 1.0, -1.0, 0.0],
            [tiny, -tiny, 1e-4, -1e-4, 100.0, -100.0],
            [2.0, 2.0, -1.0, -1.0, 0.0, 2.0],
            [20.0, 50.0, 88.0, 95.0, -90.0, -50.0],
            [1e4, -1e4, 3e3, 7.5, 12.5, -0.5],
        ]
        other = [
            [float("nan"), 1.0, -2.0, 0.0, 3.0, 0.5],
            [1.0, 3.0, float("nan"), -2.0, float("nan"), 5.0],
            [float("inf"), float("-inf"), 1.0, -1.0, 0.0, 0.5],
            [float("inf"), float("nan"), float("-inf"), 2.0, -0.0, 0.0],
            [float("nan")] * 6,
            [float("-inf")] * 6,
        ]
        for numbers, is_finite in [*((one, True) for one in finite), *((one, False) for one in other)]:
            array = np.array(numbers, real)
            yield (array if real == dtype else np.stack([array, array[::-1]], -1).view(dtype)[:, 0]), is_finite


def tensors(dtype: str) -> Iterator[tuple[np.ndarray[Any, Any], bool]]:
    """One tensor in several shapes and with several values."""
    for array, finite in values(dtype):
        yield array, finite
        yield array.reshape(2, 3), finite
        yield array[:1].reshape(()), finite
    yield array[:0], True
    yield array[:0].reshape(0, 3), True
    yield np.resize(array, (2, 1, 3)), finite


def pairs(dtype: str) -> Iterator[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], bool]]:
    """Every value against every other."""
    for (a, fa), (b, fb) in itertools.product(list(values(dtype)), repeat=2):
        yield a[:, None], b, fa and fb
    yield a, b, fa and fb
    yield a, b[:1].reshape(()), fa and fb
    yield a[:0], b[:0], True
    yield a[:0], b[:1].reshape(()), True


def matrices(dtype: str) -> Iterator[tuple[np.ndarray[Any, Any], bool]]:
    for array, finite in values(dtype):
        yield np.resize(array, (3, 3)), finite
    if not np.issubdtype(dtype, np.integer) and dtype != "bool":
        a = np.array([[2.0, 0.5, 0.1], [0.5, 3.0, 0.2], [0.1, 0.2, 1.0]]).astype(dtype)
        yield a, True
        yield np.stack([a, 2 * a]), True
        yield -a, True
        yield np.zeros((3, 3), dtype), True
    yield np.zeros((0, 0), dtype), True


# Calls

_AXES = ("", ", 0", ", -1", ", axis=[0]", ", keepdims=True", ", -1, True")
_CONSTANTS = ("0", "2", "-1", "0.5")
_DTYPES = tuple(f"tf.{name}" for name in DTYPES)
_MATRIX = {
    "linalg.inv",
    "linalg.cholesky",
    "linalg.logm",
    "matrix_square_root",
    "linalg.expm",
    "linalg.matrix_transpose",
    "linalg.trace",
    "linalg.diag_part",
    "linalg.matvec",
    "linalg.solve",
    "linalg.triangular_solve",
    "linalg.cholesky_solve",
    "linalg.det",
    "linalg.logdet",
    "linalg.adjoint",
    "linalg.eigh",
    "linalg.set_diag",
}


def expressions(name: str) -> tuple[str, ...]:
    """How the function is called, of `x` alone or of `x` and `y`."""
    if name in OPERATORS:
        return OPERATORS[name]
    if name in EXPRESSIONS:
        return EXPRESSIONS[name]
    if name in _MATRIX:
        return ("F(x)",)
    match KNOWN[name].parameters, name:
        case _, "nn.l2_normalize" | "math.l2_normalize" | "linalg.l2_normalize":
            return ("F(x)", "F(x, 0)", "F(x, -1)")
        case _, "cumsum" | "math.cumsum" | "math.cumprod":
            return ("F(x)", "F(x, -1)", "F(x, 0, True)", "F(x, reverse=True)")
        case _, "sort":
            return ("F(x)", "F(x, direction='DESCENDING')")
        case _, "reverse":  # of a scalar, which eager code leaves as it is and a graph refuses, nobody asks that
            return ("F(x[None], [0])", "F(x[None], [-1])")
        case _, "roll":
            return ("F(x, 1, 0)", "F(x, -2, -1)")
        case _, "linalg.band_part":
            return ("F(x, 1, 0)", "F(x, 0, -1)")
        case _, "nn.log_softmax":
            return ("F(x)", "F(x, 0)")
        case _, "math.invert_permutation":
            return ("F(x)",)
        case ("x",), _:
            return ("F(x)",)
        case ("x", "beta" | "alpha"), _:
            return ("F(x)", "F(x, 0.5)", "F(x, 2.0)")
        case ("x", "axis"), "nn.softmax":
            return ("F(x)", "F(x, 0)", "F(x, -1)")
        case ("x", "axis"), "expand_dims":
            return ("F(x, 0)", "F(x, -1)", "F(x, axis=1)", "F(x, 5)")
        case ("x", "axis"), "squeeze":
            return ("F(x)", "F(x, [1])", "F(x, -1)")
        case ("x", "y") | ("y", "x"), _:
            return (
                "F(x, y)",
                "F(x, x)",
                *(f"F(x, {one})" for one in _CONSTANTS),
                "F(2, x)",
                "F(0.5, x)",
            )
        case ("x", "axis", "keepdims"), _:
            return tuple(f"F(x{one})" for one in _AXES)
        case ("x", "axis", "output_type"), _:
            return ("F(x)", "F(x, 0)", "F(x, -1)", "F(x, 0, tf.int32)")
        case ("shape", "dtype", "name"), _:
            return ("F([2, 3])", "F([])", "F([0])", "F([2], tf.int64)", "F([2], 'bool')", "F(tf.shape(x))", "F(x.shape, x.dtype)")
        case ("shape", "value"), _:
            return ("F([2, 3], x)", "F([2], 1.5)", "F(tf.shape(x), 2)", "F([0], x)")
        case ("shape", "seed", *_), _:
            return ("F([50], [1, 2])", "F([3, 3], seed=[5, 6], dtype=tf.float64)", "F([2], x[:2])")
        case ("rows", *_), _:
            return ("F(3)", "F(2, 3, dtype=tf.int64)", "F(2, batch_shape=[2])", "F(0)")
        case ("start", *_), "range":
            return ("F(5)", "F(1, 9, 2)", "F(5, 1, -1)", "F(0.0, 1.0, 0.1)", "F(0)", "F(tf.shape(x)[0])")
        case ("value", "dtype", "shape"), _:
            return ("F(3)", "F([1.5, 2.5])", "F([1, 2], tf.float64)", "F(1.0, shape=[2])", "F(x)", "F(x, dtype=x.dtype)")
        case ("value", "dtype"), _:
            return ("F(3)", "F([1.5, 2.5])", "F(x)", "F([x, x])", "F([x, x], x.dtype)", "F(x, x.dtype)")
        case ("x", "dtype"), "cast":
            return tuple(f"F(x, {one})" for one in _DTYPES)
        case ("x", "dtype"), _:
            return ("F(x)", "F(x, tf.int64)", "F(x, tf.bool)")
        case ("indices", *_), _:
            return ("F(x, 4)", "F(x, 4, 2.0, -1.0)", "F(x, 3, axis=0)", "F(x, 3, dtype=tf.int32)")
        case ("x", "shape"), "broadcast_to":
            return ("F(x, [6])", "F(x, [2, 6])", "F(x, [4, 2, 3])", "F(x, tf.shape(x))")
        case ("x", "shape"), "reshape":
            return ("F(x, [-1])", "F(x, [3, 2])", "F(x, [6])", "F(x, [2, -1])", "F(x, tf.shape(x))", "F(x, x.shape)")
        case ("x", "shape"), _:
            return ("F(x, [-1])", "F(x, [3, 2])", "F(x, [6])", "F(x, [2, -1])", "F(x, [None, 3])", "F(x, x.shape)")
        case ("x", "perm", "conjugate"), _:
            return ("F(x)", "F(x, [1, 0])", "F(x, [0, 2, 1])", "F(x, conjugate=True)")
        case ("values",), _:
            return ("F([x, x])", "F([x, x, x])", "F([x])")
        case ("values", "axis"), _:
            return ("F([x, x], 0)", "F([x, x, x], -1)", "F([x], 1)", "F(x, 0)", "F([x, x[:1]], 0)")
        case ("x", "multiples"), _:
            return ("F(x, [2])", "F(x, [2, 1])", "F(x, [0, 2])", "F(x, tf.shape(x))")
        case ("x", "repeats", "axis"), _:
            return ("F(x, 2)", "F(x, 2, 0)", "F(x, [1, 2], axis=0)", "F(x, [1, 0, 2, 1, 1, 3])", "F(x, 0)")
        case ("x", "indices", *_), _:
            return ("F(x, 0)", "F(x, [1, 0, 1])", "F(x, [[0], [1]])", *(("F(x, [1], axis=-1)",) if name == "gather" else ()))
        case ("x", "y", "transpose_a", *_), _:
            return ("F(x, x, transpose_b=True)", "F(x, x, True)", "F(x, x)", "F(x, x, adjoint_b=True)")
        case ("x", "name", "k", *_), _:
            return ("F(x)", "F(x, k=1)", "F(x, k=-1)")
        case ("x", "out_type"), _:
            return ("F(x)", "F(x, tf.int64)")
        case ("x", "num", "axis"), _:
            return ("F(x)", "F(x, axis=-1)", "F(x, 2)", "F(x, axis=1)")
        case ("x", "sizes", "axis"), _:
            return ("F(x, 2)", "F(x, 3, -1)", "F(x, [1, 1], 0)", "F(x, [1, -1], 0)")
        case ("condition", "x", "y"), _:
            return ("F(c, x, y)", "F(c, x, 1)", "F(c, 2, x)", "F(x > 0, x, 0)", "F(c, x, x)")
        case ("x", "low", "high"), _:
            return ("F(x, 0, 1)", "F(x, -1, 2)", "F(x, 2, 1)", "F(x, y, 3)")
    raise AssertionError(f"{name}: how is it called?")


_LAYERS = {row.name for row in nn.ROWS if row.is_known and not row.is_elementwise}
# Their results are made of several numbers: what overflows on the way depends on the order.
SUMS = frozenset(
    name for name, row in KNOWN.items() if "keepdims" in row.parameters and name not in ("reduce_max", "reduce_min") or "transpose_a" in row.parameters
) | {
    "cumsum", "math.cumsum", "math.cumprod", "einsum", "nn.softmax", "nn.log_softmax", "add_n", "tensordot", "norm", "linalg.normalize",
    "linalg.global_norm", "clip_by_norm", "clip_by_global_norm", "nn.l2_loss", "scatter_nd", "tensor_scatter_nd_add",
    "tensor_scatter_nd_sub", *_LAYERS, *_MATRIX, *(n for n in KNOWN if "l2_normalize" in n or "segment_" in n),
}  # fmt: skip
NEAR_ONE = ("nn.elu", "nn.selu", "math.erfinv", "math.lgamma", "math.digamma")  # exp(x) - 1 and the like: what is left of numbers near 1


def calls(name: str, dtype: str) -> Iterator[Call]:
    for text in expressions(name):
        for operands, finite in _operands(name, text, dtype):
            if name not in SUMS:
                yield Call(text, operands, finite, 1.0 if name in NEAR_ONE else 0.0)
            elif not any(_huge(one) for one in operands.values()):
                yield Call(text, operands, finite, _largest(operands.values()))


def _operands(name: str, text: str, dtype: str) -> Iterator[tuple[dict[str, np.ndarray[Any, Any]], bool]]:
    if name in _MATRIX:
        # The eager tf.linalg.logm of zeros never returns.
        yield from (({"x": one}, finite) for one, finite in matrices(dtype) if name != "linalg.logm" or one.any())
    if "y" in text.replace("dtype", ""):
        for a, b, finite in pairs(dtype):
            condition = {"c": np.resize([True, False, False], np.broadcast_shapes(a.shape, b.shape))} if "F(c" in text else {}
            yield {**condition, "x": a, "y": b}, finite
    elif name not in _MATRIX or name in ("linalg.diag_part", "linalg.trace", "linalg.matrix_transpose"):
        for a, finite in tensors(dtype):
            yield {**({"c": np.resize([True, False, False], a.shape)} if "F(c" in text else {}), "x": a}, finite


def _huge(one: np.ndarray[Any, Any]) -> bool:
    return bool(np.issubdtype(one.dtype, np.inexact) and np.any(np.isfinite(one) & (np.abs(one) > np.finfo(one.dtype).max / 10)))


def _largest(operands: Iterable[np.ndarray[Any, Any]]) -> float:
    sizes = [np.abs(one[np.isfinite(one)]).astype(np.float64) for one in operands]
    return max([1.0, *(float(one.max()) for one in sizes if one.size)])


# Outcomes

Outcome = list[Any] | BaseException


def _function(name: str) -> Any:
    return functools.reduce(getattr, name.split("."), tf) if name not in OPERATORS else None


class Runner:
    """Runs calls in one form. What was traced or compiled is kept until the signature changes."""

    def __init__(self, name: str, form: str) -> None:
        self.function, self.form = _function(name), form
        self._signature: tuple[Any, ...] | None = None
        self._ready: Callable[..., Any] | None = None

    def __call__(self, call: Call) -> Outcome:
        if call.signature != self._signature:
            self._signature, self._ready = call.signature, self._made(call)
        assert self._ready is not None
        try:
            result = self._ready(*(tf.constant(one) for one in call.operands.values()))
            return [tf.convert_to_tensor(one).numpy() for one in tf.nest.flatten(result)]
        except Exception as error:
            return error

    def _made(self, call: Call) -> Callable[..., Any]:
        function = eval(f"lambda {', '.join(call.operands)}: {call.text}", {"tf": tf, "F": self.function})
        if self.form == "eager":
            return function  # type: ignore[no-any-return]
        return tf.function(function, jit_compile=self.form == "xla", autograph=False)  # type: ignore[no-any-return]


ULPS = 64  # of the result, or of the largest number in the sum that it is


def difference(call: Call, one: Outcome, other: Outcome) -> str:
    """How the outcomes differ beyond rounding; empty where they don't."""
    if isinstance(one, BaseException) and isinstance(other, BaseException):
        return ""
    if isinstance(one, BaseException) or isinstance(other, BaseException):
        return f"raises only eagerly: {_first_line(one)}" if isinstance(one, BaseException) else f"raises: {_first_line(other)}"
    if len(one) != len(other):
        return "another number of results"
    return next(filter(None, (_of_arrays(call, a, b) for a, b in zip(one, other, strict=True))), "")


def _has_no_kernel(outcome: Outcome) -> bool:
    return isinstance(outcome, BaseException) and ("OpKernel" in str(outcome) or "Could not find device" in str(outcome))


def _first_line(error: Any) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {(lines or [''])[0][:100]}"


def _of_arrays(call: Call, a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> str:
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype} {a.shape} and {b.dtype} {b.shape}"
    if np.iscomplexobj(a):  # the other part of what isn't finite says nothing
        a, b = (np.where(np.isfinite(a) | np.isfinite(b), one, 0) for one in (a, b))
        return _of_arrays(call, a.real, b.real) or _of_arrays(call, a.imag, b.imag)
    agree = a == b
    if np.issubdtype(a.dtype, np.inexact):
        agree |= (np.isnan(a) & np.isnan(b)) | _near(a, b, call.scale)
    if np.all(agree):
        return ""
    where = tuple(np.argwhere(np.atleast_1d(~agree))[0])
    return f"value {np.atleast_1d(a)[where]} and {np.atleast_1d(b)[where]}"


def _near(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], scale: float) -> np.ndarray[Any, Any]:
    eps, tiny = float(np.finfo(a.dtype).eps), float(np.finfo(a.dtype).tiny)
    with np.errstate(all="ignore"):
        a, b = a.astype(np.float64), b.astype(np.float64)
        size = np.maximum(np.maximum(np.abs(a), np.abs(b)), max(tiny, scale))
        near: np.ndarray[Any, Any] = (
            np.isfinite(a) & np.isfinite(b) & ((np.abs(a - b) <= ULPS * eps * size) | (np.maximum(np.abs(a), np.abs(b)) <= tiny))
        )
    return near


def differences(name: str, dtype: str, forms: tuple[str, ...] = FORMS) -> tuple[int, list[tuple[str, Call, str]]]:
    """How often the function worked eagerly, and where another form does something else: the form, the call, what."""
    eager, runners = Runner(name, "eager"), {form: Runner(name, form) for form in forms}
    worked, found = 0, []
    for call in sorted(calls(name, dtype), key=lambda one: str(one.signature)):
        expected = eager(call)
        worked += not isinstance(expected, BaseException)
        if _has_no_kernel(expected):  # it is in no program that works, and XLA may end the process, as for `//` of complex numbers
            continue
        for form, runner in runners.items():
            if said := difference(call, expected, runner(call)):
                found.append((form, call, said))
    return worked, found
