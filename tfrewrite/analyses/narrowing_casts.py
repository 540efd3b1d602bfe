"""Casts of floats to small integers, whose results depend on the place in the tensor where the integer can't hold the number."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.kinds import INTEGERS

_SMALL = frozenset({"int8", "int16", "uint8", "uint16", "uint32"})
"""Measured over casts from all floats: of these the last elements of a row become others than the same elements of a longer tensor."""


def narrows(node: gast.AST, facts: Facts) -> bool:
    """May it be such a cast: `tf.cast(x * 1000.0, tf.uint8)`?"""
    operand = (facts.arguments(node) or {}).get("x") if facts.op(node).name == "cast" and isinstance(node, gast.Call) else None
    if operand is None:
        return False
    dtype = facts.kind(node).dtype
    return (dtype is None or dtype in _SMALL) and facts.kind(operand).dtype not in INTEGERS | {"bool"}
