"""What is a Python number in the loop as it was written, and a tensor in the new one: the index above all.

A Python number takes the dtype of whatever tensor it meets; a tensor doesn't. So where such a number meets a tensor it is
cast, ints that meet floats are cast to float64 (which is what a Python float is), and where a Python number is needed for
good, as for a list's index or in an f-string, the loop stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import gast

from tfrewrite.analyses.numbers_into_tensors import Handing, Number, handed_to
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import Function
from tfrewrite.kinds import FLOATS, Kind, Sort, Symbol, spelled_dtype
from tfrewrite.outcomes import Edit, Refusal

COUNTER_BELOW = 2**20
"""How far a counter, or another int that isn't known, is taken to go: a million turns."""
_INT32 = 2**31
_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)
_SIZES = {"shape", "multiples", "depth", "rows", "columns", "limit", "start", "delta", "repeats", "size", "sizes", "d0", "perm", "axis"}

Interval = tuple[float, float]


@dataclass
class Numbers:
    """The numbers of one nest of loops. `types` says of each name whether it is an int, a float or a bool."""

    facts: Facts
    tf: str
    types: Mapping[str, str]
    bounds: Mapping[str, Interval]
    edits: list[Edit] = field(default_factory=list)
    makes_sizes: bool = False
    """Does a size or a slice depend on a number? XLA can't compile that."""
    after: bool = False
    """Is it after the loop, where a number may only meet tensors?"""
    returned: bool = False
    """Is what the function returns made a tensor anyway, as by tf.function?"""
    met: list[tuple[gast.AST, str]] = field(default_factory=list)
    """The numbers, each with the dtype of the tensor that it meets; empty where it meets none."""
    shorter: Mapping[str, str] = field(default_factory=dict)
    """The names that paths such as `self.w` have in the new code."""
    _done: set[gast.AST] = field(default_factory=set)

    def convert(self, nodes: Iterable[gast.AST]) -> Refusal | None:
        """Find the edits for every place below the nodes that reads one of the numbers."""
        for node in nodes:
            for name in gast.walk(node):
                self._constant_given(name)
                if self._key(name) in self.types:
                    whole = self._whole(name)
                    if whole not in self._done:
                        self._done.add(whole)
                        if refusal := self._meets(whole, name):
                            return refusal
        return None

    def _constant_given(self, statement: gast.AST) -> None:
        """`rate = 1.0` gives a tensor of float64 too, where that is what the name is elsewhere."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) | gast.AnnAssign(target=gast.Name(id=name), value=value):
                if self.types.get(name) == "float" and value is not None and not self._varies(value) and self._is_number(value):
                    span = self.facts.edit.outer_span(value)
                    self.edits += [Edit(span.start, span.start, f"{self.tf}.constant("), Edit(span.end, span.end, f", {self.tf}.float64)")]

    # Expressions of numbers

    def _key(self, node: gast.AST) -> str:
        """How a number is known: by its name, or by a path such as `self.rate`."""
        match node:
            case gast.Name(id=name, ctx=gast.Load()):
                return str(name)
            case gast.Attribute(ctx=gast.Load()):
                return self.facts.source.text_of(node)
        return ""

    def _whole(self, node: gast.AST) -> gast.AST:
        """The largest expression around a number that is a number itself."""
        while True:
            parent = self.facts.parent(node)
            match parent:
                case gast.BinOp() | gast.UnaryOp() if self._is_number(parent):
                    node = parent
                case gast.Compare(ops=[_]) if all(self._is_number(one) for one in (parent.left, *parent.comparators)):
                    node = parent
                case gast.BoolOp() if all(self._is_number(one) or self._is_comparison(one) for one in parent.values):
                    node = parent
                case gast.Call(args=[one]) if one is node and self.facts.called(parent) == "builtins.float":
                    node = parent
                case _:
                    return node

    def _is_number(self, node: gast.AST) -> bool:
        return self.facts.kind(node).sort is Sort.NUMBER

    def _is_comparison(self, node: gast.AST) -> bool:
        match node:
            case gast.Compare(left=left, comparators=comparators):
                return all(map(self._is_number, (left, *comparators)))
            case gast.BoolOp(values=values):
                return all(self._is_comparison(one) or self._is_number(one) for one in values)
        return False

    def type_of(self, node: gast.AST) -> str:
        match node:
            case gast.Name() | gast.Attribute() if self._key(node) in self.types:
                return self.types[self._key(node)]
            case gast.Compare() | gast.BoolOp() | gast.UnaryOp(op=gast.Not()):
                return "bool"
            case gast.BinOp(left=left, op=op, right=right):
                types = {self.type_of(left), self.type_of(right)}
                return "float" if "float" in types or isinstance(op, gast.Div) else "int"
            case gast.UnaryOp(operand=operand):
                return self.type_of(operand)
            case gast.Call():
                return "float"
        return self.facts.kind(node).dtype or ""

    def _varies(self, node: gast.AST) -> bool:
        return any(self._key(one) in self.types for one in gast.walk(node))

    def _meets(self, whole: gast.AST, name: gast.AST) -> Refusal | None:
        """Convert a number where it stands."""
        parent = self.facts.parent(whole)
        shown = self.facts.edit.short(whole, self._key(name))
        if self.after and not self._meets_a_tensor(whole, parent):
            return self._unknown(whole, shown)
        match parent:
            case gast.BinOp(left=left, right=right, op=op) if isinstance(op, _ARITHMETIC):
                return self._with_tensor(whole, right if whole is left else left)
            case gast.Compare(left=left, comparators=[right]):
                return self._with_tensor(whole, right if whole is left else left)
            case gast.AugAssign(target=target, value=value) if value is whole:
                if self.facts.kind(target).is_tensor:
                    return self._with_tensor(whole, target)
                return self._computed(whole, self.type_of(target))
            case gast.Assign() | gast.AnnAssign():
                return self._computed(whole, self.type_of(whole))
            case _ if _is_test(whole, self.facts):
                return self._truth(whole)
            case gast.BoolOp() | gast.UnaryOp(op=gast.Not()) if self.type_of(whole) == "bool":
                return self._computed(whole, "bool")
            case gast.Subscript(value=base) if whole is parent.slice:
                return self._position(whole, base, shown)
            case gast.Tuple() if isinstance(around := self.facts.parent(parent), gast.Subscript) and around.slice is parent:
                return self._position(whole, around.value, shown)
            case gast.Slice():
                around = self.facts.parent(parent)
                around = self.facts.parent(around) if isinstance(around, gast.Tuple) else around
                self.makes_sizes = True
                return self._position(whole, around.value, shown) if isinstance(around, gast.Subscript) else self._unknown(whole, shown)
            case gast.Call():
                return self._argument(whole, parent, shown)
            case gast.keyword():
                call = self.facts.parent(parent)
                return self._argument(whole, call, shown) if isinstance(call, gast.Call) else self._unknown(whole, shown)
            case gast.FormattedValue() | gast.JoinedStr():
                return Refusal(whole, Code.PYTHON_NUMBER, f"{shown} is formatted into a string, and would be a tensor there")
            case _ if self.returned and _is_result(parent, self.facts):
                own = self.type_of(whole)
                return self._as_dtype(whole, "float32", f"{self.tf}.float32") if own == "float" else self._computed(whole, own)
        return self._unknown(whole, shown)

    def _meets_a_tensor(self, whole: gast.AST, parent: gast.AST | None) -> bool:
        match parent:
            case gast.BinOp() | gast.Compare():
                return True
            case gast.AugAssign(target=target, value=value):
                return value is whole and self.facts.kind(target).is_tensor
            case gast.Call():
                return self.facts.op(parent).is_known
            case gast.keyword():
                return True
        return self.returned and _is_result(parent, self.facts)

    def _truth(self, whole: gast.AST) -> Refusal | None:
        """A condition is a bool in a graph: `if i % 2` becomes `if i % 2 != 0`."""
        if refusal := self._obstacle(whole):
            return refusal
        self.met.append((whole, ""))
        self._asked_for_truth(whole)
        return None

    def _unknown(self, whole: gast.AST, shown: str) -> Refusal:
        return Refusal(whole, Code.PYTHON_NUMBER, f"{shown} is needed as a Python number here")

    def _position(self, whole: gast.AST, base: gast.AST, shown: str) -> Refusal | None:
        kind = self.facts.kind(base)
        if kind.sort not in (Sort.TENSOR, Sort.VARIABLE):
            held = "a list" if kind.sort in (Sort.LIST, Sort.TUPLE) else "something that is not known to be a tensor"
            return Refusal(
                whole, Code.PYTHON_NUMBER, f"{shown} is an index of {held}: {self.facts.edit.short(base, 'there')} needs a Python number"
            )
        if self.type_of(whole) != "int":
            return Refusal(whole, Code.OTHER_DTYPE, f"{shown} is not an int, and can't be an index of a tensor")
        return self._computed(whole, "int")

    def _argument(self, whole: gast.AST, call: gast.Call, shown: str) -> Refusal | None:
        row = self.facts.op(call)
        if row.name in ("builtins.range", "range"):
            return self._computed(whole, "int")
        if not row.is_known:
            function = self.facts.function_called(call)
            if function is not None:
                return self._handed_over(whole, call, function, shown)
            return Refusal(
                whole, Code.PYTHON_NUMBER, f"{shown} is passed to {self.facts.edit.short(call.func, 'a function')} as a Python number"
            )
        arguments = self.facts.arguments(call) or {}
        parameter = next((key for key, value in arguments.items() if value is whole), "")
        match row.name, parameter:
            case "cast", "x":
                # A Python float is made a float32 before it is cast to anything else.
                if self.type_of(whole) == "float" and self.facts.kind(call).dtype != "float32":
                    return self._as_dtype(whole, "float32", f"{self.tf}.float32")
                return self._computed(whole, self.type_of(whole))
            case (("constant" | "convert_to_tensor"), "value"):
                return self._constant(whole, call, arguments)
            case (("gather" | "nn.embedding_lookup" | "one_hot"), "indices") if self.type_of(whole) == "int":
                return self._computed(whole, "int")
            case _, ("x" | "y") if {"x", "y"} <= set(arguments):
                return self._with_tensor(whole, arguments["y" if parameter == "x" else "x"])
        if row.parameters == ("x",) and row.is_elementwise and parameter and self.type_of(whole) == "float":
            return self._as_dtype(whole, "float32", f"{self.tf}.float32")  # what TensorFlow makes of a Python float
        if parameter in _SIZES:
            return Refusal(whole, Code.PYTHON_NUMBER, f"a size or an axis depends on {shown}, which would be a tensor")
        return self._unknown(whole, shown)

    def _handed_over(self, whole: gast.AST, call: gast.Call, function: Function, shown: str) -> Refusal | None:
        """A function of this file is handed the number: a tensor has to do wherever it reads it."""
        refusal = Refusal(
            whole, Code.PYTHON_NUMBER, f"{shown} is passed to {self.facts.edit.short(call.func, 'a function')} as a Python number"
        )
        of_object = self.facts.callers.function_called(call) is None
        parameter, inside = handed_to(call, whole, function, of_object), self.facts.inside(call)
        own = self.type_of(whole)
        if parameter is None or inside is None or own not in ("int", "float"):
            return refusal
        handing = Handing(inside, function, places=True)
        number = Number(own, self.interval(whole))
        if (refused := handing.read(parameter, function, number)) is not None:
            return refusal.saying(f"{refusal.reason}: {refused.reason}")
        dtype = handing.dtype(number)
        if isinstance(dtype, Refusal) or handing.keeps_type:
            return refusal
        return self._as_dtype(whole, dtype, spelled_dtype(dtype, self.tf))

    def _constant(self, whole: gast.AST, call: gast.Call, arguments: Mapping[str, gast.expr]) -> Refusal | None:
        """`tf.constant(i, tf.float32)` can't take a tensor; `tf.cast` does."""
        dtype = self.facts.kind(call).dtype
        if dtype is None or set(arguments) - {"value", "dtype"}:
            return self._unknown(whole, self.facts.edit.short(whole))
        if refusal := self._computed(whole, self.type_of(whole)):
            return refusal
        function = self.facts.source.span(call.func)
        self.edits.append(Edit(function.start, function.end, f"{self.tf}.cast"))
        if "dtype" not in arguments:
            self.edits.append(self.facts.edit.append_argument(call, spelled_dtype(dtype, self.tf)))
        return None

    # Edits

    def _with_tensor(self, whole: gast.AST, other: gast.AST) -> Refusal | None:
        """The number meets a tensor, and takes its dtype."""
        kind = self.facts.kind(other)
        shown, whom = self.facts.edit.short(whole), self.facts.edit.short(other, "what it meets")
        if not kind.is_tensor:
            return Refusal(whole, Code.UNKNOWN_VALUE, f"{whom} is not known to be a tensor, and {shown} would be one")
        if kind.dtype is None:
            return Refusal(whole, Code.UNKNOWN_DTYPE, f"the dtype of {whom} is not known, and {shown} would have to take it")
        own = self.type_of(whole)
        if kind.dtype in FLOATS and own in ("int", "float"):
            pass
        elif own == "int" and (kind.dtype in ("int32", "int64") or "." in kind.dtype):
            pass
        else:
            return Refusal(whole, Code.OTHER_DTYPE, f"{shown}, a Python {own or 'number'}, meets {whom} of {kind.dtype}")
        if not isinstance(other, gast.Name | gast.Attribute):
            return self._as_dtype(whole, kind.dtype, spelled_dtype(kind.dtype, self.tf))
        path = self.facts.source.text_of(other)
        return self._as_dtype(whole, kind.dtype, f"{self.shorter.get(path, path)}.dtype")

    def _as_dtype(self, whole: gast.AST, dtype: str, spelled: str) -> Refusal | None:
        own = self.type_of(whole)
        self.met.append((whole, dtype))
        before = len(self.edits)
        if (own, dtype) in (("int", "int32"), ("float", "float64")):
            return self._converted(whole, own)
        self.edits.append(Edit(0, 0))  # its place before the edits inside: they may begin at the same character
        if refusal := self._converted(whole, own):
            return refusal
        outer = self.facts.edit.outer_span(whole)
        inner = self.facts.source.span(whole)
        self.edits[before] = Edit(outer.start, inner.start, f"{self.tf}.cast(")
        self.edits.append(Edit(inner.end, outer.end, f", {spelled})"))
        return None

    def _computed(self, whole: gast.AST, wanted: str) -> Refusal | None:
        self.met.append((whole, ""))
        return self._converted(whole, wanted)

    def _converted(self, whole: gast.AST, wanted: str) -> Refusal | None:
        """Compute a number as tensors do, to the same value: int32 for ints, float64 for floats."""
        if refusal := self._obstacle(whole):
            return refusal
        self._cast_inside(whole, wanted)
        return None

    def _cast_inside(self, node: gast.AST, wanted: str) -> None:
        if not self._varies(node):
            return
        match node:
            case gast.Name() | gast.Attribute():
                if wanted == "float" and self.types[self._key(node)] == "int":
                    span = self.facts.source.span(node)
                    self.edits += [Edit(span.start, span.start, f"{self.tf}.cast("), Edit(span.end, span.end, f", {self.tf}.float64)")]
            case gast.BinOp(left=left, op=op, right=right):
                types = {self.type_of(left), self.type_of(right)}
                inner = "float" if "float" in types or (wanted == "float" and not isinstance(op, gast.Div)) else "int"
                self._cast_inside(left, inner)
                self._cast_inside(right, inner)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                self._asked_for_truth(operand)
            case gast.UnaryOp(operand=operand):
                self._cast_inside(operand, wanted)
            case gast.Compare(left=left, comparators=[right]):
                inner = "float" if "float" in (self.type_of(left), self.type_of(right)) else "int"
                self._cast_inside(left, inner)
                self._cast_inside(right, inner)
            case gast.BoolOp(values=values):
                for value in values:
                    self._asked_for_truth(value)
            case gast.Call(func=func, args=[value]):
                span, inside = self.facts.source.span(func), self.facts.source.span(value)
                if self.type_of(value) == "int":
                    self.edits.append(Edit(span.start, span.end, f"{self.tf}.cast"))
                    self._cast_inside(value, "int")
                    self.edits.append(Edit(inside.end, inside.end, f", {self.tf}.float64"))
                else:
                    self.edits.append(Edit(span.start, span.end))
                    self._cast_inside(value, "float")

    def _asked_for_truth(self, node: gast.AST) -> None:
        own = self.type_of(node)
        self._cast_inside(node, own)
        if own != "bool":
            end = self.facts.edit.outer_span(node).end
            self.edits.append(Edit(end, end, " != 0"))

    def _obstacle(self, whole: gast.AST) -> Refusal | None:
        """What a tensor would compute otherwise: divisions by zero, numbers that grow too large."""
        for node in gast.walk(whole):
            shown = self.facts.edit.short(whole)
            match node:
                case gast.BinOp(op=gast.Div() | gast.FloorDiv() | gast.Mod() as op, right=right):
                    if not _is_nonzero(right):
                        return Refusal(whole, Code.RAISES, f"{shown} raises where {self.facts.edit.short(right)} is 0, and tensors don't")
                    if not isinstance(op, gast.Div) and self.type_of(node) != "int":
                        return Refusal(whole, Code.PRECISION, f"{shown} is rounded down for floats, and tensors may round differently")
                case gast.BinOp(left=left, op=gast.Pow(), right=right) if not self._safe_power(left, right):
                    return Refusal(whole, Code.OVERFLOW, f"{shown} may be too large, or raise, where a tensor gives something else")
                case gast.BinOp(op=gast.BitAnd() | gast.BitOr() | gast.BitXor() | gast.LShift() | gast.RShift() | gast.MatMult()):
                    return Refusal(whole, Code.PYTHON_NUMBER, f"{shown} computes with the bits of a Python number")
                case gast.Compare(ops=[gast.Is() | gast.IsNot() | gast.In() | gast.NotIn()]) | gast.Compare(ops=[_, _, *_]):
                    return Refusal(whole, Code.PYTHON_NUMBER, f"{shown} compares numbers in a way that tensors don't")
            for side in _sides(node):
                low, high = self.interval(side)
                if self.type_of(side) == "int" and not -_INT32 <= low <= high < _INT32:
                    return Refusal(whole, Code.OVERFLOW, f"{self.facts.edit.short(side)} may not fit in 32 bits")
            if (
                isinstance(node, gast.BinOp | gast.UnaryOp | gast.Name | gast.Attribute)
                and self.type_of(node) == "int"
                and self._varies(node)
            ):
                low, high = self.interval(node)
                if not -_INT32 <= low <= high < _INT32:
                    return Refusal(whole, Code.OVERFLOW, f"{shown} may not fit in 32 bits")
        return None

    def _safe_power(self, base: gast.AST, exponent: gast.AST) -> bool:
        low, high = self.interval(exponent)
        match base, exponent:
            case gast.Constant(value=int() | float() as value), _ if not isinstance(value, bool) and isinstance(value, float):
                return value > 0 and low >= 0 and (value <= 1 or high * value < 600)
            case _, gast.Constant(value=int(value)) if self.type_of(base) == "int":
                return 0 <= value <= 8
        return False

    def interval(self, node: gast.AST) -> Interval:
        match node:
            case gast.Constant(value=int() | float() as value):
                return float(value), float(value)
            case gast.Name(id=name) if name in self.bounds:
                return self.bounds[name]
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                low, high = self.interval(operand)
                return -high, -low
            case gast.BinOp(left=left, op=op, right=right):
                return _combined(op, self.interval(left), self.interval(right))
        known = self.facts.kind(node).value
        if isinstance(known, int | float):
            return float(known), float(known)
        # The size of something. Of any other number nothing is known.
        sized = not isinstance(node, gast.Name) and isinstance(known, Symbol)
        return (0.0, 2.0**24) if sized or self.facts.called(node) == "builtins.len" else (float("-inf"), float("inf"))


def _is_test(node: gast.AST, facts: Facts) -> bool:
    """Is it a condition, or a part of one?"""
    parent = facts.parent(node)
    while isinstance(parent, gast.BoolOp) or (isinstance(parent, gast.UnaryOp) and isinstance(parent.op, gast.Not)):
        node, parent = parent, facts.parent(parent)
    match parent:
        case gast.If(test=test) | gast.While(test=test) | gast.IfExp(test=test):
            return test is node
    return False


def _is_result(node: gast.AST | None, facts: Facts) -> bool:
    """Is it a return, or a tuple or list that is returned?"""
    while isinstance(node, gast.Tuple | gast.List):
        node = facts.parent(node)
    return isinstance(node, gast.Return)


def _sides(node: gast.AST) -> list[gast.AST]:
    """What an operator computes with."""
    match node:
        case gast.Compare(left=left, comparators=[right]) | gast.BinOp(left=left, right=right):
            return [left, right]
    return []


def _is_nonzero(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, int | float) and node.value != 0


def _combined(op: gast.AST, a: Interval, b: Interval) -> Interval:
    if float("inf") in (*map(abs, a), *map(abs, b)) and not isinstance(op, gast.Mod):
        return float("-inf"), float("inf")
    match op:
        case gast.Add():
            return a[0] + b[0], a[1] + b[1]
        case gast.Sub():
            return a[0] - b[1], a[1] - b[0]
        case gast.Mult():
            products = [x * y for x in a for y in b]
            return min(products), max(products)
        case gast.FloorDiv() if b[0] == b[1] and b[0] >= 1:
            return min(a[0], a[0] / b[0] - 1), max(a[1], 0)
        case gast.Mod() if b[0] == b[1] and b[0] >= 1:
            return 0, b[0] - 1
        case gast.Pow() if b[0] == b[1] and 0 <= b[0] <= 8:
            powers = [x ** b[0] for x in a]
            return min(0, *powers), max(powers)
    return float("-inf"), float("inf")


def typed(kind: Kind) -> str:
    """int, float or bool, of a Python number; empty for anything else."""
    return kind.dtype or "" if kind.sort is Sort.NUMBER and kind.dtype in ("int", "float", "bool") else ""
