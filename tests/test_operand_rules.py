"""What operations ask of stand-ins for tensors, and what they give, by the rows of the table of operations."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tfrewrite.verify.agent.operand_rules import applied
from tfrewrite.verify.agent.stand_in_values import Const, Demands, Group, Operation, Size, Tensor

Given = list[Any] | tuple[int | None, ...] | int | float | str | bool


def stand_in(value: Given, demands: Demands) -> Any:
    """A tuple is the shape of a tensor of floats."""
    match value:
        case tuple():
            return Tensor(tuple(map(demands.sizes.new, value)), "float")
        case list():
            return Group([stand_in(one, demands) for one in value])
        case bool() | float() | str():
            return Const(value)
        case int():
            return Size(demands.sizes.new(value))


def shown(value: Any, demands: Demands) -> Any:
    match value:
        case Tensor(dims, kind):
            return kind, None if dims is None else tuple(map(demands.sizes.value, dims))
        case Size(dim):
            return demands.sizes.value(dim)
        case Group(members):
            return [shown(one, demands) for one in members]


def call(name: str, demands: Demands, *positional: Given, **named: Given) -> Any:
    operands = [stand_in(one, demands) for one in positional]
    made = applied(tuple(name.split(".")), operands, {key: stand_in(one, demands) for key, one in named.items()}, demands, lambda *_: None)
    return shown(made, demands)


@pytest.mark.parametrize(
    ("name", "positional", "named", "made"),
    [
        ("tensorflow.exp", [(2, 3)], {}, ("float", (2, 3))),
        ("tensorflow.math.greater", [(2, 3), (3,)], {}, ("bool", (2, 3))),
        ("tensorflow.reduce_sum", [(2, 3)], {"axis": 1, "keepdims": True}, ("float", (2, 1))),
        ("numpy.sum", [(2, 3), 1], {}, ("float", (2,))),
        ("numpy.argmax", [(2, 3)], {}, ("int", ())),
        ("tensorflow.argmax", [(2, 3)], {}, ("int", (3,))),
        ("tensorflow.norm", [(2, 3)], {"axis": 0}, ("float", (3,))),
        ("tensorflow.linalg.det", [(5, 3, 3)], {}, ("float", (5,))),
        ("tensorflow.matmul", [(2, 3), (4, 3)], {"transpose_b": True}, ("float", (2, 4))),
        ("tensorflow.einsum", ["ij,jk->ki", (2, 3), (3, 4)], {}, ("float", (4, 2))),
        ("tensorflow.split", [(6, 4), 3], {}, [("float", (2, 4))] * 3),
        ("tensorflow.zeros", [[2, 3]], {}, ("float", (2, 3))),
        ("numpy.zeros", [3], {}, ("float", (3,))),
        ("tensorflow.random.normal", [[2, 3]], {}, ("float", (2, 3))),
        ("tensorflow.nn.conv2d", [(1, 9, 9, 2), (3, 3, 2, 5)], {"strides": 1, "padding": "SAME"}, ("float", (1, 9, 9, 5))),
        ("keras.src.ops.relu", [(2, 3)], {}, ("float", (2, 3))),
    ],
)
def test_what_operations_give(name: str, positional: list[Given], named: dict[str, Given], made: object) -> None:
    demands = Demands()
    assert call(name, demands, *positional, **named) == made
    assert not demands.sizes.conflicts


@pytest.mark.parametrize(
    ("name", "positional"),
    [
        ("tensorflow.matmul", [(2, 3), (4, 5)]),
        ("tensorflow.add", [(2, 3), (4,)]),
        ("tensorflow.linalg.inv", [(2, 3)]),
        ("tensorflow.reduce_max", [(2, 3), 2]),
        ("tensorflow.linalg.matrix_transpose", [(3,)]),
    ],
)
def test_what_does_not_go_together_is_counted(name: str, positional: list[Given]) -> None:
    demands = Demands()
    call(name, demands, *positional)
    assert demands.sizes.conflicts == 1


def test_sizes_that_an_operation_joins_are_equal() -> None:
    demands = Demands()
    one, other = stand_in((None, None), demands), stand_in((None, 7), demands)
    made = applied(("tensorflow", "matmul"), [one, other], {}, demands, lambda *_: None)
    assert demands.sizes.find(one.dims[1]) == demands.sizes.find(other.dims[0])
    assert demands.sizes.find(made.dims[0]) == demands.sizes.find(one.dims[0])


def test_dtypes_are_said_by_what_names_them() -> None:
    demands = Demands()
    made = applied(("tensorflow", "cast"), [stand_in((2,), demands), Operation(("tensorflow", "int32"))], {}, demands, lambda *_: None)
    assert shown(made, demands) == ("int", (2,))


def test_keras_calls_arguments_otherwise() -> None:
    demands = Demands()
    ids = Tensor((demands.sizes.new(4),), "int")
    made = applied(("keras", "ops", "one_hot"), [ids], {"num_classes": Size(demands.sizes.new(9))}, demands, lambda *_: None)
    assert shown(made, demands) == ("float", (4, 9))


def test_the_table_of_operations_costs_a_program_no_tensorflow() -> None:
    said = "import sys, tfrewrite.verify.agent.guessed_arguments; print(sorted({'tensorflow', 'numpy', 'keras', 'beniget'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout == "[]\n"
