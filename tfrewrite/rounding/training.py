"""Gradients that a program trains with, and shows to nobody."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import walk_within
from tfrewrite.kinds import Sort

_CHANGING = frozenset({"apply_gradients", "apply", "assign", "assign_sub", "assign_add"})


def takes_gradient(node: gast.AST, facts: Facts) -> bool:
    """Is it `tape.gradient(...)`?"""
    match node:
        case gast.Call(func=gast.Attribute(value=owner, attr="gradient")):
            return facts.kind(owner).sort is Sort.TAPE
    return False


def only_trains(gradient: gast.Call, facts: Facts) -> bool:
    """Does the function that takes a gradient change variables by it, and hand it to nobody?

    What one step of training is off by in the last bits, the next one starts from: there no rounding of a gradient is better than another.
    """
    function, statement = facts.scopes.function_of(gradient), facts.scopes.statement(gradient)
    nodes = list(walk_within(function or facts.tree))
    if not any(isinstance(one, gast.Attribute) and one.attr in _CHANGING for one in nodes):
        return False
    match statement:
        case gast.Assign(value=value) if value is gradient:
            given = {one.id for one in gast.walk(statement) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store)}
        case gast.Expr(value=gast.Call(func=gast.Attribute(attr=attr))) if attr in _CHANGING:
            return True
        case _:
            return False
    return not given & {one.id for node in nodes if _shows(node, facts) for one in gast.walk(node) if isinstance(one, gast.Name)}


def _shows(node: gast.AST, facts: Facts) -> bool:
    """Does a value leave the function there, or may it decide something?"""
    match node:
        case gast.Return() | gast.Yield() | gast.YieldFrom() | gast.Compare() | gast.JoinedStr():
            return True
        case gast.If(test=test) | gast.While(test=test):
            return isinstance(test, gast.Name)
        case gast.Call(func=gast.Attribute(attr="append" | "extend" | "numpy")):
            return True
        case gast.Call():
            return (facts.called(node) or "").startswith("builtins.") and facts.called(node) not in ("builtins.zip", "builtins.list")
    return False
