"""What a block of rows of a value takes to compute: which operands of it in rows, which as a whole, and how much memory.

The question is followed backwards from one expression, the sink: of one of its axes only the rows from here to there are asked
for. An operation on all elements asks the same of each operand that has that axis, a reduction over another axis asks its
operand, a product the one operand that the axis comes from. A name is either taken in rows where it stands, or its
assignment is followed, if it is there for the sink alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.analyses.narrowing_casts import narrows
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import FUNCTIONS, block_of, walk_within
from tfrewrite.kinds import ITEM_BYTES, Kind, Sort
from tfrewrite.ops.call import as_tensor
from tfrewrite.ops.row import Op
from tfrewrite.outcomes import Refusal

Sizes = tuple[int, ...]

_MUCH = 8  # times: a name that is smaller than so, and all that it takes, stays as it is
_WIDER = 2  # times: what is broadcast is larger than its operands at least
_SMALL = 100_000  # bytes that may be computed in every iteration, though they are the same
_SETTINGS = frozenset({"name", "dtype", "output_type", "keepdims", "epsilon", "exclusive", "reverse", "direction"})
_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod, gast.Pow, gast.BitAnd, gast.BitOr, gast.BitXor)
_COMPARISONS = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_NUMBERS = frozenset({f"builtins.{name}" for name in ("float", "int", "len", "abs", "min", "max", "round")})

_LONGEST_EXACT_SUM = 2048  # measured from 1 to 3000 elements of float32 and float64; of 4099, float64 was added up otherwise


@dataclass(frozen=True)
class Taken:
    """A value that stands at a place of the sink, or of what is followed, and of which a block takes so many of one axis."""

    use: gast.expr
    axis: int


@dataclass(frozen=True)
class Blocks:
    """How a sink is computed in blocks of one of its axes, for values of such sizes."""

    sink: gast.expr
    axis: int
    rows: int
    """How long the axis is."""
    taken: tuple[Taken, ...]
    followed: tuple[gast.Assign, ...]
    """The assignments that move into each iteration, in the order of the text."""
    rounded: tuple[gast.AST, ...]
    """The operations that may be rounded otherwise for some rows than for all; none where the results are the same bits."""
    whole: tuple[gast.expr, ...]
    """What each iteration computes anew, though it is the same in all of them."""
    operations: int
    now: int
    """The peak of what is computed for the sink, in bytes, as it is written."""
    touched: float
    """How many bytes one row writes."""
    base: float
    """How many bytes each iteration writes beside its rows."""
    result: int
    given: int
    """How many bytes the values hold that it takes rows of."""
    largest: int
    """How many bytes the largest of what is computed has."""
    widened: bool
    """Is something computed that is much larger than the values that it takes rows of?"""
    _peak: Callable[[int], float]

    def peak(self, rows: int) -> float:
        """The same in blocks of so many rows: all parts of the result and what one iteration holds, or the parts and what they become."""
        return max(self.result + self._peak(min(rows, self.rows)), 2 * self.result)


def in_blocks(sink: gast.expr, axis: int, statement: gast.stmt, facts: Facts) -> Blocks | Refusal:
    """What it takes to compute only some rows of one axis of a sink, which stands in the statement; else what can't be had in rows."""
    kept: set[gast.AST] = set()
    while True:
        tracer = _Tracer(sink, axis, statement, facts, kept)
        tracer.demand(sink, axis)
        if tracer.wrong is not None:
            return tracer.wrong
        more = tracer.not_alone()
        if not more:
            return tracer.found()
        kept |= more


def shape_of(node: gast.AST, facts: Facts) -> Sizes | None:
    """The sizes of what a value is as a tensor, where all are numbers."""
    kind = facts.kind(node)
    if kind.sort not in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.NUMBER, Sort.LIST, Sort.TUPLE):
        return None
    shape = as_tensor(kind).shape
    if not isinstance(shape, tuple):
        return None
    sizes = tuple(dim for dim in shape if isinstance(dim, int))
    return sizes if len(sizes) == len(shape) else None


def bytes_of(node: gast.AST, facts: Facts) -> int:
    kind, shape = facts.kind(node), shape_of(node, facts)
    return 0 if shape is None or kind.sort is Sort.NUMBER else math.prod(shape) * ITEM_BYTES.get(kind.dtype or "", 4)


def is_computed_anew(node: gast.expr, facts: Facts) -> bool:
    """Is a value more than a name, or another look at what one stands for?"""
    meter = _Meter(facts, {}, 1.0)
    meter.value(node)
    return meter.total > _SMALL or meter.heavy


def written(node: gast.expr, facts: Facts) -> tuple[float, float]:
    """The peak of what an expression computes as it is written, and how large its result is."""
    meter = _Meter(facts, {}, 1.0)
    result = meter.value(node)
    return meter.peak, result


def broadcasts(node: gast.AST, facts: Facts) -> bool:
    """Is a value larger than all that it is computed from?"""
    match node:
        case gast.BinOp(left=left, right=right) | gast.Compare(left=left, comparators=[right]):
            operands = [left, right]
        case gast.Call() if (row := facts.op(node)).is_elementwise or row.name in ("matmul", "einsum"):
            operands = [*node.args, *(one.value for one in node.keywords)]
        case _:
            return False
    sizes = [bytes_of(one, facts) for one in operands]
    return max(sizes, default=0) > 0 and bytes_of(node, facts) >= _WIDER * max(sizes)


def is_path(node: gast.AST) -> bool:
    """Is it a name, or an attribute of one?"""
    return isinstance(node, gast.Name) or (isinstance(node, gast.Attribute) and is_path(node.value))


@dataclass
class _Tracer:
    sink: gast.expr
    axis: int
    statement: gast.stmt
    facts: Facts
    kept: Collection[gast.AST]
    """Names (where they are given) that stay as they are and are taken in rows."""
    wrong: Refusal | None = None
    rows: int = 0
    sliced: dict[gast.AST, int] = field(default_factory=dict)
    """The expressions of which only rows are computed, and along which axis."""
    taken: list[Taken] = field(default_factory=list)
    followed: dict[gast.Name, int] = field(default_factory=dict)
    """Where a name is given whose assignment moves, and along which axis it is taken."""
    wholes: list[gast.expr] = field(default_factory=list)
    rounded: dict[gast.AST, gast.AST] = field(default_factory=dict)
    """The values that may be rounded otherwise in blocks, and the first operation that does so."""
    operations: int = 1

    def __post_init__(self) -> None:
        self.rows = (shape_of(self.sink, self.facts) or (0,) * (self.axis + 1))[self.axis]

    def fail(self, node: gast.AST, code: Code, reason: str) -> None:
        if self.wrong is None:
            self.wrong = Refusal(node, code, reason)

    def short(self, node: gast.AST, otherwise: str = "it") -> str:
        return self.facts.edit.short(node, otherwise)

    # What is asked of which expression

    def demand(self, node: gast.expr, axis: int) -> None:
        """Of this value only some rows of an axis are needed."""
        if self.wrong is not None:
            return
        shape = shape_of(node, self.facts)
        if shape is None or not 0 <= axis < len(shape) or shape[axis] != self.rows or self.rows < 2:
            return self.fail(node, Code.UNKNOWN_SHAPE, f"of {self.short(node, 'an operand')} the sizes are not known")
        self.sliced[node] = axis
        if is_path(node):
            return self._path(node, axis)
        self.operations += 1
        match node:
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                self._product(node, left, right, axis, False, False)
            case gast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
                self._elementwise(node, [left, right], axis, self.facts.op(node).is_position_free)
            case gast.UnaryOp(op=gast.USub() | gast.Invert(), operand=operand):
                self._elementwise(node, [operand], axis, True)
            case gast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
                self._elementwise(node, [left, right], axis, True)
            case gast.Subscript(value=value, slice=index):
                self._subscript(node, value, index, axis)
            case gast.Call():
                self._call(node, axis)
            case _:
                self.fail(node, Code.FORM, f"{self.short(node, 'an expression')} is not known to be computed row by row")

    def _path(self, node: gast.expr, axis: int) -> None:
        kind = self.facts.kind(node)
        if kind.sort not in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY):
            return self.fail(node, Code.UNKNOWN_VALUE, f"{self.short(node)} is not known to be a tensor")
        given = self._given(node)
        if given is None:
            if isinstance(node, gast.Attribute) and not self.facts.pure(node):
                return self.fail(node, Code.EFFECTS, f"what it takes to read {self.short(node)} is not known")
            self.taken.append(Taken(node, axis))
            return None
        target, value = given
        if self.followed.setdefault(target, axis) != axis:
            return self.fail(node, Code.FORM, f"{self.short(node)} is needed in rows of two kinds")
        if value not in self.sliced:
            self.demand(value, axis)
        if value in self.rounded:
            self.rounded[node] = self.rounded[value]

    def _given(self, node: gast.expr) -> tuple[gast.Name, gast.expr] | None:
        """The assignment of the same block that alone gives a name, and that may move down to the sink."""
        if not isinstance(node, gast.Name):
            return None
        facts = self.facts
        scope = facts.scopes.names[node]
        if not isinstance(scope.node, FUNCTIONS) or scope.lookup(node.id) is not scope or node.id in scope.shared:
            return None
        if node.id in scope.outer or scope.is_read_as_a_whole or any(node.id in inner.uses for inner in scope.below()):
            return None
        reaching = facts.flow.definitions(node)
        if reaching is None or len(reaching) != 1 or reaching[0] in self.kept:
            return None
        match facts.parent(reaching[0]):
            case gast.Assign(targets=[gast.Name() as target], value=value) as assignment if target is reaching[0]:
                block = self._block()
                before = any(one is assignment for one in block[: _place(self.statement, block)])
                return (target, value) if before and facts.pure(value, self._calls_of_numbers(value)) else None
        return None

    def _block(self) -> list[gast.stmt]:
        return block_of(self.statement, self.facts.scopes.parents[self.statement])

    def _whole(self, node: gast.expr) -> None:
        """Every iteration reads all of it."""
        if self.wrong is not None:
            return
        if not self.facts.pure(node, self._calls_of_numbers(node)):
            return self.fail(
                node, Code.MAY_CHANGE, f"{self.short(node, 'an operand')} is needed by every block, and may be another one each time"
            )
        self.wholes.append(node)

    def _calls_of_numbers(self, node: gast.AST) -> list[gast.AST]:
        """Calls such as math.sqrt(n) and float(n), which only compute with numbers."""
        found: list[gast.AST] = []
        for one in (node, *walk_within(node)):
            if isinstance(one, gast.Call) and not one.keywords:
                name = self.facts.called(one) or ""
                numbers = all(self.facts.kind(each).sort is Sort.NUMBER or name == "builtins.len" for each in one.args)
                if numbers and (name.startswith("math.") or name in _NUMBERS):
                    found.append(one)
        return found

    def _elementwise(self, node: gast.expr, operands: Iterable[gast.expr], axis: int, exact: bool) -> None:
        rank = len(shape_of(node, self.facts) or ())
        for one in operands:
            shape = shape_of(one, self.facts)
            if shape is None:
                return self.fail(one, Code.UNKNOWN_SHAPE, f"of {self.short(one, 'an operand')} the sizes are not known")
            place = axis - (rank - len(shape))
            if place >= 0 and shape[place] != 1:
                self.demand(one, place)
            else:
                self._whole(one)
        self._rounds(node, operands, exact)

    def _rounds(self, node: gast.AST, operands: Iterable[gast.AST], exact: bool) -> None:
        """Remember whether a value may be rounded otherwise in blocks, and by which operation."""
        inherited = next((self.rounded[one] for one in operands if one in self.rounded), None)
        floats = any(as_tensor(self.facts.kind(one)).dtype not in _WHOLE for one in operands)
        if inherited is not None or (not exact and floats):
            self.rounded[node] = inherited or node

    def _subscript(self, node: gast.Subscript, value: gast.expr, index: gast.expr, axis: int) -> None:
        place = source_axis(node, axis, self.facts)
        if place is None and index_parts(node, self.facts) is not None and is_path(value) and self.facts.pure(node):
            self.taken.append(Taken(node, axis))
            return None
        if place is None:
            return self.fail(node, Code.FORM, f"{self.short(node, 'a part')} is not known to take whole rows")
        if not self.facts.pure(index, self._calls_of_numbers(index)):
            return self.fail(node, Code.MAY_CHANGE, f"{self.short(node, 'a part')} may be another one each time")
        self.demand(value, place)
        self._rounds(node, [value], True)

    # Functions

    def _call(self, call: gast.Call, axis: int) -> None:
        row = self.facts.op(call)
        if row.name == "builtins.abs" and len(call.args) == 1:
            return self._elementwise(call, call.args, axis, True)
        arguments = self.facts.arguments(call) if row.is_pure and (self.facts.called(call) or "").startswith("tensorflow.") else None
        if arguments is None:
            shown = self.short(call.func, "a function")
            return self.fail(call, Code.UNKNOWN_CALL, f"what {shown} computes is not known to be computed row by row")
        operands = {key: one for key, one in arguments.items() if key not in _SETTINGS}
        if row.is_elementwise:
            if row.name == "where" and len(operands) != 3:
                return self.fail(call, Code.UNKNOWN_SHAPE, "how many places tf.where finds is not known")
            if narrows(call, self.facts):
                reason = f"{self.short(call)} makes of numbers that its integers don't hold what depends on their place"
                return self.fail(call, Code.OVERFLOW, reason)
            self._elementwise(call, list(operands.values()), axis, row.is_position_free)
        else:
            self._along(call, row, operands, arguments, axis)
        # What rows are taken of was looked into; all else is evaluated in every iteration.
        rest = [one for one in arguments.values() if one not in self.sliced]
        if not all(self.facts.pure(one, self._calls_of_numbers(one)) for one in rest):
            self.fail(call, Code.MAY_CHANGE, f"a setting of {self.short(call.func)} may be another one each time")

    def _along(self, call: gast.Call, row: Op, operands: Mapping[str, gast.expr], arguments: Mapping[str, gast.expr], axis: int) -> None:
        """What is computed along some axes."""
        if "x" in operands and set(operands) <= {"x", "axis"}:
            x = operands["x"]
            shape = shape_of(x, self.facts)
            place = None if shape is None else self._place(row, call, operands.get("axis"), len(shape), axis)
            if place is not None:
                self.demand(x, place)
                return self._rounds(call, [x], row.is_position_free or self._adds_exactly(row.name, call, x))
        return self._other_call(call, row.name, operands, arguments, axis)

    def _adds_exactly(self, name: str, call: gast.Call, x: gast.expr) -> bool:
        """Is it a sum along the last axes, which is added up in the same order however many rows there are?"""
        shape = shape_of(x, self.facts) or ()
        over = _axes((self.facts.arguments(call) or {}).get("axis"), len(shape), self.facts, default=None) or ()
        last = sorted(over) == list(range(len(shape) - len(over), len(shape)))
        known = name in ("reduce_sum", "reduce_mean") and self.facts.kind(call).dtype in ("float32", "float64")
        return known and last and math.prod(shape[one] for one in over) <= _LONGEST_EXACT_SUM

    def _place(self, row: Op, call: gast.Call, given: gast.expr | None, rank: int, axis: int) -> int | None:
        """Which axis of its operand an axis of the result is, of a function along some axes."""
        if row.reduces or row.finds_place:
            over = _axes(given, rank, self.facts, default=row.axis)
            keep = (self.facts.arguments(call) or {}).get("keepdims")
            if over is None or (keep is not None and not isinstance(self.facts.kind(keep).value, bool)):
                return None
            kept = keep is not None and self.facts.kind(keep).value is True
            left = [one for one in range(rank) if kept or one not in over]
            return left[axis] if axis < len(left) and left[axis] not in over else None
        if row.mixes:
            over = _axes(given, rank, self.facts, default=row.axis)
            return axis if over is not None and axis not in over else None
        if row.name == "expand_dims" and given is not None:
            new = _axes(given, rank + 1, self.facts, default=None)
            return None if new is None or axis in new else axis - (axis > new[0])
        if row.name == "squeeze" and given is not None:
            gone = _axes(given, rank, self.facts, default=None)
            left = [one for one in range(rank) if gone and one not in gone]
            return left[axis] if axis < len(left) else None
        if row.name == "linalg.matrix_transpose" and rank >= 2:
            return axis if axis < rank - 2 else 2 * rank - 3 - axis
        if row.name == "transpose":
            return rank - 1 - axis
        return None

    def _other_call(
        self, call: gast.Call, name: str, operands: Mapping[str, gast.expr], arguments: Mapping[str, gast.expr], axis: int
    ) -> None:
        match name:
            case "matmul" if {"x", "y"} <= set(arguments) <= {"x", "y", "transpose_a", "transpose_b", "name"}:
                flips = [self._flag(arguments.get(key)) for key in ("transpose_a", "transpose_b")]
                if flips[0] is not None and flips[1] is not None:
                    return self._product(call, arguments["x"], arguments["y"], axis, flips[0], flips[1])
            case "einsum" if not call.keywords and isinstance(call.args[0], gast.Constant):
                return self._einsum(call, str(call.args[0].value).replace(" ", ""), call.args[1:], axis)
            case "transpose" if set(arguments) == {"x", "perm"}:
                order = [one.value for one in self.facts.kind(arguments["perm"]).items or ()]
                place = order[axis] if axis < len(order) else None
                if isinstance(place, int):
                    self.demand(arguments["x"], place)
                    return self._rounds(call, [arguments["x"]], True)
            case "one_hot" if "indices" in arguments and "axis" not in arguments:
                ids = shape_of(arguments["indices"], self.facts)
                if ids is not None and axis < len(ids):
                    self.demand(arguments["indices"], axis)
                    return None
            case "gather" if set(arguments) <= {"x", "indices", "name"}:
                ids = shape_of(arguments["indices"], self.facts)
                if ids is not None and axis < len(ids):
                    self.demand(arguments["indices"], axis)
                    self._whole(arguments["x"])
                    return self._rounds(call, [arguments["indices"], arguments["x"]], True)
            case "stack" | "concat" if isinstance(arguments.get("values"), gast.List | gast.Tuple):
                members = list(arguments["values"].elts)
                rank = len(shape_of(call, self.facts) or ())
                along = _axes(arguments.get("axis"), rank, self.facts, default=0 if name == "stack" else None)
                if along is not None and len(along) == 1 and axis not in along:
                    for one in members:
                        self.demand(one, axis - (name == "stack" and axis > along[0]))
                    return self._rounds(call, members, True)
        shown = self.short(call, self.short(call.func, "a function"))
        return self.fail(call, Code.UNKNOWN_CALL, f"{shown} is not known to be computed row by row")

    def _flag(self, node: gast.expr | None) -> bool | None:
        value = False if node is None else self.facts.kind(node).value
        return value if isinstance(value, bool) else None

    def _product(self, node: gast.expr, a: gast.expr, b: gast.expr, axis: int, flip_a: bool, flip_b: bool) -> None:
        left, right, out = (shape_of(one, self.facts) for one in (a, b, node))
        if left is None or right is None or out is None or len(left) < 2 or len(right) < 2:
            return self.fail(node, Code.UNKNOWN_SHAPE, f"of {self.short(node, 'a product')} the sizes are not known")
        if axis < len(out) - 2:
            self._elementwise_of_batches(node, (a, left), (b, right), axis, len(out))
        elif axis == len(out) - 2:
            self.demand(a, len(left) - (1 if flip_a else 2))
            self._whole(b)
        else:
            self._whole(a)
            self.demand(b, len(right) - (2 if flip_b else 1))
        self._rounds(node, [a, b], False)

    def _elementwise_of_batches(
        self, node: gast.expr, a: tuple[gast.expr, Sizes], b: tuple[gast.expr, Sizes], axis: int, rank: int
    ) -> None:
        for operand, shape in (a, b):
            place = axis - (rank - len(shape))
            if place >= 0 and shape[place] != 1:
                self.demand(operand, place)
            else:
                self._whole(operand)

    def _einsum(self, call: gast.Call, equation: str, operands: Sequence[gast.expr], axis: int) -> None:
        terms, arrow, result = equation.partition("->")
        labels = terms.split(",")
        plain = arrow and len(labels) == len(operands) and axis < len(result) and "." not in equation
        if not plain or any(one.count(result[axis]) > 1 for one in (*labels, result)):
            return self.fail(call, Code.FORM, f"{self.short(call, 'a product')} is not known to be computed row by row")
        for label, operand in zip(labels, operands, strict=True):
            if result[axis] in label:
                self.demand(operand, label.index(result[axis]))
            else:
                self._whole(operand)
        return self._rounds(call, operands, False)

    # What comes of it

    def not_alone(self) -> set[gast.AST]:
        """Of the names that are followed, those whose assignments have to stay where they are after all."""
        if not self.followed:
            return set()
        block = self._block()
        end = _place(self.statement, block)
        largest = self._largest()
        small: set[gast.AST] = {target for target in self.followed if self._largest_below(target) * _MUCH < largest}
        staying: set[gast.AST] = small or {target for target in self.followed if not self._is_private(target, block, end)}
        if staying:
            return staying
        if hidden := self._hidden():
            return {target for target in self.followed if target.id in hidden}
        moving = [self.facts.parent(target) for target in self.followed]
        places = [i for i, one in enumerate(block) if any(one is each for each in moving)]
        names = {target.id for target in self.followed}
        for place in range(places[0], end):
            if place in places:
                continue
            statement = block[place]
            read = {
                one.id
                for before in places
                if before < place
                for one in gast.walk(block[before])
                if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load)
            }
            if not self._may_come_first(statement, read | names):
                return {target for target in self.followed if self.facts.parent(target) is block[places[0]]}
        return set()

    def _hidden(self) -> set[str]:
        """The names of which an iteration reads what they are before, though it gives them too."""
        names = {target.id for target in self.followed}
        replaced = {one.use for one in self.taken}
        found = set()
        for expression in (self.sink, *self._definitions()):
            for one in gast.walk(expression):
                if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load) and one.id in names and one not in replaced:
                    given = self.facts.flow.definitions(one) or []
                    if not all(each in self.followed for each in given) or not given:
                        found.add(one.id)
        return found

    def _definitions(self) -> list[gast.expr]:
        """What the names are given whose assignments move."""
        assignments = [self.facts.parent(target) for target in self.followed]
        return [one.value for one in assignments if isinstance(one, gast.Assign)]

    def _largest(self) -> int:
        return max(bytes_of(one, self.facts) for one in self.sliced)

    def _largest_below(self, target: gast.Name) -> int:
        """The largest of what is computed for a name."""
        assignment = self.facts.parent(target)
        assert isinstance(assignment, gast.Assign)
        found = 0
        for one in gast.walk(assignment.value):
            if isinstance(one, gast.expr) and one in self.sliced:
                given = self._given(one)
                found = max(found, bytes_of(one, self.facts), self._largest_below(given[0]) if given and given[0] in self.followed else 0)
        return found

    def _is_private(self, target: gast.Name, block: Sequence[gast.stmt], end: int) -> bool:
        """Is all that reads a name among what is taken in rows, or about what rows don't change?"""
        users = self.facts.flow.users(target)
        if users is None:
            return False
        for user in users:
            if isinstance(user, gast.Name) and isinstance(user.ctx, gast.Del):
                continue
            if user in self.sliced and self.sliced[user] == self.followed[target]:
                continue
            match self.facts.parent(user), self.facts.parent(self.facts.parent(user) or user):
                case gast.Attribute(attr="dtype"), _ if self._moves_with(user, block, end):
                    pass
                case gast.Attribute(attr="shape"), gast.Subscript(slice=index) if self._moves_with(user, block, end):
                    which, shape = self.facts.kind(index).value, shape_of(target, self.facts) or ()
                    if not isinstance(which, int) or which % max(len(shape), 1) == self.followed[target]:
                        return False
                case _:
                    return False
        deleted = [self.facts.parent(one) for one in self.facts.flow.deletions(target)]
        return all(isinstance(one, gast.Delete) and any(one is each for each in block[:end]) for one in deleted)

    def _moves_with(self, user: gast.AST, block: Sequence[gast.stmt], end: int) -> bool:
        """Does a use stand in a statement that goes into the iteration?"""
        statement = self.facts.scopes.statement(user)
        moving = [self.facts.parent(target) for target in self.followed]
        return statement is self.statement or any(statement is one for one in moving)

    def _may_come_first(self, statement: gast.stmt, read: Collection[str]) -> bool:
        """May a statement between those that move stay, and so come before all of them?"""
        match statement:
            case gast.Delete(targets=targets):
                names = {target.id for target in self.followed}
                return all(isinstance(one, gast.Name) and one.id in names for one in targets)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                return name not in read and self.facts.pure(value, self._calls_of_numbers(value))
        return False

    def found(self) -> Blocks:
        facts = self.facts
        moving = [facts.parent(target) for target in self.followed]
        followed = tuple(one for one in self._block() if isinstance(one, gast.Assign) and any(one is each for each in moving))
        computed = [one for one in self.wholes if is_computed_anew(one, facts)]
        row, base, whole = (self._meter(rows, followed) for rows in (1, 0, self.rows))
        return Blocks(
            self.sink,
            self.axis,
            self.rows,
            tuple(self.taken),
            followed,
            tuple(dict.fromkeys(self.rounded.values())),
            tuple(computed),
            self.operations + len(self.taken),
            round(whole.peak),
            row.total - base.total,
            base.total,
            bytes_of(self.sink, facts),
            sum({facts.source.text_of(one.use): bytes_of(one.use, facts) for one in self.taken}.values()),
            self._largest(),
            self._largest() >= _WIDER * max((bytes_of(one.use, facts) for one in self.taken), default=1),
            lambda rows: self._meter(rows, followed).peak,
        )

    def _meter(self, rows: int, followed: Iterable[gast.Assign]) -> _Meter:
        meter = _Meter(self.facts, self.sliced, rows / self.rows)
        for one in followed:
            meter.held += meter.value(one.value)
        meter.value(self.sink)
        return meter


_WHOLE = frozenset({"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})


@dataclass
class _Meter:
    """What is in memory while expressions are computed, of which some only to a part."""

    facts: Facts
    sliced: Mapping[gast.AST, int]
    part: float
    held: float = 0.0
    """By names that were given."""
    peak: float = 0.0
    total: float = 0.0
    heavy: bool = False
    _pending: float = 0.0

    def value(self, node: gast.expr) -> float:
        """Compute an expression; how many bytes it holds that nothing else does."""
        match node:
            case gast.Constant():
                return 0.0
            case _ if is_path(node):
                copied = node in self.sliced and self.part < 1.0 and self.facts.kind(node).is_tensor and not self._is_given(node)
                own = bytes_of(node, self.facts) * self.part if copied else 0.0
                self._written(own)
                return own
        self.heavy = self.heavy or self.facts.op(node).is_heavy
        before = self._pending
        operands = 0.0
        for child in gast.iter_child_nodes(node):
            for one in child.elts if isinstance(child, gast.List | gast.Tuple) else [child]:
                value = one.value if isinstance(one, gast.keyword) else one
                if isinstance(value, gast.expr) and not isinstance(value, gast.Slice) and self._is_computed(value):
                    owned = self.value(value)
                    operands += owned
                    self._pending += owned
        if _shares_memory(node, self.facts):
            own = operands
        else:
            own = bytes_of(node, self.facts) * (self.part if node in self.sliced else 1.0)
            self._written(own)
        self._pending = before
        return own

    def _is_computed(self, node: gast.AST) -> bool:
        return self.facts.kind(node).sort in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY)

    def _is_given(self, node: gast.AST) -> bool:
        """Is it a name whose assignment has moved too?"""
        reaching = self.facts.flow.definitions(node) if isinstance(node, gast.Name) else None
        given = self.facts.parent(reaching[0]) if reaching else None
        return isinstance(given, gast.Assign) and given.value in self.sliced

    def _written(self, size: float) -> None:
        self.total += size
        self.peak = max(self.peak, self.held + self._pending + size)


def source_axis(node: gast.Subscript, axis: int, facts: Facts) -> int | None:
    """Which axis of `x` an axis of `x[:, None, 0]` is, where all of it is taken."""
    mapped = index_parts(node, facts)
    found = [source for source, result, part in mapped or () if result == axis and source is not None and _is_all(part)]
    return found[0] if found else None


def index_parts(node: gast.Subscript, facts: Facts) -> list[tuple[int | None, int | None, gast.AST | None]] | None:
    """Of each part of an index: the axis that it takes from, the axis that it becomes, and where it is written."""
    shape = shape_of(node.value, facts)
    parts = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
    if shape is None or sum(map(_is_ellipsis, parts)) > 1:
        return None
    used = sum(not _is_ellipsis(one) and not _is_new(one, facts) for one in parts)
    if used > len(shape):
        return None
    rest = len(shape) - used
    if not any(map(_is_ellipsis, parts)):
        parts.append(gast.Constant(value=Ellipsis, kind=None))
    found: list[tuple[int | None, int | None, gast.AST | None]] = []
    source = result = 0
    for part in parts:
        if _is_ellipsis(part):
            found += [(source + i, result + i, None) for i in range(rest)]
            source, result = source + rest, result + rest
        elif _is_new(part, facts):
            found.append((None, result, part))
            result += 1
        elif isinstance(part, gast.Slice):
            found.append((source, result, part))
            source, result = source + 1, result + 1
        elif facts.kind(part).sort is Sort.NUMBER and facts.kind(part).dtype == "int":
            found.append((source, None, part))
            source += 1
        else:
            return None
    return found


def _is_all(part: gast.AST | None) -> bool:
    match part:
        case None:
            return True
        case gast.Slice(lower=None, upper=None, step=None):
            return True
    return False


def _is_ellipsis(part: gast.AST) -> bool:
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def _is_new(part: gast.AST, facts: Facts) -> bool:
    none = isinstance(part, gast.Constant) and part.value is None
    return none or facts.names(part) in ("tensorflow.newaxis", "numpy.newaxis")


def _axes(node: gast.expr | None, rank: int, facts: Facts, default: int | None) -> tuple[int, ...] | None:
    """The axes that an argument names, none negative; all of them where the default is None and none is given."""
    if node is None or facts.kind(node).sort is Sort.NONE:
        return tuple(range(rank)) if default is None else (default % rank,) if rank else None
    kind: Kind = facts.kind(node)
    values = [kind.value] if kind.items is None else [item.value for item in kind.items]
    known = tuple(value % rank for value in values if isinstance(value, int) and not isinstance(value, bool) and -rank <= value < rank)
    return known if len(known) == len(values) else None


def _place(statement: gast.stmt, block: Sequence[gast.stmt]) -> int:
    return next(i for i, one in enumerate(block) if one is statement)


def _shares_memory(node: gast.expr, facts: Facts) -> bool:
    """Is the value in the memory of what it is made of?"""
    match node:
        case gast.Subscript():
            return all(
                _is_all(part) or (part is not None and _is_new(part, facts))
                for _, _, part in index_parts(node, facts) or ((None, None, node),)
            )
        case gast.Attribute():
            return True
        case gast.Call():
            row = facts.op(node)
            before = (facts.arguments(node) or {}).get("x")
            return row.is_view or (row.name == "cast" and before is not None and facts.kind(before).dtype == facts.kind(node).dtype)
    return False
