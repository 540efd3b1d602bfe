"""What is said of NumPy's arrays, against NumPy: kinds of results, and whose memory they have."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np
import pytest
import tensorflow as tf
from truth import contradiction

from tfrewrite.analyses.array_memory import is_fresh, viewed_by
from tfrewrite.facts import Facts
from tfrewrite.kinds import Kind, Sort, array, number, scalar
from tfrewrite.ops import OPS
from tfrewrite.ops.arrays import common, promoted, quotient_of
from tfrewrite.source import Source

IMPORTS = "import numpy as np\nimport tensorflow as tf\n"
OPERANDS = {
    "flags": "np.array([[True, False, True], [False, True, True]])",
    "bytes_": "np.arange(1, 7).reshape(2, 3).astype(np.uint8)",
    "small": "np.arange(1, 7, dtype=np.int16).reshape([2, 3])",
    "ints": "np.arange(1, 7).reshape((2, 3))",
    "half": "np.ones((2, 3), np.float16)",
    "singles": "np.ones([2, 3], dtype='float32')",
    "doubles": "np.ones((2, 3))",
    "row": "np.arange(3.0)",
    "order": "np.array([2, 0, 1])",
    "cube": "np.zeros((4, 2, 3), np.float32)",
    "matrix": "np.eye(3)",
    "single": "np.float32(2)",
    "total": "np.arange(3).sum()",
    "whole": "2",
    "real": "0.5",
    "tensor": "tf.ones([2, 3])",
    "pair": "[np.zeros((2, 3)), np.ones((2, 3), np.float32)]",
    "rows": "[np.zeros(3, np.uint8) for _ in range(4)]",
    "rng": "np.random.default_rng(1)",
    "old": "np.random.RandomState(1)",
}
ARRAYS = ("flags", "bytes_", "small", "ints", "half", "singles", "doubles")
SETTING = IMPORTS + "".join(f"{name} = {text}\n" for name, text in OPERANDS.items())


def kinds_of(expressions: list[str]) -> list[Kind]:
    facts = Facts(Source(SETTING + "".join(f"use({one})\n" for one in expressions), "x.py"))
    calls = [node for node in facts.nodes([gast.Call]) if isinstance(node.func, gast.Name) and node.func.id == "use"]
    return [facts.kind(call.args[0]) for call in sorted(calls, key=lambda call: call.lineno)]


def values_of(expressions: list[str]) -> Iterator[Any]:
    names: dict[str, Any] = {}
    exec(SETTING, names)
    for one in expressions:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                yield eval(one, dict(names))
            except (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, tf.errors.OpError):
                yield ImpossibleError()


class ImpossibleError(Exception):
    """What can't be computed has no value that could refute anything."""


def compare(expressions: list[str]) -> int:
    """How many of the results are known, of those that are possible; all that is said has to be so."""
    wrong = []
    known = 0
    for text, kind, value in zip(expressions, kinds_of(expressions), values_of(expressions), strict=True):
        if isinstance(value, ImpossibleError):
            continue
        if (found := contradiction(kind, value, {})) is not None:
            wrong.append(f"{text}: {found}; said: {kind}")
        known += kind.sort is not Sort.UNKNOWN
    assert not wrong, "\n".join(wrong[:20]) + f"\n{len(wrong)} in all"
    return known


@pytest.mark.smoke
def test_dtypes_are_promoted_as_numpy_does() -> None:
    names = ["bool", "float16", "float32", "float64", "complex64", "complex128"]
    names += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    for a, b in itertools.product(names, names):
        assert promoted(a, b) == np.promote_types(a, b).name, (a, b)


OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "@", "<", "==", "&", "|")


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators(operator: str) -> None:
    others = (*ARRAYS, "row", "single", "total", "whole", "real", "cube", "[1, 2, 3]", "1.5", "True", "ints.max()")
    texts = [f"{a} {operator} {b}" for a in (*ARRAYS, "single", "total") for b in others]
    texts += [f"{b} {operator} {a}" for a in ARRAYS for b in ("whole", "real", "row", "single", "tensor")]
    assert compare(texts) > 10


def test_operators_with_one_operand() -> None:
    assert compare([f"{sign}{a}" for sign in "-+~" for a in (*ARRAYS, "single", "total")]) > 20


INDICES = (
    "0", "-1", "1:", ":2", "::-1", "None", "...", "0, 0", "0, 1:", ":, 0", ":, :1", "..., 0", "0, ...", "None, 0", ":, None", "np.newaxis, :",
    "order[:2]", "order[0]", ":, order", "order[:1], order[:1]", "0, order", "order % 2", "flags", "singles > 0", "flags[:, 0]",
    "flags[:, 0], 0", "[0, 1]", "[True, False]", "[0], [1]", "..., order", "total % 2", "True", "np.array(1)", ":, [0, 1], None",
)  # fmt: skip


def test_indices() -> None:
    texts = [f"{base}[{index}]" for base in ("ints", "singles", "cube", "row", "matrix") for index in INDICES]
    assert compare(texts) > 100


WRITTEN: dict[str, tuple[str, ...]] = {
    "numpy.ndarray.item": ("single.item()", "total.item()", "row[:1].item()", "flags[0, 0].item()", "half[:1, :1].item()"),
}
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "numpy.arange": ("3", "2, 7", "0, 1, 0.1", "5.0", "total", "np.float32(3)", "3, dtype=np.uint8", "5, 2", "10, 0, -3"),
    "numpy.allclose": ("row, row",),
    "numpy.append": ("row, 1.0", "ints, ints", "ints, ints, axis=0", "doubles, singles, 1"),
    "numpy.argwhere": ("ints",),
    "numpy.array": ("rows", "pair", "[1, 2]", "[[1.0], [2.0]]", "1", "row", "[]", "single", "tensor", "row, np.float32", "row, ndmin=3"),
    "numpy.array_equal": ("row, row",),
    "numpy.asarray": ("rows", "row", "[1, 2]", "tensor", "bytes_, 'float'", "[single, 1]"),
    "numpy.ascontiguousarray": ("row", "1", "cube.T"),
    "numpy.bincount": ("order", "order, minlength=5", "order, row"),
    "numpy.broadcast_to": ("row, (2, 3)", "single, (2,)"),
    "numpy.clip": tuple(f"{x}, {y}" for x in (*ARRAYS, "single") for y in ("0, 1", "0.0, 1.0", "None, 1", "row, 5", "single, 3")),
    "numpy.concatenate": ("pair", "rows", "[ints, cube[0]], axis=1", "(row, order), 0", "[ints, ints], None", "cube", "[ints, ints], -1"),
    "numpy.concat": ("pair", "[bytes_, small]"),
    "numpy.count_nonzero": ("ints", "ints, axis=0", "ints, keepdims=True"),
    "numpy.delete": ("row, 1", "ints, 0, 0", "ints, 0, axis=1", "ints, 0"),
    "numpy.diag": ("row", "matrix", "row, 1", "matrix, k=1"),
    "numpy.diff": ("row", "ints", "ints, axis=0", "flags", "row, 2", "row, prepend=0"),
    "numpy.digitize": ("row, row", "single, row", "ints, row"),
    "numpy.dot": ("row, row", "ints, matrix", "ints, row", "cube, matrix", "2, ints", "matrix, cube.transpose(0, 2, 1)"),
    "numpy.empty": ("3", "(2, 3)", "[2, 3], np.int8", "ints.shape", "order.shape[0]", "(total, 2)"),
    "numpy.expand_dims": ("ints, 0", "ints, -1", "ints, axis=1", "ints, (0, 1)", "row, 5"),
    "numpy.eye": ("3", "3, 4", "3, dtype=np.float32", "N=2", "3, None, 1"),
    "numpy.full": ("3, 1", "(2, 3), 1.5", "[2], single", "(), 1", "2, 1, np.float32", "2, row[:2]", "2, True"),
    "numpy.full_like": ("ints, 1.5", "ints, 1, dtype=float", "ints, 1, shape=(3,)"),
    "numpy.identity": ("3", "3, np.float32", "dtype=int, n=2"),
    "numpy.isin": ("ints, [1, 2]", "3, ints", "single, row"),
    "numpy.linalg.inv": ("matrix", "matrix.astype(np.float32)", "matrix.astype(int)"),
    "numpy.linalg.pinv": ("matrix",),
    "numpy.linalg.norm": ("row", "ints", "singles", "ints, axis=1", "ints, None, 0, True", "cube, axis=(0, 1)", "flags", "single"),
    "numpy.linspace": ("0, 1", "0.0, 1.0, 5", "0, 1, num=7", "0, 1, 5, retstep=True", "row, 1, 5", "0, single, 3", "0, 1, total"),
    "numpy.matmul": ("ints, matrix", "row, matrix", "matrix, row", "row, row", "cube, matrix", "cube, row", "cube, cube.swapaxes(1, 2)"),
    "numpy.meshgrid": ("row, order", "row", "row, row, indexing='ij'", "row, order, row"),
    "numpy.moveaxis": ("cube, 0, -1", "cube, [0, 1], [1, 0]"),
    "numpy.ndim": ("ints", "1"),
    "numpy.nonzero": ("ints", "row"),
    "numpy.ones": ("3", "(2, 3)", "2, 'int32'", "2, 'float'", "2, int", "2, bool", "ints.shape", "[*ints.shape]"),
    "numpy.outer": ("row, order", "ints, row"),
    "numpy.pad": ("row, 1", "ints, ((1, 1), (0, 2))", "ints, [(0, 0), (1, 1)], mode='edge'", "row, (1, 2), constant_values=3"),
    "numpy.percentile": ("row, 50", "singles, 5", "row, [5, 95]", "ints, 50, axis=0", "ints, 50.0"),
    "numpy.quantile": ("row, 0.5", "doubles, 0.5, 1"),
    "numpy.ravel": ("cube", "row", "2"),
    "numpy.repeat": ("row, 2", "ints, 3, axis=0", "ints, [1, 2], 0", "ints, 2, -1", "2, 3"),
    "numpy.reshape": ("ints, 6", "ints, (3, 2)", "ints, [-1, 2]", "ints, (-1,)", "cube, (cube.shape[0], -1)", "ints, (3, 2), order='F'"),
    "numpy.roll": ("row, 1", "ints, 1, axis=0"),
    "numpy.rollaxis": ("cube, 2",),
    "numpy.round": ("row", "singles, 2", "ints", "flags", "single, 1", "2.5"),
    "numpy.around": ("row", "singles, 2"),
    "numpy.save": (),
    "numpy.savetxt": (),
    "numpy.savez": (),
    "numpy.savez_compressed": (),
    "numpy.searchsorted": ("row, 1.0", "row, row", "row, ints"),
    "numpy.set_printoptions": ("",),
    "numpy.shape": ("cube", "1"),
    "numpy.size": ("cube", "1", "cube, 0"),
    "numpy.split": ("row, 3", "cube, 2", "cube, [1, 3]", "cube, 3, axis=2", "cube, 2, 1"),
    "numpy.array_split": ("row, 2", "cube, 2", "row, [1]"),
    "numpy.squeeze": ("ints", "ints[None]", "ints[:, None], 1", "ints[None, :, None], axis=(0, 2)", "cube[:1], 0"),
    "numpy.stack": ("pair", "rows", "rows, axis=1", "[row, order], -1", "[1, 2]", "cube"),
    "numpy.swapaxes": ("cube, 0, 2", "cube, -1, 1"),
    "numpy.take": ("ints, [0, 1], axis=0", "row, order", "row, 0", "ints, order % 2, 1", "ints, 0, axis=1"),
    "numpy.tile": ("row, 2", "ints, (2, 1)", "row, (2, 2)", "cube, 2", "row, [total]"),
    "numpy.transpose": ("cube", "cube, (0, 2, 1)", "cube, axes=[-1, 0, 1]", "row", "tensor"),
    "numpy.unique": ("ints", "row, return_counts=True", "ints, axis=0"),
    "numpy.hstack": ("pair", "rows", "[ints, cube[0]]", "(row, order)", "[1, 2]"),
    "numpy.vstack": ("pair", "rows", "(row, order)", "[row, ints]"),
    "numpy.where": ("ints > 1", "ints > 1, ints, 0", "ints > 1, singles, 0.0", "flags, 1.0, 0.0", "row > 1, row, single", "True, 1, 2"),
    "numpy.zeros": ("3", "(2, 3)", "(2, 3), dtype=np.uint8", "ints.shape + (1,)", "(len(ints), 3)", "()"),
}
GENERAL = (*ARRAYS, "row", "cube", "single", "2", "2.5", "True", "rows", "pair", "tensor", "[1, 2]", "total", "tensor[0, 0]")
AXES = ("", ", axis=0", ", axis=-1", ", axis=(0, 1)", ", axis=None", ", axis=0, keepdims=True", ", keepdims=True")
OF_METHODS: dict[str, tuple[str, ...]] = {
    "astype": (
        "np.float32",
        "'float32'",
        "float",
        "int",
        "'uint8'",
        "np.float64, copy=False",
        "dtype=np.int32",
        "bool",
        "single.dtype",
        "'f4'",
    ),
    "clip": ("0, 1", "0.0, 1.0", "min=0", "0"),
    "dot": ("ints.T", "matrix", "2"),
    "fill": ("1",),
    "partition": ("0",),
    "repeat": ("2", "2, axis=0"),
    "reshape": ("-1", "(-1,)", "6", "3, 2", "(3, 2)", "-1, 1", "[2, 3, 1]", "2, -1", "(2, 3), order='F'"),
    "round": ("", "2"),
    "squeeze": ("", "0"),
    "swapaxes": ("0, 1",),
    "take": ("[0, 1]", "0", "[0, 1], axis=1"),
    "transpose": ("", "1, 0", "(1, 0)", "[0, 1]", "None"),
}
DRAWN: dict[str, tuple[str, ...]] = {
    "binomial": ("5, 0.5", "5, 0.5, 3", "1, 0.5, size=(2, 3)"),
    "choice": ("3", "3, 2", "row, (2, 2)", "ints, 1", "[1.5, 2.5], size=4", "[1, 2]", "5, size=3, replace=False"),
    "integers": ("3", "1, 5", "0, 5, 4", "0, 5, (2, 3)", "5, size=3, dtype=np.int32"),
    "permutation": ("5", "row", "ints", "[1, 2]", "len(ints)"),
    "rand": ("", "3", "2, 3", "*ints.shape", "len(ints), 2"),
    "randn": ("", "3", "2, 3", "*ints.shape", "len(ints), 2"),
    "randint": ("3", "1, 5", "0, 5, 4", "0, 5, size=(2, 3)", "5, size=3, dtype=np.int32", "0, order + 1"),
    "seed": ("1",),
    "shuffle": ("row.copy()",),
    "triangular": ("0, 1, 2", "0, 1, 2, 3"),
}


def expressions(name: str) -> list[str]:
    if name in WRITTEN:
        return list(WRITTEN[name])
    if name in ARGUMENTS:
        return [f"{name.replace('numpy', 'np')}({one})" for one in ARGUMENTS[name]]
    row = OPS[name]
    last = name.rpartition(".")[2]
    if name.startswith("numpy.ndarray."):
        default = tuple(axes.removeprefix(", ") for axes in AXES) if "axis" in row.parameters else ("",)
        return [f"{x}.copy().{last}({one})" for x in (*ARRAYS, "row", "cube") for one in OF_METHODS.get(last, default)]
    if name.startswith("numpy.random."):
        drawn = DRAWN.get(last)
        if drawn is None:
            own = ["1.5"] * len([one for one in row.parameters if one not in ("size", "dtype")])
            others = [", ".join([*own, "row"]).removeprefix("1.5, ")] if own else []
            drawn = (", ".join(own), *(", ".join([*own, size]) for size in ("3", "(2, 3)", "ints.shape", "[2, total]", "None")), *others)
        owner = {"numpy.random.Generator": "rng", "numpy.random.RandomState": "old"}.get(name.rpartition(".")[0], "np.random")
        return [f"{owner}.{last}({one})" for one in drawn]
    called = name.replace("numpy", "np")
    if row.parameters[:2] == ("x", "y"):
        return [f"{called}({a}, {b})" for a in GENERAL for b in ("ints", "2", "0.5", "single", "row", "tensor", "[1, 2, 3]")]
    return [f"{called}({x}{axes})" for x in GENERAL for axes in (AXES if "axis" in row.parameters else ("", ", dtype=np.float32"))]


OUTSIDE = [name for name, row in OPS.items() if name.startswith("numpy.") and row.returns is not None]
# They make generators.
GENERATORS = ("numpy.random.default_rng", "numpy.random.RandomState")


@pytest.mark.parametrize("name", [name for name in OUTSIDE if name not in GENERATORS])
def test_rows(name: str) -> None:
    texts = expressions(name)
    assert compare(texts) or not texts


def test_what_numpy_makes_of_scalars_objects_and_arrays_without_axes() -> None:
    texts = [
        *(f"np.{name}({x})" for name in ("squeeze", "transpose") for x in ("single", "total", "real", "np.array(2.5)")),
        *(f"np.reshape(single, {shape})" for shape in ("()", "(1,)", "-1", "(1, 1)")),
        *(
            f"{x}.conj({out})"
            for x in ("ints", "np.array(2)", "np.array(2j)", "np.complex64(2)")
            for out in ("", "None", "np.ones((2, 3), complex)")
        ),
        *(f"np.{name}({x}, dtype=object)" for name in ("sum", "prod", "negative") for x in ("ints", "single", "np.array(2)")),
        "np.array([np.zeros(3), np.zeros(2)], dtype=object)",
        "np.array([np.zeros((2, 3)), np.zeros((2, 2))], dtype=object)",
        "np.matmul(singles, row, dtype=np.float64)",
        "np.matmul(ints, ints.T, casting='unsafe', dtype=np.float32)",
        *(f"np.concatenate([{x}, {y}], axis=None)" for x in ("singles", "single", "bytes_", "2") for y in ("0.5", "2", "row", "single")),
        "np.concatenate(pair, axis=None)",
        "np.concatenate(rows, axis=None)",
    ]
    assert compare(texts) >= 36


@pytest.mark.parametrize("operator", ["==", "!=", "<"])
def test_tensors_that_have_no_shape_in_common_are_not_equal_as_a_whole(operator: str) -> None:
    others = [
        "row",
        "ints",
        "np.zeros((2, 1))",
        "2",
        "tf.ones([2, 3])",
        "np.zeros((3, 2))",
        "tf.ones([4])",
        "np.zeros(2)",
        "cube",
        "tf.ones([])",
    ]
    assert compare([f"(tensor {operator} tf.cast({other}, tf.float32))" for other in others]) >= 6


def test_flags_of_python_stay_flags_where_they_are_joined() -> None:
    assert compare([f"(True {operator} {flag})" for operator in "&|^+-*" for flag in ("True", "2")]) == 12


def test_numbers_that_no_array_of_bytes_can_hold_raise() -> None:
    assert compare(["bytes_ + 1", "bytes_ / 255.0", "singles / 255.0", "bytes_ * 2.0"]) == 4
    assert isinstance(next(values_of(["bytes_ + 300"])), ImpossibleError)


@pytest.mark.parametrize(
    ("text", "fresh"),
    [
        ("ints + 1", True),
        ("-ints", True),
        ("ints.astype(float)", True),
        ("ints.astype(int)", True),
        ("ints.astype(int, copy=False)", False),
        ("ints.copy()", True),
        ("ints.reshape(-1)", False),
        ("ints.copy().reshape(-1)", True),
        ("ints.ravel()", False),
        ("ints.flatten()", True),
        ("ints.T", False),
        ("ints[1:]", False),
        ("ints[order % 2]", True),
        ("ints[ints > 2]", True),
        ("ints[..., None]", False),
        ("(ints * 2)[..., None]", True),
        ("np.array(ints)", True),
        ("np.array(ints, copy=None)", False),
        ("np.asarray(ints)", False),
        ("np.zeros((2, 3))", True),
        ("np.squeeze(ints)", False),
        ("np.expand_dims(ints / 2, -1)", True),
        ("np.concatenate([ints, ints])", True),
        ("np.stack(pair)", True),
        ("np.exp(ints)", True),
        ("np.sqrt(doubles, out=doubles)", False),
        ("np.add(doubles, 1, doubles)", False),
        ("np.mean(ints, axis=0)", True),
        ("np.random.rand(3)", True),
        ("rng.normal(size=3)", True),
        ("np.broadcast_to(row, (2, 3))", False),
        ("np.flip(ints)", False),
        ("np.diag(matrix)", False),
        ("np.transpose(cube, (0, 2, 1))", False),
    ],
)
def test_whose_memory_an_array_has(text: str, fresh: bool) -> None:
    facts = Facts(Source(f"{SETTING}result = {text}\n", "x.py"))
    value = facts.tree.body[-1].value
    assert is_fresh(value, facts) == fresh
    names: dict[str, Any] = {}
    exec(f"{SETTING}result = {text}", names)
    shares = any(np.shares_memory(names["result"], one) for name, one in names.items() if name != "result" and isinstance(one, np.ndarray))
    assert not (shares and fresh)
    viewed = viewed_by(value, facts)
    assert viewed is not None or fresh or not shares or "doubles" in text
    assert fresh or not isinstance(viewed, gast.Name) or viewed.id in OPERANDS


@pytest.mark.parametrize(
    ("text", "fresh"),
    [
        ("(x, y), (u, v) = tf.keras.datasets.mnist.load_data()", [True, True, True, True]),
        ("(x, y), _ = tf.keras.datasets.cifar10.load_data()", [True, True, True]),
        ("a, b = ints, ints + 1", [False, True]),
        ("a = b = ints + 1", [False, False]),
        ("a = (ints + 1).reshape(-1)", [True]),
    ],
)
def test_whose_memory_names_have(text: str, fresh: list[bool]) -> None:
    facts = Facts(Source(f"{SETTING}{text}\n", "x.py"))
    targets = [node for target in facts.tree.body[-1].targets for node in gast.walk(target) if isinstance(node, gast.Name)]
    found = {node.id: is_fresh(node, facts) for node in targets}
    assert [found[node.id] for node in sorted(targets, key=lambda node: node.col_offset)] == fresh


NUMBERS = (0, 3, -1, 127, 200, 255, 256, 40_000, 65_535, 70_000, 2**31, 1.5, -7e4, 7e4, 1e39, float("inf"), True)
DTYPES = ("bool", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)), "float16", "float32", "float64", "complex64")


def test_two_operands_have_the_dtype_that_is_said() -> None:
    operands: list[tuple[Kind, Any]] = [(array(one, (3,)), np.ones(3, one)) for one in DTYPES]
    operands += [(scalar(one), np.dtype(one).type(value)) for one in DTYPES for value in (1, 100)]
    operands += [(number(value), value) for value in NUMBERS]
    said = 0
    for (a, x), (b, y) in itertools.product(operands, repeat=2):
        for together, add in ((common, np.add), (quotient_of, np.divide)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    real = np.asarray(add(x, y)).dtype
                except (OverflowError, TypeError):
                    continue
            assert together([a, b]) in (None, str(real)), (str(a), x, str(b), y)
            said += together([a, b]) is not None
    assert said > 5_000


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (array("float32", (3,)), scalar("float64"), None),
        (array("float32", (3,)), array("float64", ()), None),
        (array("float32", (3,)), array("float64", (3,)), "float64"),
        (array("float32", (3,)), array("float64"), None),
        (array("float64", (3,)), scalar("float32"), "float64"),
        (array("uint8", (3,)), scalar("float32"), "float32"),
        (array("uint8", (3,)), scalar("int64"), None),
        (array("float32", (3,)), number(70_000), None),
        (array("float32", (3,)), number(255), "float32"),
        (array("float32", (3,)), number(None, "int"), None),
        (array("float32", (3,)), number(None, "float"), "float32"),
        (array("float32", (3,)), number(1e39), None),
        (array("float16", (3,)), number(7e4), None),
        (array("uint8", (3,)), number(-1), None),
        (array("int32", (3,)), number(None, "int"), None),
        (array("int64", (3,)), number(None, "int"), "int64"),
        (scalar("float32"), number(2.0), None),
        (scalar("float64"), number(2.0), "float64"),
    ],
    ids=str,
)
def test_what_numpy_1_makes_otherwise_is_not_said(one: Kind, other: Kind, together: str | None) -> None:
    """NumPy 1 looks at the values of numbers, and of arrays without axes."""
    assert common([one, other]) == together


def test_a_count_is_as_large_as_its_range() -> None:
    source = "import numpy as np\nimages = np.ones((2, 3), np.float32)\nfor i in range({}):\n    use(images * i)\n"

    def dtype(count: int) -> str | None:
        facts = Facts(Source(source.format(count), "x.py"))
        (call,) = (node for node in facts.nodes([gast.Call]) if isinstance(node.func, gast.Name) and node.func.id == "use")
        return facts.kind(call.args[0]).dtype

    assert (dtype(100), dtype(65_536), dtype(65_537)) == ("float32", "float32", None)


LOADED = "(x, y), _ = tf.keras.datasets.cifar10.load_data()\n"


@pytest.mark.parametrize(
    ("before", "shape"),
    [
        ("", (50000, 32, 32, 3)),
        ("tf.keras.mixed_precision.set_global_policy('mixed_float16')\n", (50000, 32, 32, 3)),
        ("tf.keras.backend.set_image_data_format('channels_first')\n", None),
        ("from PIL import Image\npicture = Image.open('a.png')\npicture = picture.convert('RGB').resize([2, 2])\n", (50000, 32, 32, 3)),
        ("from PIL import Image\nwith Image.open('a.png') as picture:\n    Image.open('b.png').resize([2, 2])\n", (50000, 32, 32, 3)),
        ("from PIL import Image\npicture = Image.open('a.png')\nfor picture in [np.ones(4)]:\n    picture.resize([2, 2])\n", None),
        ("import numpy as np\nimport PIL\nnp.asarray(PIL.Image.open('a.png')).resize([2, 2])\n", None),
        ("def smaller(picture):\n    return picture.resize([2, 2])\n", None),
        ("class Model(tf.keras.Model):\n    def __init__(self, shape):\n        self.shape = shape\n", (50000, 32, 32, 3)),
        ("class Holder:\n    def __init__(self, shape):\n        self.shape = shape\n", (50000, 32, 32, 3)),
        ("class Holder:\n    def __init__(self, other):\n        other.shape = [2]\n", None),
        ("class Holder:\n    def __init__(self, other):\n        self = other\n        self.shape = [2]\n", None),
        ("class Array(np.ndarray):\n    def flat(self):\n        self.shape = [2]\n", None),
    ],
)
def test_the_shape_of_loaded_arrays_is_what_nothing_in_the_file_may_change(before: str, shape: tuple[int, ...] | None) -> None:
    facts = Facts(Source(IMPORTS + before + LOADED + "use(x)\n", "x.py"))
    (call,) = [one for one in facts.nodes([gast.Call]) if isinstance(one.func, gast.Name) and one.func.id == "use"]
    kind = facts.kind(call.args[0])
    assert kind.shape == shape


@pytest.mark.parametrize(
    "text", ["len(x) * 0.1", "0.3 * len(x)", "len(x) * (1 - share)", "len(x) / 3 - 0.5", "-2.7 + 1", "len(x) * 1e300", "len(x) / 0.0"]
)
def test_the_int_of_a_float_is_what_python_computes(text: str) -> None:
    facts = Facts(Source(f"{IMPORTS}x = np.zeros(50001)\nshare = 0.15\nfound = int({text})\n", "x.py"))
    try:
        meant: int | None = eval(f"int({text})", {"x": np.zeros(50001), "share": 0.15})
    except ZeroDivisionError:
        meant = None
    said = facts.kind(facts.tree.body[-1].value).value
    assert said == meant if "300" not in text and meant is not None else not isinstance(said, int)
