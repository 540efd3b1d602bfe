"""May an operation, as it is written, move from eager code into a graph, or into what XLA compiles?

`graph_differences.py` knows the functions; here are their arguments: which operands are tensors, whether an index certainly
exists, and what decides about shapes and therefore has to be known when XLA compiles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.analyses.graph_differences import graph_obstacle, xla_obstacle
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import walk_within
from tfrewrite.kinds import OF_PYTHON, Kind, Sort, lies_below, tensor
from tfrewrite.ops import op
from tfrewrite.ops.operators import GETITEM, OPERATORS, of_operator
from tfrewrite.ops.row import Op
from tfrewrite.outcomes import Refusal

_OF_SHAPES = ("tensorflow.shape", "tensorflow.size", "tensorflow.rank", "builtins.len")
_OF_HEADERS = tuple(f"builtins.{name}" for name in ("range", "enumerate", "zip", "reversed", "len"))
_FINDS = ("boolean_mask", "unique")
_NO_TENSORS = (Sort.NUMBER, Sort.NONE, Sort.TEXT)


@dataclass(frozen=True)
class Move:
    """Code that is to move. `numbers` are the Python numbers that become tensors there, and of which dtype or
    type. `proven` are subscripts and calls whose indices are known to exist, `own` calls that were looked into already.
    """

    facts: Facts
    xla: bool
    numbers: Mapping[str, str] = field(default_factory=dict)
    proven: Collection[gast.AST] = ()
    own: Collection[gast.AST] = ()

    def obstacle(self, statements: Collection[gast.AST]) -> Refusal | None:
        """The first operation in the statements that can't move, and half a sentence why."""
        for statement in statements:
            for node in (statement, *walk_within(statement)):
                if refusal := self.of(node):
                    return refusal
        return None

    def of(self, node: gast.AST) -> Refusal | None:
        """Why this one operation, its operands aside, can't move; None where it can."""
        match node:
            case gast.Call():
                return self._call(node)
            case gast.BinOp(left=left, op=op, right=right):
                if isinstance(op, gast.Pow) and (refusal := self._root(node, left, right)):
                    return refusal
                return self._operation(node, of_operator(op), (left, right))
            case gast.AugAssign(target=target, op=op, value=value):
                return self._operation(node, of_operator(op), (target, value))
            case gast.UnaryOp(op=gast.USub() | gast.Invert() as op, operand=operand):
                return self._operation(node, of_operator(op), (operand,))
            case gast.Compare(left=left, ops=ops, comparators=others):
                sides = (left, *others)
                found = (self._operation(node, OPERATORS[type(op)], sides[i : i + 2]) for i, op in enumerate(ops) if type(op) in OPERATORS)
                return next(filter(None, found), None)
            case gast.Subscript(value=value, slice=index) if self.kind(value).is_tensor:
                return self._operation(node, GETITEM, (value,), node in self.proven or self._finds_rows(value, index))
        return None

    def kind(self, node: gast.AST) -> Kind:
        """What is known of a value after the move: what is computed from a number that becomes a tensor is one too."""
        found = self.facts.kind(node)
        if isinstance(node, gast.Name) and node.id in self.numbers:
            dtype = self.numbers[node.id]
            return tensor(OF_PYTHON.get(dtype, dtype), ())
        if found.sort is Sort.NUMBER and any(name in self.numbers for name in _names(node)):
            return tensor(OF_PYTHON.get(found.dtype or ""), ())
        return found

    def _operation(
        self, node: gast.AST, row: Op, operands: Collection[gast.AST], in_range: bool = False, more: Collection[str | None] = ()
    ) -> Refusal | None:
        kinds = [self.kind(one) for one in operands]
        if all(_is_no_tensor(kind) for kind in kinds):
            return None if not row.name.startswith("random.") else self._ask(node, row, (), True, in_range)
        if row.is_checked and len(kinds) == 2 and kinds[1].sort is Sort.NUMBER and isinstance(kinds[1].value, int):
            in_range = kinds[1].value in (1, 2) if row.name == "pow" else kinds[1].value != 0
        of_tensors = [one for kind in kinds for one in _tensors(kind)]
        return self._ask(node, row, [*(one.dtype for one in of_tensors), *more], all(one.finite for one in of_tensors), in_range)

    def _ask(self, node: gast.AST, row: Op, dtypes: Sequence[str | None], finite: bool, in_range: bool) -> Refusal | None:
        return xla_obstacle(node, row, dtypes, finite, in_range) if self.xla else graph_obstacle(node, row, dtypes)

    # Calls

    def _call(self, call: gast.Call) -> Refusal | None:
        name = self.facts.called(call)
        if call in self.own or name in _OF_HEADERS:
            return None
        if name == "builtins.abs" and len(call.args) == 1:
            return self._operation(call, op("tensorflow.abs"), call.args)
        row = op(name)
        if not row.is_known:
            return Refusal(call, Code.UNKNOWN_CALL, f"what {self.facts.edit.short(call.func, 'a function')} does in a graph is not known")
        if any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            return Refusal(call, Code.FORM, "something is unpacked into arguments")
        arguments = self.facts.arguments(call) or {
            **{str(i) if i else "x": one for i, one in enumerate(call.args)},
            **{str(one.arg): one.value for one in call.keywords},
        }
        # What the table has no parameter for is an axis, a direction, a name.
        settings = {key: one for key, one in arguments.items() if key not in row.parameters or key in row.known_to_xla}
        operands = {key: one for key, one in arguments.items() if key not in settings and not key.endswith(("dtype", "_type"))}
        if refusal := self._first(call, row, operands):
            return refusal
        if row.name == "pow" and {"x", "y"} <= set(operands) and (refusal := self._root(call, operands["x"], operands["y"])):
            return refusal
        if self.xla:
            if row.name in _FINDS or (row.name == "where" and len(arguments) == 1):
                return Refusal(call, Code.XLA, f"the shape of what tf.{row.name} finds depends on the values, and XLA has to know it")
            if "ord" in arguments and getattr(arguments["ord"], "value", None) != "euclidean":
                return Refusal(call, Code.XLA, f"tf.{row.name} of this order may give another number under XLA")
            if computed := next((one for one in settings.values() if not self._known(one)), None):
                return Refusal(call, Code.XLA, f"XLA has to know {self.facts.edit.short(computed, 'an argument')} when it compiles")
        elif operands and (refusal := self._extreme(call, row, next(iter(operands.values())))):
            return refusal
        in_range = call in self.proven or self._exists(operands, settings)
        return self._operation(call, row, list(operands.values()), in_range, (self.facts.kind(call).dtype,) if row.name == "cast" else ())

    def _first(self, call: gast.Call, row: Op, operands: Mapping[str, gast.AST]) -> Refusal | None:
        """A Python number in front has a dtype of its own in a graph."""
        if not row.wants_tensor_first or not {"x", "y"} <= set(operands):
            return None
        number, other = self.kind(operands["x"]), self.kind(operands["y"])
        if number.sort is Sort.TENSOR or (number.sort is Sort.NUMBER and OF_PYTHON.get(number.dtype or "") == other.dtype):
            return None
        if number.sort is Sort.VARIABLE or all(_is_no_tensor(one) for one in (number, other)):
            return None
        return Refusal(call, Code.RAISES, f"a number in front of a tensor has its own dtype in a graph: tf.{row.name} would raise")

    def _extreme(self, call: gast.Call, row: Op, operand: gast.AST) -> Refusal | None:
        """Where a graph takes the extreme of something else."""
        if not row.takes_extreme:
            return None
        for value in self._given(operand):
            match value:
                case gast.UnaryOp(op=gast.USub(), operand=inner):
                    pass
                case gast.Call(args=[inner, *_]) if self.facts.op(value).is_monotonic:
                    pass
                case _:
                    continue
            if row.finds_place:
                return Refusal(
                    call,
                    Code.PRECISION,
                    f"a graph looks for the place in {self.facts.edit.short(inner, 'what it is made of')}, where there may be another one",
                )
            if not all(self._is_single(one) for one in self._given(inner)):
                return Refusal(
                    call,
                    Code.PRECISION,
                    f"of {self.facts.edit.short(inner, 'what it is made of')}, one of several results, a graph takes the first",
                )
        return None

    def _given(self, node: gast.AST) -> list[gast.AST]:
        """The expressions that a value may come from, with the names on the way."""
        found, names = [node], set()
        for one in found:
            if isinstance(one, gast.Name) and one.id not in names:
                names.add(one.id)
                given = [self.facts.parent(target) for target in self.facts.scopes.names[one].bindings.get(one.id, ())]
                found += [statement.value for statement in given if isinstance(statement, gast.Assign)]
        return found

    def _is_single(self, node: gast.AST) -> bool:
        """Is it certainly not one of several results of an operation?"""
        match node:
            case gast.Name(id=name):
                # What is given with others, as by `a, b = ...`, is not; a loop's rows are picked one by one.
                given = [self.facts.scopes.statement(one) for one in self.facts.scopes.names[node].bindings.get(name, ())]
                return all(not isinstance(one, gast.Assign) or isinstance(one.targets[0], gast.Name) for one in given)
            case gast.Subscript(value=value):
                return self.kind(value).is_tensor
        return True

    def _root(self, node: gast.AST, x: gast.AST, y: gast.AST) -> Refusal | None:
        base, power = self.kind(x), self.kind(y)
        if not base.is_tensor or base.finite or power.sort is not Sort.NUMBER or power.value not in (0.5, None):
            return None
        return (
            None
            if power.dtype == "int"
            else Refusal(node, Code.NOT_FINITE, "** 0.5 of minus infinity is infinity, and NaN in a graph, which takes the root")
        )

    def _finds_rows(self, value: gast.AST, index: gast.AST) -> bool:
        """Does what picks rows in `x[a, :, b]` only depend on Python numbers, or lie below their count in every iteration of a loop?"""
        shape = self.facts.kind(value).shape
        parts = list(index.elts) if isinstance(index, gast.Tuple) else [index]
        for place, part in enumerate(parts):
            if isinstance(part, gast.Slice) or self._known(part):
                continue
            counted = all(_takes_an_axis(one, self.facts) for one in parts[:place])
            size = shape[place] if isinstance(shape, tuple) and place < len(shape) and counted else None
            if not lies_below(self.facts.kind(part).below, size):
                return False
        return True

    def _exists(self, operands: Mapping[str, gast.AST], settings: Mapping[str, gast.AST]) -> bool:
        """Do the indices that a function is given certainly exist, along the axis that it is told?"""
        if set(operands) != {"x", "indices"} or not set(settings) <= {"axis", "name"}:
            return False
        indices, rows = self.kind(operands["indices"]), self.kind(operands["x"]).shape
        axis = self.kind(settings["axis"]).value if "axis" in settings else 0
        if not isinstance(rows, tuple) or not isinstance(axis, int) or not -len(rows) <= axis < len(rows):
            return False
        bound = indices.value + 1 if isinstance(indices.value, int) and indices.value >= 0 else indices.below
        return lies_below(bound, rows[axis])

    # What XLA knows

    def _known(self, node: gast.AST) -> bool:
        """Does it only depend on Python numbers and on the shapes of tensors?"""
        match node:
            case gast.Name(id=name):
                return name not in self.numbers and _is_no_tensor(self.facts.kind(node))
            case gast.Attribute(attr="shape" | "ndim" | "dtype" | "rank"):
                return True
            case gast.Call(args=[_]) if self.facts.called(node) in _OF_SHAPES:
                return True
            case gast.Constant():
                return True
            case gast.Attribute() | gast.Call():
                return _is_no_tensor(self.facts.kind(node)) and all(name not in self.numbers for name in _names(node))
            case gast.expr():
                children = [one for one in gast.iter_child_nodes(node) if isinstance(one, gast.expr)]
                return all(self._known(one) for one in children)
        return False


def _names(node: gast.AST) -> Iterator[str]:
    return (one.id for one in gast.walk(node) if isinstance(one, gast.Name))


def _takes_an_axis(part: gast.AST, facts: Facts) -> bool:
    """Is it a part of an index that stands for one axis, as neither `...` nor a new one does?"""
    return isinstance(part, gast.Slice) or (facts.kind(part).sort is Sort.NUMBER and getattr(part, "value", 0) is not None)


def _is_no_tensor(kind: Kind) -> bool:
    if kind.sort in (Sort.TUPLE, Sort.LIST):
        return kind.items is not None and all(map(_is_no_tensor, kind.items))
    return kind.sort in _NO_TENSORS


def _tensors(kind: Kind) -> Iterator[Kind]:
    """What may be a tensor in a value."""
    if kind.sort in (Sort.TUPLE, Sort.LIST) and kind.items is not None:
        for item in kind.items:
            yield from _tensors(item)
    elif not _is_no_tensor(kind):
        yield kind


__all__ = ["Move"]
