"""What a function does with a Python number that it is handed, and whether a tensor would do in its place.

A Python number takes the dtype of whatever tensor it meets; a tensor has one of its own. So every place that reads the number
has to agree on a dtype, and no place may need the number while the graph is built: for a condition, a size, a text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import FUNCTIONS, Function, parameters
from tfrewrite.kinds import FLOATS, INTEGERS, OF_PYTHON, Sort
from tfrewrite.outcomes import Refusal

Interval = tuple[float, float]
EVERYTHING: Interval = (float("-inf"), float("inf"))
# Up to which size every whole number has a place of its own.
_EXACT = {"float16": 2**11, "bfloat16": 2**8, "float32": 2**24, "float64": 2**53}
_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod)
_COMPARISONS = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_GIVEN = (Sort.TENSOR, Sort.ARRAY, Sort.VARIABLE, Sort.LIST, Sort.TUPLE)
_MODERATE = 1e30
_ASSIGNING = ("assign", "assign_add", "assign_sub")


@dataclass(frozen=True)
class Number:
    """A number under one of its names. `rounded`: it was divided or multiplied, and has digits of its own."""

    type: str
    bounds: Interval
    rounded: bool = False


@dataclass
class Handing:
    """What the places that read one parameter want it to be."""

    facts: Facts
    function: Function
    wanted: dict[str, gast.AST] = field(default_factory=dict)
    """The dtypes that the number has to have, each with a place that says so."""
    exact: list[tuple[gast.AST, Interval]] = field(default_factory=list)
    """Whole numbers that the dtype has to hold exactly."""
    places: bool = False
    """May a whole number be a place in a tensor? (One that doesn't exist raises another error then.)"""
    keeps_type: bool = False
    """Does a place take the number as what Python has, an int or a float?"""
    _seen: set[gast.Name] = field(default_factory=set)

    def read(self, parameter: gast.Name, function: Function, number: Number) -> Refusal | None:
        if parameter in self._seen:
            return None
        self._seen.add(parameter)
        if parameter.annotation is not None and self.facts.names(parameter.annotation) in ("builtins.int", "builtins.float"):
            said = self.facts.edit.short(parameter.annotation, "a number")
            return Refusal(
                parameter,
                Code.PYTHON_NUMBER,
                f"{parameter.id} is annotated as {said}, and would be a tensor",
                "Annotate it as tf.Tensor, or not at all.",
            )
        return self._name(parameter, number)

    def dtype(self, number: Number) -> str | Refusal:
        """The dtype that the tensor has to have."""
        own = OF_PYTHON[number.type]
        if len(self.wanted) > 1:
            (one, first), (other, second) = list(self.wanted.items())[:2]
            short = self.facts.edit.short
            reason = f"it would have to be {one} for {short(first, 'one place')} and {other} for {short(second, 'another place')}"
            return Refusal(second, Code.OTHER_DTYPE, reason, "Cast it in one of the two places.")
        (dtype,) = self.wanted or (own,)
        if number.type == "float" and dtype not in FLOATS:
            return Refusal(self.wanted[dtype], Code.OTHER_DTYPE, f"a float meets a tensor of {dtype}")
        if number.type == "int" and dtype not in FLOATS | {"int32", "int64"}:
            return Refusal(self.wanted[dtype], Code.OTHER_DTYPE, f"an int meets a tensor of {dtype}, which may be too small for it")
        limit = _EXACT.get(dtype, 2**31)
        for node, (low, high) in (*self.exact, *(((self.wanted.get(dtype, self.function), number.bounds),) if dtype not in FLOATS else ())):
            if not -limit < low <= high < limit:
                return Refusal(node, Code.OVERFLOW, f"{self.facts.edit.short(node, 'the number')} may be larger than {dtype} holds exactly")
        return dtype

    # Names

    def _name(self, given: gast.Name, number: Number) -> Refusal | None:
        """Every place that reads the number under this name."""
        name = given.id
        scope = self.facts.scopes.names[given]
        owner = scope.lookup(name)
        assert owner is not None
        if owner is not scope or name in owner.shared or len(owner.bindings[name]) != 1:
            return Refusal(given, Code.MAY_CHANGE, f"{name} is assigned another value in {self._shown(scope.node)}")
        below = (owner, *owner.below())
        if any(one.is_read_as_a_whole for one in below):
            return Refusal(given, Code.OTHER_NAMES, f"locals(), eval or the like may read any name in {self._shown(scope.node)}")
        for one in below:
            for use in one.uses.get(name, ()):
                if one.lookup(name) is owner and (refusal := self._use(use, number)) is not None:
                    return refusal
        return None

    def _shown(self, function: gast.AST) -> str:
        return getattr(function, "name", "the function")

    # Expressions of numbers

    def _use(self, use: gast.AST, number: Number) -> Refusal | None:
        """Climb to the largest expression that Python computes, and see what that meets."""
        whole = use
        while True:
            parent = self.facts.parent(whole)
            match parent:
                case gast.UnaryOp(op=gast.USub()):
                    low, high = number.bounds
                    number = Number(number.type, (-high, -low), number.rounded)
                case gast.UnaryOp(op=gast.UAdd()):
                    return Refusal(parent, Code.RAISES, f"{self.facts.edit.short(parent, 'it')} raises, as a tensor has no unary +")
                case gast.BinOp(left=left, right=right) if self._is_number(right if left is whole else left):
                    found = self._computed(parent, whole, number)
                    if isinstance(found, Refusal):
                        return found
                    number = found
                case _:
                    return self._meets(whole, parent, number)
            whole = parent

    def _is_number(self, node: gast.AST) -> bool:
        return self.facts.kind(node).sort is Sort.NUMBER

    def _computed(self, node: gast.BinOp, side: gast.AST, number: Number) -> Number | Refusal:
        """What Python makes of the number and another one, if a tensor would be the same."""
        facts, shown = self.facts, self.facts.edit.short(node, "a number")
        other = node.right if node.left is side else node.left
        kind = facts.kind(other)
        value = kind.value
        if not isinstance(value, int | float) or isinstance(value, bool):
            return Refusal(
                node, Code.PYTHON_NUMBER, f"Python computes {shown} from two numbers that vary", "Compute it before the call, and pass it."
            )
        if isinstance(node.op, gast.Add | gast.Sub | gast.Mult) and number.type == "int" and isinstance(value, int) and not number.rounded:
            low, high = sorted(_combined(node.op, one, value, node.left is side) for one in number.bounds)
            self.exact += [(node, (low, high)), (node, number.bounds), (node, (value, value))]
            return Number("int", (low, high))
        if isinstance(node.op, gast.Mult | gast.Div) and 1 / _MODERATE < abs(value) < _MODERATE:
            divided_by = isinstance(node.op, gast.Div) and node.right is side
            if divided_by and not (number.bounds[0] > 0 or number.bounds[1] < 0):
                return Refusal(node, Code.RAISES, f"{shown} raises where {facts.edit.short(side)} is 0, and a tensor doesn't")
            return Number("float", EVERYTHING, True)
        remedy = "Compute it before the call, and pass it."
        if isinstance(node.op, gast.Add | gast.Sub):
            return Refusal(
                node,
                Code.PRECISION,
                f"Python computes {shown} with 53 bits, and a tensor may lose most of its own where numbers cancel out",
                remedy,
            )
        return Refusal(node, Code.PRECISION, f"Python computes {shown}, and a tensor may give another number", remedy)

    # Places

    def _meets(self, whole: gast.AST, parent: gast.AST | None, number: Number) -> Refusal | None:
        facts, shown = self.facts, self.facts.edit.short(whole, "the number")
        match parent:
            case gast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
                return self._cancels(parent, whole) or self._with_tensor(whole, right if left is whole else left, number)
            case gast.BinOp(op=gast.Pow(), right=right) if right is whole and number.type == "int":
                return Refusal(
                    whole,
                    Code.NO_GAIN,
                    f"{facts.edit.short(parent)} is a few products to a graph that knows the exponent, and slow otherwise",
                )
            case gast.BinOp(op=gast.Pow()):
                return Refusal(
                    whole, Code.PRECISION, f"{facts.edit.short(parent)} is computed as a root where the exponent is 0.5: other results"
                )
            case gast.AugAssign(target=target, op=op, value=value) if value is whole and isinstance(op, _ARITHMETIC):
                return self._cancels(parent, whole) or self._with_tensor(whole, target, number)
            case gast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
                other = right if left is whole else left
                if self._is_number(other) or facts.kind(other).sort in (Sort.NONE, Sort.TEXT):
                    return Refusal(
                        parent, Code.PYTHON_NUMBER, f"Python decides {facts.edit.short(parent, 'a condition')} while the graph is built"
                    )
                return self._with_tensor(whole, other, number)
            case gast.Call():
                return self._argument(whole, parent, number)
            case gast.keyword() if isinstance(call := facts.parent(parent), gast.Call):
                return self._argument(whole, call, number)
            case gast.Return() | gast.Lambda() | gast.Tuple() | gast.List() | gast.Dict() if self._is_returned(whole):
                return self._want_own(whole, number)
            case gast.Assign(targets=[gast.Name() as target]) if self._in_line(parent):
                return self._name(target, number)
            case gast.Compare() | gast.If() | gast.While() | gast.IfExp() | gast.BoolOp() | gast.UnaryOp(op=gast.Not()) | gast.Assert():
                return Refusal(whole, Code.PYTHON_NUMBER, f"{shown} decides what Python does while the graph is built")
            case gast.FormattedValue() | gast.JoinedStr():
                return Refusal(whole, Code.PYTHON_NUMBER, f"{shown} is formatted into a string, and would be a tensor there")
            case gast.Subscript(value=base, slice=place) if self.places and whole is place and number.type == "int" and not number.rounded:
                if facts.kind(base).is_tensor:
                    return self._want("int32", whole, number)
                return Refusal(
                    whole, Code.PYTHON_NUMBER, f"{shown} is an index of {facts.edit.short(base, 'a list')}, which needs a Python number"
                )
            case gast.Subscript() | gast.Slice():
                return Refusal(
                    whole, Code.RAISES, f"{shown} is an index of something: one that doesn't exist raises another error as a tensor"
                )
        return Refusal(whole, Code.PYTHON_NUMBER, f"{shown} is needed as a Python number")

    def _in_line(self, assignment: gast.Assign) -> bool:
        """Is a name given on every path, and by Python?"""
        function = self.facts.scopes.function_of(assignment)
        return self.facts.parent(assignment) is function

    def _is_returned(self, node: gast.AST) -> bool:
        """Does a value leave the traced function itself as it is, alone or in a tuple, list or dictionary?"""
        function = self.facts.scopes.function_of(node)
        if function is not self.function:
            return False
        for ancestor in self.facts.scopes.ancestors(node):
            if isinstance(ancestor, gast.Return) or ancestor is function:
                return True
            if isinstance(ancestor, gast.Dict) and any(one is node for one in ancestor.keys):
                return False
            if not isinstance(ancestor, gast.Tuple | gast.List | gast.Dict):
                return False
        return False

    def _want(self, dtype: str, node: gast.AST, number: Number) -> Refusal | None:
        if number.rounded and dtype not in FLOATS:
            return Refusal(node, Code.OTHER_DTYPE, f"{self.facts.edit.short(node)}, a float, meets a tensor of {dtype}")
        self.wanted.setdefault(dtype, self.facts.parent(node) or node)
        return None

    def _want_own(self, node: gast.AST, number: Number) -> Refusal | None:
        self.keeps_type = True
        return self._want(OF_PYTHON[number.type], node, number)

    def _with_tensor(self, whole: gast.AST, other: gast.AST, number: Number) -> Refusal | None:
        facts, kind = self.facts, self.facts.kind(other)
        shown, whom = facts.edit.short(whole, "the number"), facts.edit.short(other, "what it meets")
        if isinstance(facts.parent(other), gast.BinOp):
            kind = kind.as_operand
        if not kind.is_tensor:
            return Refusal(whole, Code.UNKNOWN_VALUE, f"{whom} is not known to be a tensor, and {shown} would be one")
        if kind.dtype is None:
            return Refusal(
                whole,
                Code.UNKNOWN_DTYPE,
                f"the dtype of {whom} is not known, and {shown} would have to take it",
                f"Say so before: tf.ensure_shape and tf.cast do, or pass tf.cast({shown}, {whom}.dtype) yourself.",
            )
        return self._want(kind.dtype, whole, number)

    def _argument(self, whole: gast.AST, call: gast.Call, number: Number) -> Refusal | None:
        facts, shown = self.facts, self.facts.edit.short(whole, "the number")
        callee = facts.edit.short(call.func, "a function")
        refusal = Refusal(whole, Code.PYTHON_NUMBER, f"{shown} is passed to {callee} as a Python number")
        if (own := facts.callers.function_called(call)) is not None:
            parameter = handed_to(call, whole, own)
            if parameter is None or not facts.callers.plainly_decorated(own) or facts.callers.may_have_signature(own):
                return refusal
            return self.read(parameter, own, number)
        match call:
            case gast.Call(func=gast.Attribute(value=base, attr=attr), args=[value]) if value is whole and attr in _ASSIGNING:
                if facts.kind(base).sort is Sort.VARIABLE:
                    return self._with_tensor(whole, base, number)
        row = facts.op(call)
        if not row.is_known or not (facts.called(call) or "").startswith("tensorflow."):
            return refusal
        arguments = facts.arguments(call) or {}
        place = next((key for key, value in arguments.items() if value is whole), "")
        match row.name, place:
            case "cast", "x":
                if number.type == "float" or number.rounded:
                    return self._want("float32", whole, number)  # what a Python float becomes before it is cast
                self.exact.append((whole, number.bounds))
                return None
            case "convert_to_tensor", "value":
                dtype = facts.kind(call).dtype if len(arguments) > 1 else None
                return self._want(dtype, whole, number) if dtype is not None else self._want_own(whole, number)
            case "fill", "value":
                return self._want_own(whole, number)
            case "constant", "value":
                return Refusal(
                    whole, Code.PYTHON_NUMBER, f"tf.constant makes no constant of {shown} once it is a tensor", "Write tf.cast instead."
                )
            case "clip_by_value", ("low" | "high"):
                return self._with_tensor(whole, arguments.get("x", whole), number)
            case _, ("x" | "y") if row.takes_numbers and {"x", "y"} <= set(arguments):
                other = arguments["y" if place == "x" else "x"]
                if place == "x" and row.wants_tensor_first and (wrong := self._want(OF_PYTHON[number.type], whole, number)):
                    return wrong
                return self._cancels(call, whole) or self._with_tensor(whole, other, number)
        return refusal

    # Arrays of the number alone

    def folded(self) -> Refusal | None:
        """An array that is made of the number and constants alone: a graph that knows the number computes it once a trace."""
        for function in sorted(self._functions(), key=lambda one: (one.lineno, one.col_offset)):
            body = function.body if isinstance(function.body, list) else [function.body]
            for node in (one for statement in body for one in gast.walk(statement)):
                if isinstance(node, gast.BinOp | gast.UnaryOp | gast.Compare | gast.Call) and self._is_array(node):
                    if self._depends(node, frozenset()) and not self._is_given(node, frozenset()):
                        shown = self.facts.edit.short(node, "that")
                        reason = f"a graph computes {shown} of constants alone once a trace, and would compute it in every call"
                        return Refusal(node, Code.NO_GAIN, reason)
        return None

    def _is_array(self, node: gast.expr) -> bool:
        kind = self.facts.kind(node)
        return kind.sort in (Sort.TENSOR, Sort.ARRAY, Sort.UNKNOWN) and kind.shape != ()

    def _depends(self, node: gast.AST, seen: frozenset[gast.AST]) -> bool:
        """Does the number go into an expression?"""
        for name in self._names_in(node):
            for binding in self._bindings(name):
                if binding in self._seen:
                    return True
                if binding not in seen and (value := self._value(binding)) is not None and self._depends(value, seen | {binding}):
                    return True
        return False

    def _is_given(self, node: gast.AST, seen: frozenset[gast.AST]) -> bool:
        """Does a tensor go into an expression that the graph is given, as an argument, as a variable or by its surroundings?"""
        if any(isinstance(one, gast.Attribute) and self._lives_outside(one) for one in gast.walk(node)):
            return True
        for name in self._names_in(node):
            bindings = self._bindings(name)
            if self.facts.kind(name).sort is Sort.VARIABLE or (self.facts.kind(name).is_tensor and not self._is_traced(name)):
                return True
            for binding in bindings:
                if binding in seen or binding in self._seen:
                    continue
                if self._is_given_as(name, binding, seen | {binding}):
                    return True
        return False

    def _is_given_as(self, name: gast.Name, binding: gast.AST, seen: frozenset[gast.AST]) -> bool:
        owner = self.facts.scopes.names[name].lookup(name.id)
        function = owner.node if owner is not None else None
        if isinstance(function, FUNCTIONS) and isinstance(binding, gast.Name) and any(binding is one for one in parameters(function)):
            if function is self.function:
                sort = self.facts.kind(name).sort
                return sort in _GIVEN or (sort is Sort.UNKNOWN and not self._is_size(name))
            calls = [one.call for one in self.facts.callers.references(function) if one.direct and one.call is not None]
            handed = [one for call in calls for one in _arguments(call) if handed_to(call, one, function) is binding]
            return bool(handed) and all(self._is_given(one, seen) for one in handed)
        value = self._value(binding)
        return value is not None and self._is_given(value, seen)

    def _is_size(self, name: gast.Name) -> bool:
        """May it be the number of rows of something constant?"""
        calls = (one for one in self.facts.scopes.ancestors(name) if isinstance(one, gast.Call))
        return any(self.facts.op(one).takes_sizes for one in calls)

    def _lives_outside(self, node: gast.Attribute) -> bool:
        """`self.weight`, which no constant of the graph is, and not `x.shape`, which says nothing of x."""
        return self.facts.kind(node).sort in (Sort.VARIABLE, Sort.TENSOR) and self.facts.names(node) is None

    def _is_traced(self, name: gast.Name) -> bool:
        """Does a name belong to a function that is traced, in which a tensor may be a constant?"""
        owner = self.facts.scopes.names[name].lookup(name.id)
        return owner is not None and any(one in self._functions() for one in (owner.node, *self.facts.scopes.ancestors(owner.node)))

    def _functions(self) -> set[gast.AST]:
        """The functions that the number gets into."""
        return {self.function, *(self.facts.scopes.names[one].node for one in self._seen)}

    def _names_in(self, node: gast.AST) -> list[gast.Name]:
        names = (one for one in gast.walk(node) if isinstance(one, gast.Name) and one in self.facts.scopes.names)
        return [one for one in names if not isinstance(one.ctx, gast.Store)]

    def _bindings(self, name: gast.Name) -> Sequence[gast.AST]:
        owner = self.facts.scopes.names[name].lookup(name.id)
        return owner.bindings[name.id] if owner is not None else ()

    def _value(self, binding: gast.AST) -> gast.AST | None:
        """What a name is given, by an assignment or a loop."""
        given: gast.AST | None = None
        for statement in self.facts.scopes.ancestors(binding) if isinstance(binding, gast.Name) else ():
            match statement:
                case gast.Assign(value=value) | gast.AugAssign(value=value) | gast.AnnAssign(value=value) | gast.NamedExpr(value=value):
                    given = value
                case gast.For(iter=rows) | gast.comprehension(iter=rows):
                    given = rows
            if given is not None or isinstance(statement, gast.stmt):
                break
        return given

    # Sums that cancel out

    def _cancels(self, node: gast.AST, whole: gast.AST) -> Refusal | None:
        """Of `(x + k) - k` the optimiser of a graph makes x, as long as k is a constant there: 1e8 would swallow x."""
        if self._sum(node) is None or self.facts.kind(node).dtype in INTEGERS or len(set(self._added(node, set()))) < 2:
            return None
        shown = self.facts.edit.short(whole, "a number")
        reason = f"{shown} is not all that is added there: a graph adds up constants first, and tensors in turn, which may lose digits"
        return Refusal(whole, Code.PRECISION, reason)

    def _added(self, node: gast.AST, seen: set[gast.AST]) -> list[tuple[str, bool]]:
        """The numbers that a sum of tensors adds or (True) subtracts, through the names that its terms have."""
        if node in seen:
            return []
        seen.add(node)
        if (found := self._sum(node)) is not None:
            sides, minus = found
            return [term for one in sides for term in ([(self._text(one), minus)] if self._is_number(one) else self._added(one, seen))]
        match node:
            case gast.UnaryOp(operand=operand):
                return self._added(operand, seen)
            case gast.Name(id=name) if (owner := self.facts.scopes.names[node].lookup(name)) is not None:
                givers = [self.facts.parent(one) for one in owner.bindings[name] if isinstance(one, gast.Name)]
                values = [
                    one.value if isinstance(one, gast.Assign) else one for one in givers if isinstance(one, gast.Assign | gast.AugAssign)
                ]
                return [term for value in values for term in self._added(value, seen)]
            case gast.Call() if (own := self.facts.callers.function_called(node)) is not None:
                results = [one.value for one in gast.walk(own) if isinstance(one, gast.Return) and one.value is not None]
                return [term for one in results for term in self._added(one, seen)]
        return []

    def _sum(self, node: gast.AST) -> tuple[tuple[gast.AST, gast.AST], bool] | None:
        """The two sides of a sum or difference, however it is written."""
        match node:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
                return (left, right), isinstance(op, gast.Sub)
            case gast.AugAssign(target=target, op=gast.Add() | gast.Sub() as op, value=value):
                return (target, value), isinstance(op, gast.Sub)
            case gast.Call() if (name := self.facts.called(node)) in ("tensorflow.add", "tensorflow.subtract"):
                arguments = self.facts.arguments(node) or {}
                if {"x", "y"} <= set(arguments):
                    return (arguments["x"], arguments["y"]), name == "tensorflow.subtract"
        return None

    def _text(self, node: gast.AST) -> str:
        return self.facts.source.text_of(node)


def _arguments(call: gast.Call) -> list[gast.expr]:
    return [*call.args, *(one.value for one in call.keywords)]


def _combined(op: gast.AST, one: float, value: int, first: bool) -> float:
    match op:
        case gast.Add():
            return one + value
        case gast.Sub():
            return one - value if first else value - one
    return one * value if value else 0.0


def handed_to(call: gast.Call, argument: gast.AST, function: Function, of_object: bool = False) -> gast.Name | None:
    """The parameter that takes an argument of a call; that of a method comes after the object."""
    if any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return None
    positional = [*function.args.posonlyargs, *function.args.args][of_object:]
    by_name: Mapping[str, gast.Name] = {one.id: one for one in (*function.args.args, *function.args.kwonlyargs)}
    for place, one in enumerate(call.args):
        if one is argument:
            return positional[place] if place < len(positional) else None
    for keyword in call.keywords:
        if keyword.value is argument:
            return by_name.get(keyword.arg)
    return None
