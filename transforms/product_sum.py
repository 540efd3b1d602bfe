"""Multiply matrices instead of building a broadcast product that is summed over an axis.

Before:  tf.reduce_sum(transitions * values[None, None, :], axis=-1)
After:   tf.linalg.matvec(transitions, values)

Also:    `tf.reduce_sum(a[:, :, None] * b[None, :, :], axis=1)` becomes `tf.matmul(a, b)`, with `transpose_a` or
         `transpose_b` as needed. Axes that both have are a batch: `tf.linalg.matvec(d, s, transpose_a=True)` for
         `s[:, :, None] * d` over axis 1. The rest is `tf.tensordot(weights, x, axes=1)`, if no factor is transposed for it.

Why:     The product has all axes of both factors, the sum has one less, and nothing else reads the product. For
         `[1000, 1000]` and `[1000]` the peak falls from 4.1 to 0.02 MB, in a graph and under XLA too, in 0.15 to 0.43 of the
         time; for `[6, 300, 300]` and `[300]` from 2.3 to 0.02. For `[100, 100]` and `[100, 100]` it is 4.3 and 0.2 MB in a
         twentieth of the time, and under a tape, whose gradients are products too, 12.1 and 0.3. The first `tf.matmul` of a
         process reserves 8 to 9 MB once: if the file has no other, the product has to be larger than that.
Safety:  - **Operands.** Refused unless both are tensors or variables of `tf.float32` or `tf.float64`: other dtypes are
           summed otherwise, and a NumPy array is converted by `*` and not by `matvec`.
         - **Rounding.** Terms are added in another order and not rounded one by one; on GPUs with TensorFloat-32 products
           of `tf.float32` are less exact.
         - **Overflow.** If one term overflows (`6e18 * 1e20`) and another cancels it, the sum may be `inf` or a number
           where it was NaN.
         - **Sums that cancel.** `n_i + n_j - 2 * sum` is 0 for `i == j`, and was -1e-6 after. Refused if `tf.sqrt`,
           `tf.math.log`, a comparison, `tf.argmax`, `tf.floor` or a cast to integers follows.
         - **Sizes.** Refused unless all are known: `[1, 600]` against `[300, 600]`, summed over axis 0, is 300 times the
           matrix product. Over an axis of size 1 the peak rises.
         - **Small products.** Refused below 131,072 elements: `[256, 256]` takes 1.5 times as long eagerly. In a batch,
           each product needs 64 elements: `[3, 3]` matrices take 1.9 times as long.
         - **XLA.** Refused where XLA compiles the code, or may come to, for sums of 32 products or fewer, which gain
           nothing, and for batches of small matrices: `[4, 4]` takes 17 times as long.
         - **Order of evaluation.** Factors may change places: refused if both draw random numbers, as in
           `v[:, None] * tf.random.normal([600, 600])`, or a variable is read later.
         - **Other forms.** Not rewritten: `keepdims=True`, `name=`, several axes, a `tf.tensordot` that would transpose.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import gast

from tfrewrite.codes import Code
from tfrewrite.edits import ATOM
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS
from tfrewrite.kinds import ITEM_BYTES, Dim, Kind
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, not_imported, transform

_DTYPES = {"float32", "float64"}
_SMALLEST = 2**17  # elements of the product
_LEAST_PER_BATCH = 64  # of them for each matrix of a batch: below, starting a product takes longer than the product
_FUSED = 32  # XLA keeps no product whose sums are of so many terms or fewer
_LEAST_COLUMNS = 8  # of a transposed matrix that XLA multiplies as fast as it adds up
_SHAPES = "Give their shapes and dtype, for instance by tf.ensure_shape or an input_signature."
_NEW_AXES = ("tensorflow.newaxis", "numpy.newaxis")
_LOOPS = (gast.For, gast.AsyncFor, gast.While, *COMPREHENSIONS)

_Axes = tuple[int, ...]


@dataclass(frozen=True)
class _Factor:
    """One side of a product, without the axes of size 1 that it was given only to be broadcast along them."""

    node: gast.AST
    kind: Kind
    axes: _Axes
    """Which of the product's axes those that are left are."""
    index: tuple[gast.AST, ...] = ()
    """What is left of a subscript that takes a part besides, as in `x[t, :, None]`; empty where all of the node is left."""

    def parts(self) -> list[str | tuple[gast.AST, int]]:
        """As an argument."""
        if not isinstance(self.node, gast.Subscript) or not self.index:
            return [(self.node, 1)]
        first, *others = self.index
        rest: list[str | tuple[gast.AST, int]] = [part for one in others for part in (", ", (one, 1))]
        return [(self.node.value, ATOM), "[", (first, 1), *rest, "]"]


@dataclass(frozen=True)
class _Spelling:
    """A product of matrices: the function, its operands in order, and what is said after them."""

    function: str
    operands: tuple[_Factor, _Factor]
    options: str
    batch: _Axes = ()
    """The axes along which there are several products of matrices."""
    result: _Axes | None = None
    """Which of the product's axes those of the result are; None where the operands don't go together so."""


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("reduce_sum",))
def product_sum(total: gast.Call, facts: Facts) -> Outcome:
    if facts.called(total) != "tensorflow.reduce_sum":
        return None
    arguments = facts.arguments(total) or {}
    operands = _operands(facts.behind(arguments["x"]), facts) if {"x", "axis"} <= set(arguments) else None
    if operands is None:
        return None
    shape = facts.kind(facts.behind(arguments["x"])).shape
    if not isinstance(shape, tuple):
        widened = any(_is_widened(one, facts) for one in operands)
        return Refusal(total, Code.UNKNOWN_SHAPE, "the shapes of its factors are not known", _SHAPES) if widened else None
    axis = _single(arguments["axis"], len(shape), facts)
    a, b = (_factor(one, len(shape), facts) for one in operands)
    if axis is None or axis not in a.axes or axis not in b.axes or a.axes == b.axes:
        return None
    if refusal := _problem(total, arguments, a, b, axis, facts):
        return refusal
    spelling = _chosen(a, b, axis, [one for one in shape if isinstance(one, int)], total, facts)
    if isinstance(spelling, Refusal):
        return spelling
    if refusal := _disorder(total, spelling, a, operands, facts):
        return refusal
    return _rewritten(total, arguments["x"], spelling, shape, facts)


def _rewritten(total: gast.Call, product: gast.AST, spelling: _Spelling, shape: Sequence[Dim], facts: Facts) -> Refusal | Rewrite:
    tensorflow, removal = facts.tensorflow(total), facts.removal(product)
    if tensorflow is None:
        return not_imported(total, f"so tf.{spelling.function} can't be called")
    if removal is None:
        return facts.obstacle(total, product)
    first, second = spelling.operands
    gone = facts.orphans(_dropped(total, product, (first.node, second.node), facts))
    dead = [edit for assignment in gone for edit in facts.edit.delete_statement(assignment) or ()]
    call = [f"{tensorflow}.{spelling.function}(", *first.parts(), ", ", *second.parts(), f"{spelling.options})"]
    edits = facts.edit.rebuild(total, call)
    reason = f"the {' x '.join(map(str, shape))} product is summed as it is computed, and not built"
    region = (*gone, *facts.moved(product), total) if gone else facts.moved(product)
    whole = math.prod(one for one in shape if isinstance(one, int)) * ITEM_BYTES[facts.kind(total).dtype or "float32"]
    # XLA and graphs hold the product of a large sum too, and the first matrix product of a process has its own needs.
    plain = not spelling.batch and spelling.function != "linalg.matvec"
    worth = Worth(Setup.PRODUCT if plain else Setup.NOTHING, whole)
    return Rewrite(total, (*edits, *removal, *dead), reason, region=region, worth=worth)


def _dropped(total: gast.Call, product: gast.AST, kept: Sequence[gast.AST], facts: Facts) -> list[gast.AST]:
    """The names that stood for an axis or a shape, which nothing says any more."""
    stay = {one for node in kept for one in gast.walk(node)} | {product}
    around = (*gast.walk(total), *gast.walk(facts.behind(product)))
    return [one for one in around if isinstance(one, gast.Name) and one not in stay]


def _disorder(total: gast.Call, spelling: _Spelling, a: _Factor, operands: tuple[gast.AST, gast.AST], facts: Facts) -> Refusal | None:
    """Why effects of the factors would come in another order, and what would settle it."""
    if all(facts.pure(one) for one in operands):
        return None
    if spelling.operands[0] is not a:
        return Refusal(total, Code.EFFECTS, "its factors would change places, and one may have effects", "Give them names first.")
    variable = next((one.node for one in spelling.operands if one.kind.sort is not Sort.TENSOR), None)
    if variable is None:
        return None
    shown = facts.edit.short(variable, "a factor")
    return Refusal(
        total,
        Code.EFFECTS,
        f"{shown} is a variable that would be read later, and the other factor may change it",
        "Read it before, by tf.convert_to_tensor.",
    )


def _operands(product: gast.AST, facts: Facts) -> tuple[gast.AST, gast.AST] | None:
    match product:
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return left, right
        case gast.Call() if facts.called(product) == "tensorflow.multiply":
            arguments = facts.arguments(product) or {}
            if set(arguments) == {"x", "y"} and facts.source.span(arguments["x"]).start < facts.source.span(arguments["y"]).start:
                return arguments["x"], arguments["y"]
    return None


def _single(axis: gast.AST, rank: int, facts: Facts) -> int | None:
    """The one axis that is summed over, not negative."""
    kind = facts.kind(axis)
    values = [one.value for one in ((kind,) if kind.items is None else kind.items)]
    match values:
        case [int() as value] if not isinstance(value, bool) and -rank <= value < rank and facts.pure(axis):
            return value % rank
    return None


def _factor(operand: gast.AST, rank: int, facts: Facts) -> _Factor:
    """An operand of a product of so many axes, where it can be taken without some of its own."""
    kind = facts.kind(operand)
    return _narrowed(_Factor(operand, kind, tuple(range(rank - (kind.rank or 0), rank))), facts)


def _narrowed(factor: _Factor, facts: Facts) -> _Factor:
    match factor.node:
        case gast.Subscript(value=value, slice=index):
            parts = index.elts if isinstance(index, gast.Tuple) else [index]
            own = _indexed(parts, len(factor.axes), facts)
            if not all(_is_new(one, facts) or _is_all(one) or _is_dots(one) for one in parts):
                return _without(factor, own, factor.node, tuple(one for one in parts if not _is_new(one, facts)), facts)
            return _without(factor, own, value, (), facts)
        case gast.Call() as call if (widened := _widened(call, facts)) is not None:
            return _without(factor, *widened, (), facts)
    return factor


def _without(factor: _Factor, own: Sequence[bool], inner: gast.AST, index: tuple[gast.AST, ...], facts: Facts) -> _Factor:
    """The factor without the axes that it has been given."""
    if len(own) != len(factor.axes) or all(own) or not isinstance(factor.kind.shape, tuple):
        return factor
    axes = tuple(itertools.compress(factor.axes, own))
    if index:
        return _Factor(inner, replace(factor.kind, shape=tuple(itertools.compress(factor.kind.shape, own))), axes, index)
    kind = facts.kind(inner)
    return _narrowed(_Factor(inner, kind, axes), facts) if kind.rank == len(axes) else factor


def _widened(call: gast.Call, facts: Facts) -> tuple[list[bool], gast.AST] | None:
    """Which axes of the result its argument has, where the call only gives it others of size 1."""
    arguments, shape = facts.arguments(call) or {}, facts.kind(call).shape
    if not isinstance(shape, tuple):
        return None
    match facts.called(call):
        case "tensorflow.expand_dims" if set(arguments) == {"x", "axis"}:
            place = _single(arguments["axis"], len(shape), facts)
            return None if place is None else ([axis != place for axis in range(len(shape))], arguments["x"])
        case "tensorflow.reshape" if set(arguments) == {"x", "shape"} and facts.pure(arguments["shape"]):
            own = [dim != 1 for dim in shape]
            return (own, arguments["x"]) if facts.kind(arguments["x"]).shape == tuple(itertools.compress(shape, own)) else None
    return None


def _indexed(parts: Sequence[gast.AST], rank: int, facts: Facts) -> list[bool]:
    """Which of so many axes of `x[t, :, None]` are those of x; none where that isn't clear."""
    dots = next((place for place, part in enumerate(parts) if _is_dots(part)), len(parts))
    before, after = ([one for one in some if not _is_scalar(one, facts)] for some in (parts[:dots], parts[dots + 1 :]))
    if not all(_is_new(one, facts) or isinstance(one, gast.Slice) for one in (*before, *after)):
        return []
    rest = rank - len(before) - len(after)
    return [*(not _is_new(one, facts) for one in before), *(True for _ in range(rest)), *(not _is_new(one, facts) for one in after)]


def _is_scalar(part: gast.AST, facts: Facts) -> bool:
    """Does a part of an index take one place of an axis, which is gone then?"""
    kind = facts.kind(part)
    return kind.sort is Sort.NUMBER or (kind.is_tensor and kind.shape == ())


def _is_widened(operand: gast.AST, facts: Facts) -> bool:
    """Is an operand given an axis where it is multiplied, as one that is broadcast mostly is?"""
    if isinstance(operand, gast.Subscript):
        index = operand.slice
        return any(_is_new(one, facts) for one in (index.elts if isinstance(index, gast.Tuple) else [index]))
    return facts.called(operand) == "tensorflow.expand_dims"


def _is_new(part: gast.AST, facts: Facts) -> bool:
    return (isinstance(part, gast.Constant) and part.value is None) or facts.names(part) in _NEW_AXES


def _is_dots(part: gast.AST) -> bool:
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def _is_all(part: gast.AST) -> bool:
    return isinstance(part, gast.Slice) and part.lower is None and part.upper is None and part.step is None


def _problem(total: gast.Call, arguments: dict[str, gast.expr], a: _Factor, b: _Factor, axis: int, facts: Facts) -> Refusal | None:
    """Why a product of matrices could give something else, or gains nothing, and what would settle it."""
    if set(arguments) != {"x", "axis"} and not _is_plain(arguments):
        return Refusal(total, Code.FORM, "only a sum without keepdims and a name is a product of matrices")
    for factor in (a, b):
        if not factor.kind.is_tensor:
            return Refusal(
                total,
                Code.UNKNOWN_VALUE,
                f"{facts.edit.short(factor.node)} is not known to be a tensor",
                "Convert it before, by tf.convert_to_tensor.",
            )
    dtypes = {a.kind.dtype, b.kind.dtype}
    if len(dtypes) > 1 or None in dtypes:
        return Refusal(total, Code.UNKNOWN_DTYPE, "its factors are not known to have one dtype", _SHAPES)
    if not dtypes <= _DTYPES:
        return Refusal(
            total, Code.OTHER_DTYPE, f"its factors have {a.kind.dtype}, and only float32 and float64 are added up alike as matrices"
        )
    first, second = _sizes(a), _sizes(b)
    if first is None or second is None:
        return Refusal(
            total, Code.UNKNOWN_SHAPE, "the sizes are not known as numbers, and for small or narrow operands nothing is gained", _SHAPES
        )
    if any(first[one] != second[one] for one in first.keys() & second.keys()):
        return Refusal(total, Code.FORM, "one factor is repeated along an axis of its own, which a product of matrices doesn't do")
    size = math.prod((first | second).values())
    if size < _SMALLEST:
        return Refusal(total, Code.TOO_SMALL, f"the product of {size:,} elements is too small to matter")
    if first[axis] == 1:
        return Refusal(total, Code.NO_GAIN, "nothing is added up along an axis of size 1, and the product is the result")
    return None


def _is_plain(arguments: dict[str, gast.expr]) -> bool:
    keepdims = arguments.get("keepdims")
    return set(arguments) == {"x", "axis", "keepdims"} and isinstance(keepdims, gast.Constant) and keepdims.value is False


def _sizes(factor: _Factor) -> dict[int, int] | None:
    """How long a factor is along each of the product's axes that it has."""
    if not isinstance(factor.kind.shape, tuple):
        return None
    found = {axis: dim for axis, dim in zip(factor.axes, factor.kind.shape, strict=True) if isinstance(dim, int)}
    return found if len(found) == len(factor.axes) else None


def _chosen(a: _Factor, b: _Factor, axis: int, sizes: Sequence[int], total: gast.Call, facts: Facts) -> _Spelling | Refusal:
    """The plainest product of matrices that gives the sum and takes less, or why there is none."""
    rest = tuple(one for one in range(len(sizes)) if one != axis)
    fitting = [one for one in _spellings(a, b, axis) if one.result == rest]
    if not fitting:
        return Refusal(
            total, Code.NO_GAIN, "no product of matrices has its axes in this order, without a copy of a factor that is transposed"
        )
    spelling = next((one for one in fitting if _per_batch(one, sizes) >= _LEAST_PER_BATCH), None)
    if spelling is None:
        each = _per_batch(fitting[0], sizes)
        return Refusal(total, Code.TOO_SMALL, f"each product of the batch is of {each} elements, and takes longer to start than to add up")
    return _gainless(spelling, sizes, axis, total, facts) or spelling


def _per_batch(spelling: _Spelling, sizes: Sequence[int]) -> int:
    """How many elements of the product one of several matrix products stands for."""
    return math.prod(sizes) // math.prod(sizes[axis] for axis in spelling.batch)


def _gainless(spelling: _Spelling, sizes: Sequence[int], axis: int, total: gast.Call, facts: Facts) -> Refusal | None:
    """Why nothing is gained where XLA compiles the code, or may come to do so; None where that isn't so."""
    places = _places(total, facts)
    compiled = any(map(facts.contexts.compiled_by_xla, places))
    if compiled and sizes[axis] <= _FUSED:
        return Refusal(total, Code.XLA, f"XLA adds up {sizes[axis]} products as it computes them, and nothing is gained")
    if not compiled and (facts.mode(total) is Mode.GRAPH or not any(_in_a_loop(one, facts) for one in places)):
        return None
    xla = "XLA" if compiled else "XLA, which may compile the loop around it,"
    left = spelling.operands[0]
    if spelling.function == "matmul" and spelling.batch and sizes[axis] <= _FUSED:
        return Refusal(
            total,
            Code.XLA,
            f"{xla} takes longer for many products of small matrices than to add up {sizes[axis]} products as it computes them",
        )
    columns = sizes[spelling.result[-1]] if spelling.result else 0
    if spelling.function == "linalg.matvec" and spelling.options and columns < _LEAST_COLUMNS:
        return Refusal(total, Code.XLA, f"{xla} takes up to three times as long for a transposed matrix of {columns} columns")
    if spelling.function == "tensordot" and len(left.axes) == 1:
        return Refusal(total, Code.XLA, f"{xla} takes up to twice as long for tf.tensordot of a vector")
    return None


def _places(node: gast.AST, facts: Facts) -> list[gast.AST]:
    """Where it stands, and where the functions that it stands in are called, those that call them, and so on."""
    places, seen = [node], set[gast.AST]()
    for place in places:
        for one in facts.scopes.ancestors(place):
            if isinstance(one, FUNCTIONS) and one not in seen:
                seen.add(one)
                places += [reference.node for reference in facts.callers.references(one)]
    return places


def _in_a_loop(node: gast.AST, facts: Facts) -> bool:
    return any(isinstance(one, _LOOPS) or facts.called(one) == "tensorflow.while_loop" for one in facts.scopes.ancestors(node))


def _spellings(a: _Factor, b: _Factor, summed: int) -> Iterator[_Spelling]:
    """What the two may be multiplied by, the plainest first."""
    for multiplied in (_matmul, _matvec, _tensordot):
        yield multiplied(a, b, summed)
        yield multiplied(b, a, summed)


def _matvec(matrix: _Factor, vector: _Factor, summed: int) -> _Spelling:
    """Each vector of the last axis with a matrix of the last two."""
    *batch, row, column = matrix.axes if len(matrix.axes) > 1 else (-1, -1)
    turned = row == summed
    batches = _batches(batch, vector.axes[:-1])
    fits = summed in (row, column) and vector.axes[-1] == summed and batches is not None and len(vector.axes) < len(matrix.axes)
    result = (*(batches or ()), column if turned else row) if fits else None
    return _Spelling("linalg.matvec", (matrix, vector), ", transpose_a=True" if turned else "", batches or (), result)


def _matmul(left: _Factor, right: _Factor, summed: int) -> _Spelling:
    """Matrices of the last two axes."""
    *batch, row, inner = left.axes if len(left.axes) > 1 else (-1, -1)
    *others, below, column = right.axes if len(right.axes) > 1 else (-1, -1)
    left_turned, right_turned = row == summed, column == summed
    batches = _batches(batch, others)
    fits = summed in (row, inner) and summed in (below, column) and batches is not None
    result = (*(batches or ()), inner if left_turned else row, below if right_turned else column) if fits else None
    options = (", transpose_a=True" if left_turned else "") + (", transpose_b=True" if right_turned else "")
    return _Spelling("matmul", (left, right), options, batches or (), result)


def _tensordot(left: _Factor, right: _Factor, summed: int) -> _Spelling:
    """All that comes before the left one's last axis with all that comes after the right one's first, which are reshaped to matrices."""
    fits = left.axes[-1] == right.axes[0] == summed
    return _Spelling("tensordot", (left, right), ", axes=1", (), (*left.axes[:-1], *right.axes[1:]) if fits else None)


def _batches(left: Sequence[int], right: Sequence[int]) -> _Axes | None:
    """The axes of a result before its last two, or last one: they are broadcast, and have to be the same where both have them."""
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    common = longer[len(longer) - len(shorter) :]
    return tuple(longer) if list(common) == list(shorter) else None
