"""Which operation an operator of Python stands for between tensors."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tfrewrite.ops import OPS
from tfrewrite.ops.row import UNKNOWN_OP, Op

_NAMES: Mapping[type[gast.AST], str] = {
    gast.Add: "add",
    gast.Sub: "subtract",
    gast.Mult: "multiply",
    gast.Div: "truediv",
    gast.FloorDiv: "math.floordiv",
    gast.Mod: "math.mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.BitAnd: "bitwise.bitwise_and",
    gast.BitOr: "bitwise.bitwise_or",
    gast.BitXor: "bitwise.bitwise_xor",
    gast.USub: "negative",
    gast.UAdd: "identity",
    gast.Invert: "bitwise.invert",
    gast.Not: "logical_not",
    gast.Eq: "equal",
    gast.NotEq: "not_equal",
    gast.Lt: "less",
    gast.LtE: "less_equal",
    gast.Gt: "greater",
    gast.GtE: "greater_equal",
}
OPERATORS: Mapping[type[gast.AST], Op] = {operator: OPS[f"tensorflow.{name}"] for operator, name in _NAMES.items()}
GETITEM = OPS["tensorflow.getitem"]


def of_operator(operator: gast.AST) -> Op:
    """The row of what an operator computes; one that says nothing for `<<`, `and`, `in`."""
    return OPERATORS.get(type(operator), UNKNOWN_OP)
