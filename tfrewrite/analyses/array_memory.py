"""Whose memory a NumPy array has: its own that nobody else holds, or that of another array which it is a view of."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.kinds import INTEGERS, Kind, Sort
from tfrewrite.ops.arrays import as_array

_VIEWS = ("T", "real", "flat")
_OF_MEMORY = frozenset({"base", "flags", "ctypes", "strides", "__array_interface__"})
_COMPARING = ("builtins.id", "numpy.shares_memory", "numpy.may_share_memory", "numpy.byte_bounds", "numpy.lib.array_utils.byte_bounds")
_COPIES = ("numpy.array", "numpy.ndarray.astype")


def is_fresh(node: gast.AST, facts: Facts) -> bool:
    """Does an expression make an array, or several, whose memory nothing else holds?

    So do views of such an array: what they are views of is gone with the expression. A name that is assigned is asked for what it
    is given.
    """
    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
        value = assigned(node, facts)
        return value is not None and is_fresh(value, facts)
    match node:
        case gast.Call():
            if (viewed := viewed_by(node, facts)) is not None:
                return is_fresh(viewed, facts)
            return _makes(node, facts)
        case gast.BinOp() | gast.UnaryOp() | gast.Compare():
            return facts.kind(node).sort is Sort.ARRAY
        case gast.Subscript(value=base):
            return facts.kind(node).sort is Sort.ARRAY and (_chooses(node, facts) or is_fresh(base, facts))
        case gast.Attribute(value=base, attr=attr) if attr in _VIEWS:
            return facts.kind(node).sort is Sort.ARRAY and is_fresh(base, facts)
    return False


def viewed_by(node: gast.AST, facts: Facts) -> gast.AST | None:
    """The expression whose memory an array may share: `x` for `x[1:]`, `x.T`, `x.reshape(-1)` and `np.asarray(x)`."""
    found: gast.AST | None = None
    match node:
        case gast.Subscript(value=base) if facts.kind(base).sort is Sort.ARRAY and not _chooses(node, facts):
            found = base
        case gast.Attribute(value=base, attr=attr) if attr in _VIEWS and facts.kind(base).sort is Sort.ARRAY:
            found = base
        case gast.Call(func=func):
            row = facts.row(node)
            may_share = row.may_share or (row.name in _COPIES and _may_not_copy(node))
            if not row.name.startswith("numpy.") or not may_share:
                return None
            is_method = row.name.startswith("numpy.ndarray.")
            found = func.value if is_method else next(iter((facts.arguments(node) or {}).values()), None)
    return found


def memory_is_compared(facts: Facts) -> gast.AST | None:
    """Where the file asks whose memory an array has, or whether two are the same one: `x.base`, `np.shares_memory(x, y)`, `x is y`."""
    for node in facts.nodes((gast.Attribute, gast.Call, gast.Compare)):
        match node:
            case gast.Attribute(attr=attr, value=value) if attr in _OF_MEMORY and facts.kind(value).sort is Sort.ARRAY:
                return node
            case gast.Call() if facts.called(node) in _COMPARING:
                return node
            case gast.Compare(ops=[gast.Is() | gast.IsNot()], comparators=[other]) if not isinstance(other, gast.Constant):
                return node
    return None


def _may_not_copy(call: gast.Call) -> bool:
    """`x.astype(dtype, copy=False)`, which is `x` itself where that has the dtype."""
    return any(one.arg in ("copy", "subok") for one in call.keywords) or len(call.args) > 2


def _makes(call: gast.Call, facts: Facts) -> bool:
    row = facts.row(call)
    if not row.is_fresh and (row.name not in _COPIES or _may_not_copy(call)):
        return False
    if facts.kind(call).sort is Sort.UNKNOWN or any(one.arg in (None, "out", "copy", "subok", "like") for one in call.keywords):
        return False
    given = facts.arguments(call)
    return given is not None and "out" not in given


def _chooses(node: gast.Subscript, facts: Facts) -> bool:
    """Is it a copy of the elements that another array chooses?"""
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    return any(_is_choice(facts.kind(part)) for part in parts if not isinstance(part, gast.Slice))


def _is_choice(kind: Kind) -> bool:
    own = as_array(kind) if kind.sort in (Sort.ARRAY, Sort.LIST) else kind
    return own.sort is Sort.ARRAY and bool(own.rank) and (own.dtype in INTEGERS or own.dtype == "bool")


def assigned(name: gast.Name, facts: Facts) -> gast.AST | None:
    """What a name is given, alone or with others: for `(a, b), (c, d) = load_data()` the whole call."""
    target: gast.AST = name
    around = facts.parent(name)
    while isinstance(around, gast.Tuple | gast.List):
        target, around = around, facts.parent(around)
    match around:
        case gast.Assign(targets=[one], value=value) if one is target:
            return _part(target, value, name)
    return None


def _part(target: gast.AST, value: gast.AST, name: gast.Name) -> gast.AST | None:
    """The part of `a, b = x, y` that a name is given."""
    if target is name:
        return value
    if not isinstance(value, gast.Tuple | gast.List):
        return value if isinstance(value, gast.Call) else None
    assert isinstance(target, gast.Tuple | gast.List)
    if len(target.elts) != len(value.elts) or any(isinstance(one, gast.Starred) for one in (*target.elts, *value.elts)):
        return None
    for inner, given in zip(target.elts, value.elts, strict=True):
        if any(one is name for one in gast.walk(inner)):
            return _part(inner, given, name)
    return None
