"""Which functions and operators keep every bit of their results in a graph, under XLA, in NumPy, and in a part of a tensor.

    python benchmarks/bits.py > benchmarks/bits.md

Calls each function of floats eagerly and in the other forms, with thousands of values, in a process with oneDNN and in one
without. Not told apart: one NaN from another, and from a normal number what is too small for the normal range of its dtype;
that, and the sign of zero, stand in columns of their own. Progress goes to standard error.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from tfrewrite.ops import TENSORFLOW

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]
DTYPES = ("float32", "float64", "float16", "bfloat16")
COLUMNS = ("graph", "xla", "numpy", "part")
SKIPPED = {"bitwise.bitwise_and", "bitwise.bitwise_or", "bitwise.bitwise_xor", "bitwise.invert", "math.invert_permutation", "linalg.logm"}
"""They take integers only, or complex numbers."""

# How they are called

UNARY = (
    "abs acos acosh asin asinh atan atanh cos cosh exp floor identity guarantee_const math.abs math.acos math.acosh math.asin math.asinh math.atan"
    " math.atanh math.bessel_i0 math.ceil math.conj math.cosh math.digamma math.erf math.erfc math.erfinv math.expm1 math.floor"
    " math.is_finite math.is_inf math.is_nan math.lgamma math.log math.log1p math.log_sigmoid math.negative math.reciprocal math.rint"
    " math.rsqrt math.sign math.sinh math.softplus negative nn.elu nn.gelu nn.leaky_relu nn.relu nn.relu6 nn.selu nn.silu nn.softplus"
    " nn.softsign nn.swish round sigmoid sign sin sinh sqrt square tan tanh stop_gradient zeros_like ones_like convert_to_tensor math.real"
    " math.imag math.angle"
).split()
BINARY = (
    "add subtract multiply divide truediv math.truediv math.divide_no_nan math.multiply_no_nan maximum minimum pow math.pow atan2 math.atan2"
    " math.floordiv math.floormod math.mod math.squared_difference math.xlogy math.xlog1py equal math.equal not_equal less math.less less_equal"
    " greater math.greater greater_equal"
).split()
REDUCTIONS = (
    "reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_logsumexp math.reduce_logsumexp math.reduce_euclidean_norm"
    " math.reduce_std math.reduce_variance norm"
).split()
ALONG = "cumsum math.cumsum math.cumprod sort nn.softmax nn.log_softmax nn.l2_normalize math.l2_normalize linalg.l2_normalize linalg.normalize".split()
"""One result for every number, which depends on the others along an axis."""
INDICES = "argmax argmin math.argmax math.argmin".split()
MATRICES = {
    "linalg.inv": "F(p)", "linalg.cholesky": "F(p)", "linalg.det": "F(p)", "linalg.logdet": "F(p)", "linalg.expm": "F(p)",
    "matrix_square_root": "F(p)", "linalg.eigh": "F(p)", "linalg.solve": "F(p, q)", "linalg.triangular_solve": "F(p, q)",
    "linalg.cholesky_solve": "F(p, q)", "linalg.trace": "F(p)",
}  # fmt: skip
"""Of p, [3, 5, 5] and positive definite, and q, [3, 5, 2]."""
MOVES: dict[str, tuple[str, ...]] = {
    "broadcast_to": ("F(x, [5, 1003])",), "concat": ("F([x, y], 0)",), "expand_dims": ("F(x, 0)",), "ensure_shape": ("F(x, [1003])",),
    "fill": ("F([5, 7], x[0])",), "gather": ("F(x, [3, 1, 0])",), "gather_nd": ("F(x, [[3], [1]])",), "getitem": ("x[1:]", "x[::2]", "x[-1]"),
    "linalg.adjoint": ("F(x[None])",), "linalg.matrix_transpose": ("F(x[None])",), "linalg.band_part": ("F(x[:7] + y[:7, None], 1, 0)",),
    "linalg.diag": ("F(x[:7])",), "linalg.diag_part": ("F(x[:7] * y[:7, None])",), "linalg.set_diag": ("F(x[:7] * y[:7, None], y[:7])",),
    "meshgrid": ("F(x, y[:5])",), "nn.embedding_lookup": ("F(x, [3, 1])",), "one_hot": ("F([1, 2, 0], 4, x[0], y[0])",), "ones": ("F([3], x.dtype)",),
    "zeros": ("F([3], x.dtype)",), "pad": ("F(x, [[1, 2]])", "F(x, [[1, 2]], constant_values=0.1)", "F(x, [[1, 2]], 'REFLECT')"), "rank": ("F(x)",),
    "shape": ("F(x)",), "size": ("F(x)",), "repeat": ("F(x, 2)",), "reshape": ("F(x, [17, 59])",), "reverse": ("F(x, [0])",), "roll": ("F(x, 3, 0)",),
    "slice": ("F(x, [3], [7])",), "split": ("F(x, [1000, 3])",), "squeeze": ("F(x[None])",), "stack": ("F([x, y])",), "unstack": ("F(x[:5])",),
    "tile": ("F(x, [2])",), "transpose": ("F(x[None])",), "where": ("F(x > y, x, y)", "F(x > 0, x, 0.1)"), "bitcast": ("F(x, tf.uint8)",),
    "boolean_mask": ("F(x, x > 0)",), "tensor_scatter_nd_update": ("F(x, [[1], [3]], y[:2])",), "tensor_scatter_nd_max": ("F(x, [[1], [1]], y[:2])",),
    "tensor_scatter_nd_min": ("F(x, [[1], [1]], y[:2])",), "complex": ("F(x, y)",), "constant": ("F([1.5, 0.1, 1 / 3], x.dtype)",), "eye": ("F(3, dtype=x.dtype)",),
    "unique": ("F(x)",), "sequence_mask": ("F([3, 1], 5, x.dtype)",), "logical_and": ("F(x > 0, y > 0)",), "logical_or": ("F(x > 0, y > 0)",),
    "math.logical_xor": ("F(x > 0, y > 0)",), "logical_not": ("F(x > 0)",), "clip_by_value": ("F(x, -1.0, 0.1)", "F(x, -tf.abs(y), tf.abs(y))"),
    "cast": tuple(f"F(x, tf.{name})" for name in ("float16", "bfloat16", "float32", "float64", "bool")) + tuple(f"F(tf.clip_by_value(x, -100.0, 100.0), tf.{name})" for name in ("int8", "int32", "int64")),
}  # fmt: skip
"""Of x and y, [1003]: what moves or picks numbers and computes none, or one of each."""
IMAGE, FILTERS = "tf.reshape(a[:, :720], [-1, 10, 12, 6])", "tf.reshape(b[:4, :72], [2, 2, 6, 12])"
OTHERS: dict[str, tuple[str, ...]] = {
    "add_n": ("F([x, y])", "F([x, y, x])", "F([x, y, x, y, x])", "F([a])"),
    "matmul": ("F(a, b)", "F(a, a, transpose_b=True)", "F(a, a, True)", "F(a[:1], b)", "F(a[:3, :5], b[:5, :3])", "F(a, b[:, :1])", "F(a[None], b[None])", "F(c, c)"),
    "linalg.matvec": ("F(a, x)", "F(a, y[:13], True)"),
    "tensordot": ("F(a, b, 1)", "F(a, a, [[0], [0]])", "F(a, a, 2)", "F(x, y, 1)", "F(x[:7], y[:5], 0)"),
    "einsum": ("F('ij,jk->ik', a, b)", "F('ij,kj->ik', a, a)", "F('ij->i', a)", "F('i,i->', x, y)", "F('i,j->ij', x[:7], y[:5])", "F('ij->ji', a)", "F('...j,...j->...', a, a)", "F('bij,bjk->bik', c, c)"),
    "linspace": ("F(x[0], y[0], 13)", "F(x, y, 5)"), "range": ("F(0.0, 10.0, 0.1)", "F(x[0], x[0] + 5, 0.1)"),
    "clip_by_norm": ("F(x, 2.0)", "F(a, 0.1)", "F(a, 2.0, 0)"), "clip_by_global_norm": ("F([x, y], 2.0)", "F([a], 0.1)"), "linalg.global_norm": ("F([x, y])", "F([a])"),
    "nn.l2_loss": ("F(x)", "F(a)"), "nn.top_k": ("F(x, 5)",), "argsort": ("F(x)", "F(a)"), "searchsorted": ("F(tf.sort(x), y)",),
    "math.count_nonzero": ("F(x)", "F(a, 0)"), "reduce_all": ("F(a > 0, 0)",), "reduce_any": ("F(a > 0, 0)",),
    "scatter_nd": ("F([[1], [1], [0], [1]], x[:4], [3])",), "tensor_scatter_nd_add": ("F(x, [[1], [1], [0], [1]], y[:4])",),
    "tensor_scatter_nd_sub": ("F(x, [[1], [1], [0], [1]], y[:4])",),
    **{f"math.segment_{name}": ("F(x[:9], [0, 0, 0, 0, 0, 0, 2, 2, 3])", "F(a, [0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 3, 3])") for name in ("sum", "mean", "max", "min", "prod")},
    **{f"math.unsorted_segment_{name}": ("F(x[:9], [0, 3, 0, 0, 1, 0, 2, 2, 3], 4)", "F(a, [0, 0, 0, 1, 1, 0, 2, 2, 3, 3, 3, 3, 3], 4)") for name in ("sum", "mean", "max", "min", "prod")},
    **{f"nn.{name}": (f"F({IMAGE}, 2, 2, 'SAME')", f"F({IMAGE}, 3, 1, 'VALID')") for name in ("max_pool", "max_pool2d", "avg_pool", "avg_pool2d")},
    "nn.conv1d": ("F(tf.reshape(a[:, :720], [-1, 120, 6]), tf.reshape(b[:4, :72], [4, 6, 12]), 1, 'SAME')",),
    "nn.conv2d": (f"F({IMAGE}, {FILTERS}, 1, 'SAME')", f"F({IMAGE}, {FILTERS}, 2, 'VALID')", f"F({IMAGE}, tf.reshape(b[0, :72], [1, 1, 6, 12]), 1, 'VALID')"),
    "nn.bias_add": ("F(a, x)", f"F({IMAGE}, x[:6])"),
    "nn.batch_normalization": ("F(a, x, y * y, None, None, 0.1)", "F(a, x, y * y, y, x, 0.1)", "F(a, 0.5, 2.0, None, 2.0, 0.1)"),
    "nn.moments": ("F(a, 0)", "F(a, [-1])", "F(a, None)"),
    "nn.softmax_cross_entropy_with_logits": ("F(tf.nn.softmax(a), a)",), "nn.sigmoid_cross_entropy_with_logits": ("F(tf.sigmoid(a), a)", "F(tf.cast(a > 0, a.dtype), a)"),
    "nn.sparse_softmax_cross_entropy_with_logits": ("F([0, 1, 5], a[:3])",),
    **{f"random.stateless_{name}": ("F([1003], [1, 2], dtype=x.dtype)",) for name in ("normal", "truncated_normal", "uniform")},
}  # fmt: skip
"""Of x and y, [1003]; a, [13, 1003]; b, [1003, 77]; c, [3, 7, 7]."""

_NUMBERS = ("2.0", "0.1", "3.0", "-7.3", "1.0", "-1.0", "0.0", "1e-3", "0.25")
LITERALS = (
    *(f"x {sign} {number}" for sign in "+-*/" for number in _NUMBERS if (sign, number) != ("/", "0.0")),
    *(f"{number} {sign} x" for sign in "+-*/" for number in _NUMBERS),
    *(f"x ** {number}" for number in ("2", "2.0", "3", "3.0", "0.5", "-0.5", "-1.0", "-2.0", "1.5", "4.0", "1.0", "0.0", "0.3333")),
    *(f"{number} ** x" for number in ("2.0", "0.1", "1.0")),
    *(f"x {sign} {number}" for sign in ("//", "%") for number in ("2.0", "0.1", "3.0", "1.0", "-7.3")),
    *(f"3.0 {sign} x" for sign in ("//", "%")),
    *(f"tf.{name}(x, {number})" for name in ("maximum", "minimum", "pow", "divide", "math.floordiv", "math.floormod", "math.squared_difference") for number in ("0.1", "3.0")),
    *(f"x {sign} {number}" for sign in (">", "<=", "==") for number in ("0.1", "3.0")),
    "x / 3", "x * 3", "x + 1", "1 - x", "x / tf.constant(3.0, x.dtype)", "x / tf.constant([3.0] * 1003, x.dtype)", "x * tf.constant([0.1] * 1003, x.dtype)",
)  # fmt: skip

_SAME_NAME = (
    "abs exp cos sin tan cosh sinh floor sqrt square tanh sign negative add subtract multiply divide maximum minimum equal not_equal less"
    " less_equal greater greater_equal argmax argmin cumsum sort"
).split()
NUMPY = {
    **{name: f"np.{name}" for name in _SAME_NAME},
    "acos": "np.arccos", "acosh": "np.arccosh", "asin": "np.arcsin", "asinh": "np.arcsinh", "atan": "np.arctan", "atanh": "np.arctanh",
    "math.ceil": "np.ceil", "math.expm1": "np.expm1", "math.log": "np.log", "math.log1p": "np.log1p", "math.rint": "np.rint", "round": "np.round",
    "math.reciprocal": "(lambda x: 1 / x)", "math.rsqrt": "(lambda x: 1 / np.sqrt(x))", "sigmoid": "(lambda x: 1 / (1 + np.exp(-x)))",
    "nn.relu": "(lambda x: np.maximum(x, 0))", "truediv": "np.divide", "math.truediv": "np.divide", "pow": "np.power", "math.pow": "np.power",
    "atan2": "np.arctan2", "math.floordiv": "np.floor_divide", "math.floormod": "np.mod", "math.mod": "np.mod", "matmul": "np.matmul",
    "math.squared_difference": "(lambda x, y: (x - y) * (x - y))", "reduce_sum": "np.sum", "reduce_mean": "np.mean", "reduce_max": "np.max",
    "reduce_min": "np.min", "reduce_prod": "np.prod", "math.reduce_std": "np.std", "math.reduce_variance": "np.var", "norm": "np.linalg.norm",
    "math.cumsum": "np.cumsum", "math.cumprod": "np.cumprod", "einsum": "np.einsum", "tensordot": "np.tensordot", "math.abs": "np.abs",
    "math.is_nan": "np.isnan", "math.is_inf": "np.isinf", "math.is_finite": "np.isfinite", "math.sign": "np.sign", "math.floor": "np.floor",
    "math.negative": "np.negative", "linalg.inv": "np.linalg.inv", "linalg.det": "np.linalg.det", "linalg.solve": "np.linalg.solve",
    "linalg.cholesky": "np.linalg.cholesky", "argsort": "np.argsort", "transpose": "np.transpose", "reshape": "np.reshape", "concat": "np.concatenate",
    "stack": "np.stack", "tile": "np.tile", "repeat": "np.repeat", "roll": "np.roll", "where": "np.where", "getitem": "None", "logical_and": "np.logical_and",
    "logical_or": "np.logical_or", "logical_not": "np.logical_not", "math.logical_xor": "np.logical_xor", "broadcast_to": "np.broadcast_to",
    "expand_dims": "np.expand_dims", "squeeze": "np.squeeze", "reduce_all": "np.all", "reduce_any": "np.any", "math.count_nonzero": "np.count_nonzero",
    "math.conj": "np.conj", "zeros_like": "np.zeros_like", "ones_like": "np.ones_like", "linalg.diag": "np.diag", "math.acos": "np.arccos",
    "math.acosh": "np.arccosh", "math.asin": "np.arcsin", "math.atan": "np.arctan", "math.atanh": "np.arctanh", "math.cosh": "np.cosh",
    "math.sinh": "np.sinh", "math.equal": "np.equal", "math.less": "np.less", "math.greater": "np.greater", "math.atan2": "np.arctan2",
    "math.argmax": "np.argmax", "math.argmin": "np.argmin", "clip_by_value": "np.clip", "linspace": "np.linspace", "linalg.trace": "None",
    "cast": "(lambda x, dtype: x.astype(dtype.as_numpy_dtype))", "identity": "(lambda x: x)", "gather": "np.take", "pad": "np.pad",
    "add_n": "(lambda xs: functools.reduce(np.add, xs))",
}  # fmt: skip
NUMPY.pop("linalg.trace")


@dataclass(frozen=True)
class Form:
    """An expression of F, the function, and of its operands, whose shapes these are."""

    text: str
    shapes: tuple[tuple[str, Shape], ...]
    dtypes: tuple[str, ...] = DTYPES


_X, _XY = (("x", (1003,)),), (("x", (1003,)), ("y", (1003,)))
_ABC = {"x": (1003,), "y": (1003,), "a": (13, 1003), "b": (1003, 77), "c": (3, 7, 7), "p": (3, 5, 5), "q": (3, 5, 2)}
_WIDE = ("float32", "float64")


def _shapes(text: str) -> tuple[tuple[str, Shape], ...]:
    names = set(compile(text, "", "eval").co_names)
    return tuple((name, shape) for name, shape in _ABC.items() if name in names) or _X


def forms(name: str) -> Iterator[Form]:
    if name in UNARY:
        yield Form("F(x)", _X)
        yield from (Form("F(x)", (("x", shape),), _WIDE) for shape in ((), (1,), (7,), (13,), (17, 59)))
        if name in ("nn.leaky_relu", "nn.silu", "nn.swish"):
            yield Form("F(x, 0.1)", _X)
    elif name in BINARY:
        yield Form("F(x, y)", _XY)
        several: tuple[tuple[Shape, Shape], ...] = (
            ((), ()),
            ((7,), (7,)),
            ((13,), (1,)),
            ((17, 59), (59,)),
            ((17, 1), (17, 59)),
            ((1003,), ()),
            ((), (1003,)),
        )
        yield from (Form("F(x, y)", (("x", one), ("y", other)), _WIDE) for one, other in several)
        yield Form("F(x, x)", _X, _WIDE)
    elif name in REDUCTIONS:
        yield from (Form("F(x)", (("x", shape),)) for shape in ((1003,), (13, 1003)))
        yield from (Form("F(x)", (("x", shape),), _WIDE) for shape in ((1,), (7,), (13,), (100003,), (3, 5, 7)))
        yield from (Form(f"F(x, axis={axis})", (("x", (13, 1003)),)) for axis in (0, -1))
        yield from (Form(f"F(x, axis={axis})", (("x", (3, 130, 77)),), _WIDE) for axis in (0, 1, 2, [0, 1], [1, 2]))
        yield Form("F(x, axis=0, keepdims=True)", (("x", (1003, 1)),), _WIDE)
    elif name in ALONG:
        yield from (Form("F(x)", (("x", shape),)) for shape in ((1003,), (13, 1003)))
        yield from (Form("F(x, axis=0)", (("x", shape),), _WIDE) for shape in ((7,), (1003, 13)))
        yield Form("F(x, axis=-1)", (("x", (77, 13)),), _WIDE)
    elif name in INDICES:
        yield from (Form("F(x)", (("x", shape),)) for shape in ((1003,), (13, 1003)))
        yield Form("F(x, -1)", (("x", (13, 1003)),), _WIDE)
    else:
        texts = MOVES.get(name) or OTHERS.get(name) or ((MATRICES[name],) if name in MATRICES else ())
        yield from (Form(text, _shapes(text)) for text in texts)


# What is part of a tensor's result, against the result of a part

_ROWS = (("x", (130, 1003)),)
_FEW = (("x", (13, 77)),)
_OF_ROWS = ("{F}[2:5] | {f}(x[2:5]", "{F}[3:4] | {f}(x[3:4]", "{F}[1:] | {f}(x[1:]")


def parts(name: str) -> Iterator[Form]:
    """Two expressions that a bar divides."""
    if name in UNARY:
        for text in ("F(x)[3:5] | F(x[3:5])", "F(x)[1:] | F(x[1:])", "F(x)[7] | F(x[7])", "F(x)[-1:] | F(x[-1:])"):
            yield Form(text, _X, _WIDE)
        yield Form("F(x) | tf.reshape(F(tf.reshape(x, [17, 59])), [-1])", _X, _WIDE)
        yield Form("F(x)[90001:90008] | F(x[90001:90008])", (("x", (100003,)),), _WIDE)
    elif name in BINARY:
        for text in (
            "F(x, y)[3:5] | F(x[3:5], y[3:5])",
            "F(x, y)[1:] | F(x[1:], y[1:])",
            "F(x, y)[7] | F(x[7], y[7])",
            "F(x, y)[-1:] | F(x[-1:], y[-1:])",
            "F(x, y[5]) | F(x, tf.fill([1003], y[5]))",
            "F(x[5], y) | F(tf.fill([1003], x[5]), y)",
            "F(tf.reshape(x, [17, 59]), y[:59]) | F(tf.reshape(x, [17, 59]), tf.broadcast_to(y[:59], [17, 59]))",
            "F(tf.reshape(x, [17, 59]), y[:17, None]) | F(tf.reshape(x, [17, 59]), tf.broadcast_to(y[:17, None], [17, 59]))",
            "F(x[:17, None], y[:59]) | F(tf.broadcast_to(x[:17, None], [17, 59]), tf.broadcast_to(y[:59], [17, 59]))",
        ):
            yield Form(text, _XY, _WIDE)
    elif name in (*REDUCTIONS, "reduce_all", "reduce_any", "math.count_nonzero"):
        of = "F(x > 0" if name in ("reduce_all", "reduce_any") else "F(x"
        for shapes in (_ROWS, _FEW):
            for whole, part in (
                (", axis=-1)[2:5]", "[2:5], axis=-1)"),
                (", axis=-1)[3:4]", "[3:4], axis=-1)"),
                (", axis=-1)[3]", "[3])"),
                (", axis=0)[3:5]", "[:, 3:5], axis=0)"),
                (", axis=0)[3:60]", "[:, 3:60], axis=0)"),
                (", axis=0)[3:4]", "[:, 3:4], axis=0)"),
                (", axis=0)[3]", "[:, 3])"),
            ):
                yield Form(f"{of}{whole} | {of.replace('x > 0', '(x > 0)')}{part}", shapes, _WIDE)
    elif name in ALONG or name in ("argsort", "nn.top_k", "nn.max_pool"):
        axis = "" if name in ("nn.top_k",) else ", axis=-1"
        for shapes in (_ROWS, _FEW):
            for index in ("[2:5]", "[3:4]", "[3]"):
                if name in ("argsort", "sort", "nn.top_k") or name in ALONG:
                    pick = "" if name not in ("nn.top_k", "linalg.normalize") else "[0]"
                    yield Form(f"F(x{axis}){pick}{index} | F(x{index}{axis}){pick}", shapes, _WIDE)
            if name in ALONG and name != "sort":
                yield Form(
                    "F(x, axis=0)[:, 3:5] | F(x[:, 3:5], axis=0)".replace("=0)", "=0)[0]" if name == "linalg.normalize" else "=0)"),
                    shapes,
                    _WIDE,
                )
    elif name in INDICES:
        yield Form("F(x, -1)[2:5] | F(x[2:5], -1)", _ROWS, _WIDE)
        yield Form("F(x, 0)[2:5] | F(x[:, 2:5], 0)", _ROWS, _WIDE)
    elif name in MATRICES:
        pick = "[1]" if name == "linalg.eigh" else ""
        whole = MATRICES[name]
        part = whole.replace("p", "p[1]").replace("q", "q[1]")
        yield Form(f"{whole}{pick}[1] | {part}{pick}", _shapes(whole), _WIDE)
    else:
        yield from (Form(text, _shapes(text.replace("|", "+")), _WIDE) for text in _PARTS.get(name, ()))


_PARTS: dict[str, tuple[str, ...]] = {
    "matmul": ("F(a, b)[2:5] | F(a[2:5], b)", "F(a, b)[3:4] | F(a[3:4], b)", "F(a, b)[:, 2:9] | F(a, b[:, 2:9])", "F(a, b)[:, 3:4] | F(a, b[:, 3:4])", "F(c, c)[1] | F(c[1], c[1])",
        "F(a[:, :5], b[:5])[2:5] | F(a[2:5, :5], b[:5])", "F(a, a, transpose_b=True) | F(a, tf.transpose(a))", "F(a, a, True) | F(tf.transpose(a), a)", "F(a, b) | tf.transpose(F(tf.transpose(b), tf.transpose(a)))"),
    "linalg.matvec": ("F(a, x)[2:5] | F(a[2:5], x)", "F(a, x)[3:4] | F(a[3:4], x)", "F(a, x) | tf.matmul(a, x[:, None])[:, 0]"),
    "tensordot": ("F(a, b, 1)[2:5] | F(a[2:5], b, 1)", "F(a, b, 1)[3] | F(a[3], b, 1)", "F(a, b, 1) | tf.matmul(a, b)"),
    "einsum": ("F('ij,jk->ik', a, b)[2:5] | F('ij,jk->ik', a[2:5], b)", "F('ij,jk->ik', a, b)[3] | F('j,jk->k', a[3], b)", "F('ij->i', a)[2:5] | F('ij->i', a[2:5])", "F('ij->i', a) | tf.reduce_sum(a, 1)", "F('ij,jk->ik', a, b) | tf.matmul(a, b)"),
    "add_n": ("F([x, y, x])[3:5] | F([x[3:5], y[3:5], x[3:5]])", "F([x, y]) | x + y", "F([x, y, x]) | x + y + x", "F([x, y, x, y, x]) | x + y + x + y + x"),
    "nn.bias_add": ("F(a, x)[2:5] | F(a[2:5], x)", "F(a, x) | a + x"), "linspace": ("F(x, y, 5)[:, 3:5] | F(x[3:5], y[3:5], 5)", "F(x, y, 5)[:, 3] | F(x[3], y[3], 5)"),
    "nn.batch_normalization": ("F(a, x, y * y, y, x, 0.1)[2:5] | F(a[2:5], x, y * y, y, x, 0.1)", "F(a, x, y * y, y, x, 0.1)[:, 3:5] | F(a[:, 3:5], x[3:5], (y * y)[3:5], y[3:5], x[3:5], 0.1)"),
    "nn.moments": ("F(a, [-1])[1][2:5] | F(a[2:5], [-1])[1]", "F(a, [-1])[0][3] | F(a[3], [-1])[0]", "F(a, [0])[1][3:5] | F(a[:, 3:5], [0])[1]"),
    "nn.softmax_cross_entropy_with_logits": ("F(tf.nn.softmax(a), a)[2:5] | F(tf.nn.softmax(a)[2:5], a[2:5])", "F(tf.nn.softmax(a), a)[3] | F(tf.nn.softmax(a)[3], a[3])"),
    "nn.sigmoid_cross_entropy_with_logits": ("F(tf.sigmoid(a), a)[2:5] | F(tf.sigmoid(a)[2:5], a[2:5])", "F(tf.sigmoid(a), a)[3, 5:8] | F(tf.sigmoid(a)[3, 5:8], a[3, 5:8])"),
    "nn.sparse_softmax_cross_entropy_with_logits": ("F([0, 1, 5], a[:3])[1:] | F([1, 5], a[1:3])", "F([0, 1, 5], a[:3])[1] | F(1, a[1])"),
    **{f"nn.{name}": (f"F({IMAGE}, 2, 2, 'SAME')[2:5] | F({IMAGE}[2:5], 2, 2, 'SAME')", f"F({IMAGE}, 3, 1, 'VALID')[3:4] | F({IMAGE}[3:4], 3, 1, 'VALID')") for name in ("max_pool", "max_pool2d", "avg_pool", "avg_pool2d")},
    "nn.conv2d": (f"F({IMAGE}, {FILTERS}, 1, 'SAME')[2:5] | F({IMAGE}[2:5], {FILTERS}, 1, 'SAME')", f"F({IMAGE}, {FILTERS}, 1, 'SAME')[3:4] | F({IMAGE}[3:4], {FILTERS}, 1, 'SAME')"),
    "nn.conv1d": ("F(tf.reshape(a[:, :720], [-1, 120, 6]), tf.reshape(b[:4, :72], [4, 6, 12]), 1, 'SAME')[2:5] | F(tf.reshape(a[2:5, :720], [-1, 120, 6]), tf.reshape(b[:4, :72], [4, 6, 12]), 1, 'SAME')",),
    "clip_by_norm": ("F(a, 2.0, 0)[:, 3:5] | F(a[:, 3:5], 2.0, 0)", "F(a, 2.0, 1)[3] | F(a[3], 2.0)"),
    "math.segment_sum": ("F(a, [0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 3, 3])[:, 3:5] | F(a[:, 3:5], [0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 3, 3])",),
    "math.segment_mean": ("F(a, [0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 3, 3])[:, 3:5] | F(a[:, 3:5], [0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 3, 3])",),
    "math.unsorted_segment_sum": ("F(a, [0, 0, 0, 1, 1, 0, 2, 2, 3, 3, 3, 3, 3], 4)[:, 3:5] | F(a[:, 3:5], [0, 0, 0, 1, 1, 0, 2, 2, 3, 3, 3, 3, 3], 4)",),
    "math.unsorted_segment_mean": ("F(a, [0, 0, 0, 1, 1, 0, 2, 2, 3, 3, 3, 3, 3], 4)[:, 3:5] | F(a[:, 3:5], [0, 0, 0, 1, 1, 0, 2, 2, 3, 3, 3, 3, 3], 4)",),
    "cast": ("F(x, tf.float16)[3:5] | F(x[3:5], tf.float16)", "F(x, tf.bfloat16)[1:] | F(x[1:], tf.bfloat16)", "F(x, tf.int32)[3] | F(x[3], tf.int32)"),
}  # fmt: skip

# Values

DISTRIBUTIONS: dict[str, Callable[[Any, Shape, Any], Array]] = {
    "normal": lambda random, shape, info: random.normal(size=shape),
    "unit": lambda random, shape, info: random.uniform(-1, 1, shape),
    "positive": lambda random, shape, info: random.uniform(0, 30, shape),
    "tens": lambda random, shape, info: random.normal(size=shape) * 10,
    "small": lambda random, shape, info: random.normal(size=shape) * 1e-3,
    "integers": lambda random, shape, info: random.integers(-20, 21, shape).astype(float),
    "halves": lambda random, shape, info: random.integers(-40, 41, shape) / 2,
    "wide": lambda random, shape, info: random.choice([-1, 1], shape) * 2.0 ** random.uniform(info.minexp + 1, info.maxexp - 1, shape),
    "twenty": lambda random, shape, info: random.choice([-1, 1], shape) * 2.0 ** random.uniform(-10, 10, shape),
    "specials": lambda random, shape, info: random.choice(
        [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, np.inf, -np.inf, np.nan, float(info.max), -2.0, 100.0], shape
    ),
    "subnormal": lambda random, shape, info: random.choice(
        [1.0, 0.5, -3.0, float(info.tiny), float(info.tiny) / 4, -float(info.tiny) / 2, 0.0], shape
    ),
}


def batches(form: Form, dtype: str, sums: bool) -> Iterator[tuple[str, list[Array]]]:
    """Values of the operands, by what they are: each distribution for all, and of two operands each with each.

    Where numbers are summed (`sums`), what would overflow says nothing.
    """
    wanted = tf.as_dtype(dtype).as_numpy_dtype
    info = np.finfo(wanted) if dtype != "bfloat16" else tf.experimental.numpy.finfo(np.float32)
    random = np.random.default_rng(zlib.crc32(repr((form.text, form.shapes)).encode()))
    names = [name for name in DISTRIBUTIONS if name != "wide" or not sums]
    for i, kind in enumerate(names):
        for shift in range(len(names) if len(form.shapes) == 2 else 1):
            made = []
            for at, (name, shape) in enumerate(form.shapes):
                one = names[(i + shift * at) % len(names)]
                if name == "p":
                    root = random.normal(size=shape)
                    made.append((root @ root.transpose(0, 2, 1) + np.eye(shape[-1])).astype(wanted))
                    continue
                with np.errstate(all="ignore"):
                    made.append(np.asarray(DISTRIBUTIONS[one](random, shape, info)).astype(wanted))
                kind = "subnormal" if "subnormal" in (one, kind) else "specials" if "specials" in (one, kind) else kind
            yield kind, made


# Comparing


def compared(one: list[Array], other: list[Array]) -> tuple[float, bool, bool, str]:
    """By how much they differ in units of the last place (infinitely: it isn't rounding), zeros' signs, small numbers, an example."""
    worst, signs, small, example = 0.0, False, False, ""
    if len(one) != len(other):
        return np.inf, False, False, "another number of results"
    for a, b in zip(one, other, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype:
            return np.inf, False, False, f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
        if a.dtype.kind == "c":
            a, b = (np.stack([part.real, part.imag]) for part in (a, b))
        a, b = np.atleast_1d(a), np.atleast_1d(b)
        if a.dtype.kind in "biuSO":
            if not np.array_equal(a, b):
                where = tuple(np.argwhere(a != b)[0])
                worst, example = np.inf, f"{a[where]} and {b[where]}"
            continue
        found, found_signs, found_small, found_example = _of_floats(a, b)
        if found > worst:
            worst, example = found, found_example
        signs, small = signs or found_signs, small or found_small
    return worst, signs, small, example


def _of_floats(a: Array, b: Array) -> tuple[float, bool, bool, str]:
    tiny = float(np.finfo(np.float32 if a.dtype.itemsize == 2 and a.dtype != np.float16 else a.dtype).tiny)
    eps = 2.0**-7 if a.dtype.itemsize == 2 and a.dtype != np.float16 else float(np.finfo(a.dtype).eps)
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        differ = ~((a == b) | (np.isnan(a) & np.isnan(b)))
        signs = bool(np.any((a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))))
        little = differ & (np.abs(a) <= tiny) & (np.abs(b) <= tiny)
        differ &= ~little
        if not np.any(differ):
            return 0.0, signs, bool(np.any(little)), ""
        a, b = a[differ], b[differ]
        size = 2.0 ** np.floor(np.log2(np.maximum(np.maximum(np.abs(a), np.abs(b)), tiny)))
        ulps = np.where(np.isfinite(a) & np.isfinite(b), np.abs(a / size - b / size) / eps, np.inf)
        at = int(np.argmax(ulps))
        return float(ulps[at]), signs, bool(np.any(little)), f"{a[at]!r} and {b[at]!r}".replace("np.float64", "")


# Running


def _function(name: str) -> Any:
    return functools.reduce(getattr, name.split("."), tf) if "." in name or hasattr(tf, name) else None


def _made(text: str, form: Form, values: dict[str, Any]) -> Callable[..., Any]:
    names = ", ".join(name for name, _ in form.shapes)
    return eval(f"lambda {names}: {text}", {"tf": tf, "np": np, "functools": functools, **values})  # type: ignore[no-any-return]


def _outcome(function: Callable[..., Any], operands: list[Any]) -> list[Array] | str:
    try:
        return [np.asarray(one) for one in tf.nest.flatten(function(*operands))]
    except Exception as error:
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0][:80] if str(error).strip() else ''}"


@dataclass
class Verdict:
    """What one form of a function did, by its worst difference."""

    ulps: float = 0.0
    example: str = ""
    signs: str = ""
    small: str = ""
    raised: str = ""
    special: str = ""
    calls: int = 0
    texts: list[str] = field(default_factory=list)
    """All that lost bits."""

    def see(self, text: str, kind: str, one: list[Array] | str, other: list[Array] | str) -> None:
        if isinstance(one, str):
            return  # it has no kernel eagerly
        self.calls += 1
        if isinstance(other, str):
            self.raised = self.raised or f"{text}: {other}"
            return
        ulps, signs, small, example = compared(one, other)
        if kind == "subnormal":
            if ulps or small:
                self.small = self.small or f"{text}: {example}"
            return
        if ulps and text not in self.texts:
            self.texts.append(text)
        if ulps > self.ulps:
            if kind == "specials" and ulps == np.inf:
                self.special = self.special or f"{text}: {example}"
            else:
                self.ulps, self.example = ulps, f"{text} ({kind}): {example}"
        self.signs = self.signs or (text if signs else "")
        self.small = self.small or (text if small else "")

    def told(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if value}


def _measure(name: str, forms_of: list[Form], dtype: str, columns: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    found = {column: Verdict() for column in columns}
    for form in forms_of:
        if dtype not in form.dtypes:
            continue
        label = f"{form.text} {'x'.join(str(list(shape)) for _, shape in form.shapes)}"
        values = {"F": _function(name)}
        texts = form.text.split(" | ")
        eager = _made(texts[0], form, values)
        others: dict[str, Callable[..., Any]] = {}
        if "part" in columns:
            others["part"] = _made(texts[1], form, values)
        if "graph" in columns:
            others["graph"] = tf.function(_made(texts[0], form, values), autograph=False)
        if "xla" in columns:
            others["xla"] = tf.function(_made(texts[0], form, values), autograph=False, jit_compile=True)
        if "numpy" in columns and (name in NUMPY or not name):
            others["numpy"] = _made(
                texts[0].replace("tf.", "np.").replace("[0, 1])", "(0, 1))").replace("[1, 2])", "(1, 2))"),
                form,
                {"F": eval(NUMPY.get(name, "None"), {"np": np, "functools": functools})},
            )
            if name == "cast":
                others["numpy"] = _made(texts[0].replace("tf.clip_by_value", "np.clip"), form, {"F": eval(NUMPY[name], {"np": np})})
        for kind, operands in batches(form, dtype, name not in UNARY and name not in BINARY and name not in MOVES and bool(name)):
            tensors = [tf.constant(one) for one in operands]
            expected = _outcome(eager, tensors)
            if isinstance(expected, str):
                print(f"eager {name} {dtype}: {label}: {expected}", file=sys.stderr)
                break
            for column, function in others.items():
                with np.errstate(all="ignore"):
                    outcome = _outcome(function, operands if column == "numpy" else tensors)
                if column == "numpy" and isinstance(outcome, str):
                    continue  # it is called otherwise there
                if column == "numpy" and not isinstance(outcome, str) and len(outcome) == len(expected):
                    outcome = [
                        b.astype(a.dtype) if a.dtype.kind in "iu" and b.dtype.kind in "iu" else b
                        for a, b in zip(expected, outcome, strict=True)
                    ]
                found[column].see(label, kind, expected, outcome)
    return {column: verdict.told() for column, verdict in found.items() if verdict.calls}


def measure(dtypes: tuple[str, ...]) -> None:
    """Everything in this process; lines of JSON."""
    tf.get_logger().setLevel("ERROR")
    warnings.simplefilter("ignore")
    chosen = [one for one in os.environ.get("BITS_ONLY", "").split(",") if one]
    measured = {row.name for row in TENSORFLOW if row.is_measured}
    rows = sorted(measured - SKIPPED) if not chosen else [one for one in chosen if one != "literals"]
    start = time.perf_counter()
    for name in rows:
        for dtype in dtypes:
            found = _measure(name, list(forms(name)), dtype, ("graph", "xla", "numpy"))
            found |= _measure(name, list(parts(name)), dtype, ("part",))
            print(json.dumps([name, dtype, found]), flush=True)
        print(f"{time.perf_counter() - start:.0f} s: {name}", file=sys.stderr, flush=True)
    for text in LITERALS if not chosen or "literals" in chosen else ():
        for dtype in dtypes:
            shapes: tuple[tuple[tuple[str, Shape], ...], ...] = (_X, (("x", (7,)),), (("x", ()),))
            several = [Form(text, one) for one in shapes if "1003" not in text or one == _X]
            print(
                json.dumps([f"`{text}`", dtype, _measure("", several[: 3 if dtype in _WIDE else 1], dtype, ("graph", "xla", "numpy"))]),
                flush=True,
            )
    print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


# The table


def _process(onednn: str, dtypes: tuple[str, ...]) -> list[Any]:
    environment = {**os.environ, "TF_ENABLE_ONEDNN_OPTS": onednn}
    done = subprocess.run(
        [sys.executable, __file__, "--measure", ",".join(dtypes)], env=environment, stdout=subprocess.PIPE, check=True, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def merged(results: list[list[Any]]) -> dict[str, dict[tuple[str, str], dict[str, Any]]]:
    """By name, by dtype and column: the worse of the processes."""
    found: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}
    for rows in results:
        for name, dtype, columns in rows:
            for column, verdict in columns.items():
                before = found.setdefault(name, {}).get((dtype, column), {})
                worse = verdict if verdict.get("ulps", 0) >= before.get("ulps", 0) else before
                found[name][dtype, column] = {**before, **verdict, **{key: worse[key] for key in ("ulps", "example") if key in worse}}
    return found


def cell(verdict: dict[str, Any] | None) -> str:
    if verdict is None:
        return ""
    if "ulps" in verdict:
        shown = "otherwise" if verdict["ulps"] == np.inf else f"{verdict['ulps']:.3g} ulp"
    else:
        shown = "raises" if "raised" in verdict else "other specials" if "special" in verdict else "same"
    marks = [mark for mark, key in (("sign of 0", "signs"), ("tiny", "small")) if key in verdict]
    return ", ".join([shown, *marks])


def kept(verdicts: dict[tuple[str, str], dict[str, Any]], column: str, but: str = "") -> bool:
    """float32 or float64 was measured, and none lost a bit, `but` in one way."""
    those = [verdict for (dtype, of), verdict in verdicts.items() if of == column and dtype in _WIDE]
    lost = [key for verdict in those for key in ("ulps", "raised", "special") if key in verdict]
    return bool(those) and (set(lost) == {but} if but else not lost)


def table(found: dict[str, dict[tuple[str, str], dict[str, Any]]]) -> Iterator[str]:
    columns = [("float32", "graph"), ("float64", "graph"), ("float16", "graph"), ("bfloat16", "graph")]
    columns += [(dtype, "xla") for dtype in DTYPES] + [(dtype, column) for column in ("numpy", "part") for dtype in _WIDE]
    heads = {"graph": "graph", "xla": "XLA", "numpy": "NumPy", "part": "a part"}
    yield f"| function | {' | '.join(f'{heads[column]}, {dtype}' for dtype, column in columns)} |\n|{'---|' * (len(columns) + 1)}"
    for name, verdicts in found.items():
        shown = name if name.startswith("`") else f"`{name}`"
        yield f"| {shown.replace('|', ' ')} | {' | '.join(cell(verdicts.get((dtype, column))) for dtype, column in columns)} |"


def examples(found: dict[str, dict[tuple[str, str], dict[str, Any]]]) -> Iterator[str]:
    for name, verdicts in found.items():
        for (dtype, column), verdict in verdicts.items():
            for key in ("example", "special", "raised"):
                if key in verdict and column in ("graph", "part") and dtype in _WIDE:
                    yield f"- {name}, {column}, {dtype}: `{verdict[key].replace('|', 'and')}`"


def report(results: list[list[Any]]) -> Iterator[str]:
    found = merged(results)
    literals = {name for name in found if name.startswith("`")}
    yield f"TensorFlow {tf.__version__}, NumPy {np.__version__}, {os.cpu_count()} CPUs. The largest difference from the eager result, in units of the last"
    yield "place; `otherwise`: more than rounding. `sign of 0`: zeros of the other sign. `tiny`: other results of, or for, numbers below"
    yield "the normal range. `other specials`: only where an operand is NaN, infinite or the largest number. A part: rows, or a slice,"
    yield "computed alone, or operands that are broadcast before.\n"
    yield from table({name: verdicts for name, verdicts in found.items() if name not in literals})
    yield "\nWith a number:\n"
    yield from table({name: verdicts for name, verdicts in found.items() if name in literals})
    yield "\n## Kept, float32 and float64\n"
    for column in COLUMNS:
        for but in ("", "special"):
            names = [name for name, verdicts in found.items() if kept(verdicts, column, but)]
            yield f"{column}{', but for specials' if but else ''}: {', '.join(names)}\n"
    yield "## Examples of what isn't\n"
    yield from examples(found)


def main() -> None:
    if "--measure" in sys.argv:
        measure(tuple(sys.argv[-1].split(",")))
    else:
        print("\n".join(report([_process("1", DTYPES), _process("0", _WIDE)])))


if __name__ == "__main__":
    main()
