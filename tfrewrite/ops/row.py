"""What a row of the table of operations says: one operation, what it returns, and what is known of it.

Every word of a row's traits is an attribute of `Op`, described where it is declared. What an operation does to the rounding
error of its operands is a `Step`; where its own result is rounded the same, a `Bits`; what XLA makes of it, an `Xla`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tfrewrite.equalities import Equality
from tfrewrite.ops.call import Call, Rule
from tfrewrite.ops.intervals import Range
from tfrewrite.ops.made import Applied
from tfrewrite.ops.proofs import Proof, square

Interval = Callable[..., Range | None]

ALL = None
"""Along all axes."""


class Bits(enum.IntEnum):
    """Where eager code's result, when the operation stands alone, is the same bits. Measured: `benchmarks/bits.md`.

    Combinations lose bits that each operation alone keeps: `rounding/operations.py`.
    """

    NOWHERE = 0
    IN_GRAPHS = 1
    IN_XLA = 2
    """And in graphs."""
    EVERYWHERE = 3
    """In NumPy too: it moves numbers, gives them another sign or chooses among them."""


IN_GRAPHS, IN_XLA, EVERYWHERE = Bits.IN_GRAPHS, Bits.IN_XLA, Bits.EVERYWHERE


class Effect(enum.Enum):
    """What happens to the rounding error of an operand.

    An error is small beside the value that carries it. A sum of numbers of both signs may cancel: then the value is small and
    the error isn't, and a root, a logarithm or a quotient of it is another number.
    """

    NONE = "the result doesn't depend on the operand's last bits"
    KEPT = "moved, or given a sign"
    SUM = "a sum, which may cancel"
    BOUNDED = "no larger than before"
    PRODUCT = "multiplied"
    EXPONENTIAL = "the error of an exponent: the result is positive, and further off"
    ROOT = "a root or logarithm, which needs an operand that isn't cancelled"
    ROOT_OF_SUM = "a sum, and a root of it"
    EDGE = "not a number just beyond the end of its domain"
    DECISION = "another number for another last bit"
    UNKNOWN = "not known"


@dataclass(frozen=True)
class Step:
    """How the error of one value arrives in another one."""

    effect: Effect
    grows: bool
    """May it be larger there, relative to what it was? Then it has no bound in a recurrence."""


SETTLED = Step(Effect.NONE, False)
MOVED = Step(Effect.KEPT, False)
ADDED = Step(Effect.SUM, False)
SUMMED = Step(Effect.SUM, True)
BOUNDED = Step(Effect.BOUNDED, False)
STEEP = Step(Effect.BOUNDED, True)  # steeper than 1 somewhere
EXPONENT = Step(Effect.EXPONENTIAL, True)
LOGISTIC = Step(Effect.EXPONENTIAL, False)
MULTIPLIED = Step(Effect.PRODUCT, True)
ROOTED = Step(Effect.ROOT, True)
SUM_ROOTED = Step(Effect.ROOT_OF_SUM, True)
EDGED = Step(Effect.EDGE, True)
DECIDED = Step(Effect.DECISION, True)
NOT_KNOWN = Step(Effect.UNKNOWN, True)


@dataclass(frozen=True)
class Xla:
    """What XLA makes of an operation beside rounding: half sentences, in which `{}` is the operation, for some dtypes or for all.

    Measured: `tests/test_compiling.py` finds every difference that stands here, and no other.
    """

    compiles: bool = True
    always: str = ""
    of_nan: str = ""
    """Of numbers that aren't finite."""
    of_integers: str = ""
    of_floats: str = ""
    of_float64: str = ""
    of_bytes: bool = True
    """False: not of int8 and uint8."""
    of_complex: bool = False
    """Complex arithmetic rounds, overflows and branches otherwise under XLA; what only moves or adds numbers doesn't."""


PLAIN = Xla()
_DECIDING_SHAPES = frozenset({
    "shape", "rows", "columns", "batch", "start", "limit", "delta", "depth", "axis", "axes", "perm", "multiples", "repeats", "sizes",
    "k", "num", "paddings", "begin", "size", "num_segments", "maxlen", "batch_dims",
})  # fmt: skip
"""Parameters that decide about shapes. A number or the shape of a tensor is known when XLA compiles; a tensor that is computed, such
as the index of a loop, isn't; for one that is handed in, each value is compiled anew. Where `tf.slice` begins is one of them too: of
one that it doesn't know, XLA takes the nearest that exists."""


class Op:
    """One operation. `name` is canonical, less the leading `tensorflow.`; NumPy's and Python's names are whole.

    `parameters` are the names that the rest of the program knows its parameters by, in TensorFlow's order; one that TensorFlow
    calls otherwise is written `ours=theirs`. `returns` is None where only its traits are known, and not what it returns.
    """

    # What it computes

    is_elementwise: bool = False
    """Each element of the result comes from those at the same place of the operands, which broadcast."""
    reduces: bool = False
    """It makes one number of all those along some axes."""
    finds_place: bool = False
    """It gives the place of an extreme along an axis."""
    mixes: bool = False
    """Each element of the result comes from those along an axis of the operand, which keeps its shape."""
    contracts: bool = False
    """It multiplies matrices, or convolves."""
    transposes: bool = False
    joins: bool = False
    """It copies the members of a list into one tensor. (A single member is returned as it is.)"""
    splits: bool = False
    looks_up: bool = False
    """It copies the rows of a table that ids stand for."""
    is_view: bool = False
    """It gives the buffer of its argument, whole, under another shape."""
    is_part: bool = False
    """It may give a part of its argument's buffer, or all of it as other numbers."""
    hands_on: bool = False
    """It gives its argument as it is, where that has the dtype already."""
    creates: bool = False
    """It makes a tensor of sizes and numbers."""
    is_loader: bool = False
    """It reads an array from a file."""
    is_read_only: bool = False
    """Of Python or NumPy: it computes with an array, and neither changes nor keeps it."""
    is_ufunc: bool = False
    """Of a function of NumPy: behind its operands comes the array for its result."""
    makes_many: bool = False
    """It makes many elements of few, or of a number."""
    is_uniform: bool = False
    """A constant of a graph, all of whose elements may be the same."""
    may_share: bool = False
    """It may return its argument's own buffer, or no tensor at all. Of NumPy's: its first argument's."""
    is_no_tensor: bool = False
    """It gives several tensors, or something else."""
    is_operator: bool = False
    """Programs write it as an operator or a method: `x[i]`, `~x`. What it returns doesn't stand in the table."""
    prints: bool = False
    writes_text: bool = False
    """It makes a text of a number."""
    is_effect: bool = False
    """It prints, shows, writes or waits, and does nothing to the values that it is given."""
    is_outside: bool = False
    """It is known what it returns, and nothing of what graphs and compilers make of it."""
    is_fresh: bool = False
    """It makes an array with memory of its own that nobody else holds."""
    changes: bool = False
    """It changes the array or object that it is called on, or its first argument."""
    keeps_elements: bool = False
    """Of a method of datasets: it gives elements that it is given, as they are."""
    keeps_order: bool = False
    """What comes of an element comes before what comes of the next."""
    is_one_to_one: bool = False
    """It gives one element for each."""
    holds_elements: bool = False
    """It keeps several elements in memory."""
    is_layer: bool = False
    """A class of layers of Keras."""
    has_weights: bool = False
    minds_training: bool = False
    """Its objects do something else in training: only then they draw random numbers, or change their state."""
    is_by_row: bool = False
    """Outside of training, its objects treat each row of a batch as if it were alone, for most of their settings."""
    is_control: bool = False
    """It does what it does when the graph runs, or calls what it is given while that is traced."""
    is_stateful: bool = False
    is_random: bool = False
    is_heavy: bool = False
    """It costs much more than its result is large."""
    is_monotonic: bool = False
    """A graph takes the extreme before it: max(tanh(x)) becomes tanh(max(x))."""
    takes_extreme: bool = False
    is_activation: bool = False
    compares: bool = False
    is_along_axes: bool = False
    """Its axis is one of the operand's, and chooses which elements meet."""

    # What it is sensitive to

    may_raise: bool = False
    """For some values of its operands; what raises and is never read is dropped by a graph."""
    is_indexed: bool = False
    """Eager code raises for an index that doesn't exist, XLA takes the nearest one or makes something up."""
    is_checked: bool = False
    """The same for a divisor of integers that is zero, and an exponent that is negative or large."""
    wants_tensor_first: bool = False
    """A Python number in front of a tensor gets its own dtype in a graph, and then doesn't fit: tf.maximum(0, x) of a float x.

    The operators turn it into the tensor's: 2 * x is the same everywhere."""
    takes_numbers: bool = False
    """A Python number among its operands may be a tensor of the other's dtype."""
    wants_floats: bool = False
    """It raises for integers."""
    takes_matrices: bool = False
    """The last two axes of its first operand are those of matrices."""
    takes_squares: bool = False
    """Of square ones."""
    fits_all: bool = False
    """It works with one tensor of whatever sizes."""
    takes_two: bool = False
    """Of a function of NumPy: it computes with two arrays, and a third would be for its result."""
    converts_second: bool = False
    """Of its two operands it makes a tensor of the second, of the first one's dtype."""
    dtype_follows: bool = False
    """Behind the value comes its dtype."""
    is_method: bool = False
    """Of a function of NumPy: arrays have a method of that name, which does the same."""
    takes_sizes: bool = False
    needs_known_sizes: bool = False
    """How many tensors or axes it gives depends on sizes that have to be known when a graph is made."""

    # What compilers make of it

    makes_node: bool = False
    """It puts an operation of its own into a graph, whatever it is given: `tf.cast`, `tf.stack`, `tf.add_n` may hand a tensor through."""
    is_fused: bool = False
    """XLA joins it with others into one loop."""
    sets_up_products: bool = False
    """Its first call reserves what matrix products share. (Batched ones, matrices times vectors and tf.einsum have other kernels.)"""
    is_held_by_xla: bool = False
    """XLA keeps its result in memory."""
    folds: bool = False
    """A graph's optimiser looks through it when it sorts the parts of a sum."""
    undoes: bool = False
    """Compilers take it together with what `is_undone`, without the infinity in between: log(exp(1000.0)) is 1000."""
    is_undone: bool = False

    # What it does to numbers

    adds: bool = False
    totals: bool = False
    """It adds up the elements of a tensor, and doesn't divide by their number."""
    takes_product: bool = False
    """It multiplies the elements of a tensor with each other."""
    subtracts: bool = False
    squares: bool = False
    multiplies: bool = False
    divides: bool = False
    scales: bool = False
    """It multiplies or divides its operands by each other, element by element or in sums."""
    inverts: bool = False
    """It gives the inverse of a matrix."""
    takes_logarithm: bool = False
    takes_power: bool = False
    is_exponential: bool = False
    takes_root: bool = False
    is_partial: bool = False
    """It isn't defined for all numbers."""
    signs_zero: bool = False
    """A zero of its may have another sign under XLA."""
    shows_sign: bool = False
    """It makes a number of 0.0 and another one of -0.0. (Roots and quotients by them do so too: `error`.)"""
    is_position_free: bool = False
    """An element is computed to the same bits wherever it stands in its tensor: in a part of it as in the whole.

    Vector units compute tf.exp of the last few elements otherwise than of the others, and sums are added up by whole registers."""
    is_never_negative: bool = False
    keeps_sign: bool = False
    """The result isn't negative where none of its operands is."""

    def __init__(
        self,
        name: str,
        parameters: str = "",
        returns: Rule | None = None,
        traits: str = "",
        *,
        bits: Bits = Bits.NOWHERE,
        error: Step = NOT_KNOWN,
        axis: int | None = ALL,
        xla: Xla = PLAIN,
        slow_in_xla: str = "",
        numpy: str = "",
        like: str = "",
        interval: Interval | None = None,
        itself_unless: tuple[str, ...] = (),
        applied: Applied | None = None,
        proves: Proof | None = None,
    ) -> None:
        self.name = name
        self._parameters = parameters
        self.returns = returns
        self.bits = bits
        self.error = error
        self.axis = axis
        """The axis along which it reduces or mixes, where no other is given."""
        self.xla = xla
        self.slow_in_xla = slow_in_xla
        """What a million elements take eagerly and under XLA, where that takes longer."""
        self.numpy = numpy
        """NumPy's function that does the same."""
        self.like = like
        """Of a function of NumPy: TensorFlow's that gives the same under another name, up to rounding and dtypes."""
        self.interval = interval
        """Between which numbers its elements lie, given between which those of its operands do."""
        self.itself_unless = itself_unless
        """It returns its argument itself unless that has such a dtype: real numbers are conjugated, and integers round."""
        self.applied = applied
        """Of a class: what its objects give when they are called."""
        self._proves = proves
        self.traits = tuple(traits.split())
        vars(self).update(dict.fromkeys(self.traits, True))

    def __repr__(self) -> str:
        return f"Op({self.name!r})"

    @property
    def proves_sizes(self) -> bool:
        """Does it raise unless some sizes of its operands are the same?"""
        return self._proves is not None or self.takes_squares

    def equalities(self, call: Call) -> Iterable[Equality]:
        """The sizes that are the same, as the call hasn't raised."""
        if self._proves is not None:
            return self._proves(call)
        return square(call) if self.takes_squares else ()

    def takes_over(self, namesake: Op) -> None:
        """It does to numbers what another operation does."""
        self.bits, self.error = namesake.bits, namesake.error
        vars(self).update(dict.fromkeys(namesake.traits, True))

    @property
    def is_known(self) -> bool:
        """Is it an operation of which it is known what it returns?"""
        return self.returns is not None and not self.is_outside

    @property
    def is_pure(self) -> bool:
        """Is it known, and only a value: no state, nothing random?"""
        return self.is_known and not self.is_random and not self.is_stateful

    @property
    def is_measured(self) -> bool:
        """Is it known what a graph and XLA make of it? `tests/test_compiling.py` measures all of these."""
        return (self.is_pure or (self.is_operator and not self.adds)) and not self.name.startswith(("numpy.", "data."))

    @property
    def known_to_xla(self) -> frozenset[str]:
        """The parameters that XLA has to know when it compiles."""
        return _DECIDING_SHAPES.intersection(self.parameters)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(one.partition("=")[0] for one in self._parameters.split())

    @cached_property
    def _keywords(self) -> Mapping[str, str]:
        return {theirs: ours for ours, _, theirs in (one.partition("=") for one in self._parameters.split()) if theirs}

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """TensorFlow's names of its parameters."""
        return tuple(one.rpartition("=")[2] for one in self._parameters.split())

    def parameter(self, keyword: str) -> str:
        """What the parameter is called here that a call names so."""
        return self._keywords.get(keyword, keyword)


UNKNOWN_OP = Op("")
