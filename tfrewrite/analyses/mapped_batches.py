"""Does a function that is mapped over the elements of a dataset make the same of a batch of them, to the bit?

It does where every result is computed element by element, from one part of what it is given and from numbers: a batch only has an
axis more in front, to which such an operation is blind. `x * y` of two parts isn't: in a batch their axes meet otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.analyses.narrowing_casts import narrows
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import FUNCTIONS, Function

_MORE_AXES = frozenset({"expand_dims", "one_hot"})
_HANDS_ON = frozenset({"convert_to_tensor"})
_SETTINGS = frozenset({"dtype", "name", "axis", "depth"})
_LAST = -1


def why_not_in_batches(function: gast.AST, facts: Facts) -> str:
    """Half a sentence why it is not known to make the same of batches; nothing where it is.

    `function` is what is handed over: a lambda, or the name of a function of this file.
    """
    found = facts.callers.function_named(function)
    if found is None:
        return f"what {facts.edit.short(function, 'the function')} makes of a batch is not known"
    if not isinstance(found, gast.Lambda) and (not isinstance(found, gast.FunctionDef) or found.decorator_list):
        return f"{found.name} is wrapped in something, or no plain function"
    given = found.args
    if given.vararg is not None or given.kwarg is not None or given.kwonlyargs or given.defaults:
        return "it takes any number of arguments, or has defaults"
    return _Reader(found, facts).why_not()


@dataclass(eq=False)
class _Reader:
    """Which names of a function stand for a part of what it is given, computed element by element."""

    function: Function
    facts: Facts
    parts: set[str] = field(default_factory=set)

    def why_not(self) -> str:
        arguments = self.function.args
        self.parts = {one.id for one in (*arguments.posonlyargs, *arguments.args)}
        if isinstance(self.function, gast.Lambda):
            return self._why_not_returned(self.function.body)
        *statements, last = self.function.body
        if not isinstance(last, gast.Return) or last.value is None:
            return f"{self.function.name} doesn't end in a return"
        return next((why for one in statements if (why := self._why_not_statement(one))), "") or self._why_not_returned(last.value)

    def _why_not_statement(self, statement: gast.stmt) -> str:
        match statement:
            case gast.Expr(value=gast.Constant()):
                return ""
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                pairs: Sequence[tuple[str, gast.expr]] = [(name, value)]
            case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)) if len(targets) == len(values) and all(
                isinstance(one, gast.Name) for one in targets
            ):
                pairs = [(one.id, value) for one, value in zip(targets, values, strict=True)]
            case gast.AugAssign(target=gast.Name(id=name), value=value) if name in self.parts and self._is_number(value):
                return self._why_not_operation(statement, [value])
            case _:
                return f"{self._shown(statement)} is no plain assignment"
        if why := next((why for _, value in pairs if (why := self._why_not(value))), ""):
            return why
        self.parts |= {name for name, _ in pairs}
        return ""

    def _why_not_returned(self, value: gast.expr) -> str:
        match value:
            case gast.Tuple(elts=elements):
                return next((why for one in elements if (why := self._why_not_returned(one))), "")
            case gast.Dict(keys=keys, values=values) if all(isinstance(one, gast.Constant) for one in keys):
                return next((why for one in values if (why := self._why_not_returned(one))), "")
        return self._why_not(value)

    def _why_not(self, node: gast.expr) -> str:
        """Why an expression is not known to be computed element by element from one part, if it isn't."""
        match node:
            case gast.Name(id=name) if name in self.parts:
                return ""
            case gast.BinOp(left=left, right=right):
                return self._why_not_operation(node, [left, right])
            case gast.UnaryOp(operand=operand):
                return self._why_not_operation(node, [operand])
            case gast.Subscript(value=inner, slice=gast.Tuple(elts=[gast.Constant(value=first), *more])) if first is ... and all(
                self._is_new_axis(one) for one in more
            ):
                return self._why_not(inner)
            case gast.Call():
                return self._why_not_call(node)
        return f"{self._shown(node)} is not known to be computed element by element"

    def _why_not_call(self, call: gast.Call) -> str:
        name = (self.facts.called(call) or "").removeprefix("tensorflow.")
        arguments = self.facts.arguments(call)
        if not arguments:
            return f"{self._shown(call)} is not known to be computed element by element"
        first, *others = arguments
        if name in _MORE_AXES | _HANDS_ON:
            axis = arguments.get("axis")
            known = self.facts.kind(axis).value if axis is not None else _LAST if name == "one_hot" else 0
            if name in _MORE_AXES and known != _LAST:
                return f"{self._shown(call)} counts axes from the first one, and a batch has one more"
            if not set(others) <= _SETTINGS or not all(self._is_setting(arguments[one]) for one in others):
                return f"{self._shown(call)} is not known to be computed element by element"
            return self._why_not(arguments[first])
        values = [value for key, value in arguments.items() if key not in ("dtype", "name")]
        if not all(self._is_setting(value) for key, value in arguments.items() if key in ("dtype", "name")):
            return f"what {self._shown(call)} is given is not known"
        return self._why_not_operation(call, values)

    def _why_not_operation(self, node: gast.AST, operands: list[gast.expr]) -> str:
        """Of an operation on one part of the element and numbers."""
        row = self.facts.op(node)
        if not row.is_elementwise or not row.is_position_free:
            return f"{self._shown(node)} is not known to be computed element by element"
        if narrows(node, self.facts):
            return f"{self._shown(node)} makes of numbers that its integers don't hold what depends on their place in a batch"
        parts = [one for one in operands if not self._is_number(one)]
        if isinstance(node, gast.AugAssign):
            return ""
        if len(parts) != 1:
            return f"{self._shown(node)} is computed from several parts of an element, whose axes would meet otherwise"
        return self._why_not(parts[0])

    # What is the same for every element

    def _is_number(self, node: gast.AST) -> bool:
        """Is it a number that the text says, here or where a name is given it once?"""
        kind = self.facts.kind(node)
        own = any(isinstance(one, gast.Name) and one.id in self.parts for one in gast.walk(node))
        return not own and kind.sort is Sort.NUMBER and isinstance(kind.value, int | float) and self._is_lasting(node)

    def _is_setting(self, node: gast.AST) -> bool:
        name = self.facts.names(node) or ""
        return name.startswith("tensorflow.") or isinstance(node, gast.Constant) or self._is_number(node)

    def _is_lasting(self, node: gast.AST) -> bool:
        """Are its names given once, so that it is the same wherever the function is traced?"""
        for one in gast.walk(node):
            if isinstance(one, gast.Name):
                owner = self.facts.scopes.names[one].lookup(one.id)
                if owner is None or len(owner.bindings[one.id]) != 1 or one.id in owner.shared or isinstance(owner.node, FUNCTIONS):
                    return False
        return True

    def _is_new_axis(self, node: gast.AST) -> bool:
        return (isinstance(node, gast.Constant) and node.value is None) or self.facts.names(node) == "tensorflow.newaxis"

    def _shown(self, node: gast.AST) -> str:
        return self.facts.edit.short(node, "one of its operations")
