"""Evaluates a TensorFlow program in float64 while it runs, and finds out how much it amplifies rounding.

With functions run eagerly, every operation passes through one of two functions of TensorFlow's. While a `Shadow` is
entered, they run the operation as the program asked for it, and then once more on the *tracks* of its inputs: a twin in
float64 (complex128), and a few noisy twins that carry after each operation a rounding error of the program's own dtype,
drawn at random. The program sees its own results only, so its dtypes and its control flow stay what they are; how far the
noisy twins end up from the exact one is how far another order of the same arithmetic may end up.

A float tensor without tracks stands for its own value, exactly: a constant, or what was only moved from one place to
another. Variables have tracks as long as their value is the one that the tracks belong to.
"""

from __future__ import annotations

import enum
import functools
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

Tracks = tuple[Any, ...]
"""The exact twin of a tensor, then the noisy ones."""

_ATTRIBUTE = "_tfrewrite_shadow"
_FUNCTION = "function"
"""What `unsupported` calls a graph: its own name differs from run to run."""
_POOL = 1 << 18
_ENTERED = threading.Lock()

# What only moves or selects data, or changes a sign: as exact in float32 as in float64.
_MOVES = frozenset(
    """Abs BatchToSpace BatchToSpaceND BroadcastTo Ceil CheckNumerics CheckNumericsV2 ClipByValue Complex Concat ConcatV2 Conj
    ConjugateTranspose CheckPinned Copy DebugIdentity DepthToSpace Diag DiagPart DynamicPartition DynamicStitch EnsureShape
    ExpandDims ExtractImagePatches ExtractVolumePatches Fill Floor Gather GatherNd GatherV2 Identity IdentityN Imag
    MatrixBandPart MatrixDiag MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3 MatrixDiagV2 MatrixDiagV3 MatrixSetDiag
    MatrixSetDiagV2 MatrixSetDiagV3 Max MaxPool MaxPoolV2 MaxPool3D Maximum Min Minimum MirrorPad Neg NthElement OneHot
    OnesLike Pack Pad PadV2 ParallelConcat ParallelDynamicStitch PreventGradient RaggedGather RaggedTensorFromVariant
    RaggedTensorToTensor RaggedTensorToVariant Real Relu Relu6 Relu6Grad ReluGrad Reshape ResizeNearestNeighbor Reverse
    ReverseSequence ReverseV2 Rint Roll Round SegmentMax SegmentMin Select SelectV2 Sign Slice Snapshot SpaceToBatch
    SpaceToBatchND SpaceToDepth SparseConcat SparseReorder SparseReshape SparseSlice SparseSplit SparseToDense Split
    SplitV Squeeze StopGradient StridedSlice StridedSliceGrad TensorScatterMax TensorScatterMin TensorScatterUpdate
    TensorStridedSliceUpdate Tile TopK TopKV2 Transpose Unpack UnsortedSegmentMax UnsortedSegmentMin ZerosLike""".split()
)
# Correctly rounded everywhere: a result that needs no rounding gets no noise, so that counting in floats stays exact.
_CORRECTLY_ROUNDED = frozenset("Add AddV2 Cast Div Mul RealDiv Sqrt Square Sub".split())
# What adds up many terms, or solves: its rounding is that of perturbed inputs, constant ones among them.
_ADDS_UP = re.compile(
    r"MatMul|Conv\d|Conv2dNative|Einsum|Mean|Sum|AddN|Prod|SqrtN|ScatterAdd|ScatterNd$|BiasAddGrad|L2Loss|AvgPool|EuclideanNorm"
    r"|Logsumexp|Softmax|FFT|Cholesky|Solve|Inverse|Determinant|Svd|Qr$|^Lu$|Eig|MatrixExponential|MatrixSquareRoot|BatchNorm"
)
_RANDOM = re.compile(
    r"Random|Multinomial|TruncatedNormal|StandardNormal|StatefulUniform|Rng|Sampler|Seed|FractionalAvg|FractionalMax|Dropout|Sample"
)
# Their float64 form is another function (other random numbers, other bytes, another grid).
_OWN_DTYPE_ONLY = re.compile(r"^(Stateless.*|Bitcast|FakeQuant.*|Quantiz.*|Dequantize|Requantiz.*|NextAfter)$")
# Variants that hold tensors, in contrast to those that hold datasets and the like.
_CONTAINERS = re.compile(r"^(TensorList|TensorMap|EmptyTensor|Ragged|Identity|AddN$|ZerosLike$|Pack$|Unpack$|Gather|StridedSlice$|Select)")
_UPDATES = re.compile(r"^(Resource(Apply|SparseApply|Scatter|StridedSliceAssign)|Assign(Add|Sub)VariableOp$)")
# Stateful by definition, but they change nothing unless the functions that they call do.
_HARMLESS = frozenset(
    "If Case While PartitionedCall StatefulPartitionedCall ReadVariableOp ResourceGather ResourceGatherNd VarHandleOp".split()
)
_READS = re.compile(r"^ResourceGather")


class Unavailable(RuntimeError):
    """This TensorFlow can't be evaluated beside itself; the message says why."""


class _Way(enum.Enum):
    """How an operation is repeated on the tracks of its inputs."""

    WIDE = enum.auto()
    """With float64 in place of the smaller types."""
    OWN = enum.auto()
    """In its own types, on the tracks rounded to them."""
    READ = enum.auto()
    """The tracks of the variable are the result."""
    ASSIGN = enum.auto()
    """The tracks of the value become those of the variable."""
    VARIABLE = enum.auto()
    """On variables of its own that hold the tracks."""
    FUNCTION = enum.auto()
    """A graph: again as it is, on the tracks rounded to its types."""
    NOT = enum.auto()
    """It draws numbers, has effects, or can't be looked into: its result stands for itself."""


@dataclass(frozen=True, slots=True)
class _Argument:
    type_attr: str
    number_attr: str
    list_attr: str
    fixed: bool
    """A float type that the operation demands whatever its attributes say."""

    rest: bool = False
    """All the inputs: those of a function."""

    @property
    def is_list(self) -> bool:
        return bool(self.number_attr or self.list_attr or self.rest)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What there is to know of an operation, from its definition."""

    way: _Way
    arguments: tuple[_Argument, ...] = ()
    type_attrs: frozenset[str] = frozenset()
    moves: bool = False
    correctly_rounded: bool = False
    adds_up: bool = False
    random: bool = False


class _TensorFlow:
    """The parts of TensorFlow that are used here, none of them public."""

    def __init__(self) -> None:
        try:
            import tensorflow as tf
            from tensorflow.python import pywrap_tfe
            from tensorflow.python.eager import context, record
            from tensorflow.python.framework import op_def_registry, ops
            from tensorflow.python.ops import resource_variable_ops

            self.fast = pywrap_tfe.TFE_Py_FastPathExecute
            self.slow = pywrap_tfe.TFE_Py_Execute
            self.definition: Callable[[str], Any] = op_def_registry.get
            self.eager_tensor: Any = ops.EagerTensor
            self.eager_base: Any = ops._EagerTensorBase
            self.numpy = self.eager_base._numpy
            self.resource_variable: Any = resource_variable_ops.BaseResourceVariable
            self.context: Callable[[], Any] = context.context
            self.stop_recording: Any = record.stop_recording
            self.anonymous: str = context.anonymous_name()
        except (ImportError, AttributeError) as error:
            raise Unavailable(f"TensorFlow has no such entry point: {error}") from error
        self.tf: Any = tf
        self.module: Any = pywrap_tfe
        self.wide = {tf.float16: tf.float64, tf.bfloat16: tf.float64, tf.float32: tf.float64, tf.complex64: tf.complex128}
        self.wide |= {tf.float64: tf.float64, tf.complex128: tf.complex128}
        self.exact = {tf.float64, tf.complex128}
        self.wide_by_number = {dtype.as_datatype_enum: wide for dtype, wide in self.wide.items()}
        self.epsilon = {
            **{tf.float16: 2.0**-10, tf.bfloat16: 2.0**-7, tf.float32: 2.0**-23, tf.complex64: 2.0**-23},
            **{tf.float64: 2.0**-52, tf.complex128: 2.0**-52},
        }
        # A call shows whether both still take what is handed to them here.
        try:
            one = tf.constant(1.0)
            flat(self.fast(self.context(), "AddV2", None, one, one))
        except Exception as error:
            raise Unavailable(f"an operation can't be run by itself: {error}") from error


@functools.cache
def _tensorflow() -> _TensorFlow:
    return _TensorFlow()


@functools.cache
def _plan(name: str) -> _Plan:
    definition = _tensorflow().definition(name)
    if definition is None:
        return _Plan(_Way.FUNCTION if _is_pure(name) else _Way.NOT, (_Argument("", "", "", True, rest=True),))
    wide = _tensorflow().wide_by_number
    resource, variant, string = (getattr(_tensorflow().tf, kind).as_datatype_enum for kind in ("resource", "variant", "string"))
    kinds = {argument.type for argument in definition.input_arg}
    outputs = {argument.type for argument in definition.output_arg}
    random = bool(_RANDOM.search(name)) and (definition.is_stateful or name.startswith("Fractional"))
    match name:
        case "ReadVariableOp":
            way = _Way.READ
        case "AssignVariableOp":
            way = _Way.ASSIGN
        case _ if _UPDATES.search(name) or _READS.search(name):
            way = _Way.VARIABLE
        case "CheckNumerics" | "CheckNumericsV2":
            way = _Way.WIDE  # stateful only so that no optimizer drops it
        case _ if definition.is_stateful or random or kinds & {resource, string} or name.startswith("Inplace"):
            way = _Way.NOT
        case _ if variant in kinds | outputs and not _CONTAINERS.search(name):
            way = _Way.NOT
        case _ if any("func" in attribute.type for attribute in definition.attr):
            way = _Way.NOT
        case _ if _OWN_DTYPE_ONLY.search(name):
            way = _Way.OWN
        case _:
            way = _Way.WIDE
    return _Plan(
        way,
        tuple(_Argument(a.type_attr, a.number_attr, a.type_list_attr, a.type in wide) for a in definition.input_arg),
        frozenset(attribute.name for attribute in definition.attr if attribute.type in ("type", "list(type)")),
        moves=name in _MOVES or name.startswith(("TensorList", "ResourceGather")),
        correctly_rounded=name in _CORRECTLY_ROUNDED,
        adds_up=bool(_ADDS_UP.search(name)),
        random=random,
    )


class _Unfit(Exception):
    """The tracks came out in another shape than the program's own result."""


def _is_pure(name: str) -> bool:
    """Whether a function can be run again without anybody noticing: nothing in its graph draws numbers or changes anything."""
    api = _tensorflow()
    seen: set[str] = set()
    todo = [name]
    try:
        while todo:
            seen.add(current := todo.pop())
            for node in api.context().get_function_def(current).node_def:
                called = {function.name for value in node.attr.values() for function in (value.func, *value.list.func) if function.name}
                definition = api.definition(node.op)
                if definition is None:
                    called.add(node.op)
                elif definition.is_stateful and node.op not in _HARMLESS:
                    return False
                todo += called - seen
    except Exception:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Held:
    """The tracks of a variable, and the value that it had when they were its tracks."""

    shadow: object
    tracks: Tracks
    value: Any


class Shadow:
    """Evaluates what runs inside of it in float64 as well; `of` tells what came out.

    Functions run eagerly meanwhile. What the program can see (values, dtypes, exceptions, random numbers, tapes, output)
    is what it would see without.
    """

    def __init__(self, tracks: int = 2, seed: int = 0) -> None:
        self.random = False
        """An operation drew random numbers that depend on hidden state: what it drew is taken as exact."""
        self.unsupported: dict[str, int] = {}
        """Operations that could not be evaluated in float64, with how often: their result is the program's own, or that of
        the operation on rounded tracks."""
        self.ops = 0
        self.read = 0
        """How often Python read a float that has tracks (numpy(), float(), if, print): what it made of it isn't followed."""
        self._noisy = tracks
        self._random = np.random.default_rng(seed)
        self._pool: Any = None
        self._offset = 0
        self._narrow: set[tuple[str, tuple[Any, ...]]] = set()
        self._were_eager = False
        self._local = threading.local()

    def __enter__(self) -> Shadow:
        api = _tensorflow()
        if not _ENTERED.acquire(blocking=False):
            raise Unavailable("another evaluation in float64 is under way")
        self._were_eager = api.tf.config.functions_run_eagerly()
        api.tf.config.run_functions_eagerly(True)
        api.module.TFE_Py_FastPathExecute = self._fast
        api.module.TFE_Py_Execute = self._slow
        api.eager_base._numpy = lambda tensor: self._seen(tensor)
        return self

    def __exit__(self, *_: object) -> None:
        api = _tensorflow()
        api.module.TFE_Py_FastPathExecute = api.fast
        api.module.TFE_Py_Execute = api.slow
        api.eager_base._numpy = api.numpy
        api.tf.config.run_functions_eagerly(self._were_eager)
        _ENTERED.release()

    def follow(self, value: Any) -> None:
        """Take the floats in a value as known to within an ulp: the noisy twins start that far away."""
        api = _tensorflow()
        with _apart():
            try:
                leaves = api.tf.nest.flatten(value, expand_composites=True)
            except (TypeError, ValueError):
                leaves = [value]  # a mapping whose keys have no order
            for leaf in leaves:
                for part in _parts(leaf):
                    if isinstance(part, api.resource_variable):
                        handle = part.handle
                        current = _read(handle, part.dtype) if isinstance(handle, api.eager_tensor) else None
                        if current is not None and current.dtype in api.wide:
                            self._hold(handle, self._started(current), current)
                    elif isinstance(part, api.eager_tensor) and part.dtype in api.wide:
                        self._tag(part, self._started(part))

    def of(self, tensor_or_variable: Any) -> tuple[Any, Any] | None:
        """The value in float64, and the largest distance of a noisy twin from it, for each element.

        None for what has no such value: integers, strings, tensors of a graph. No noise (None) where no noisy twin was asked for.
        """
        api = _tensorflow()
        with _apart():
            for part in _parts(tensor_or_variable):
                tracks: Tracks | None = None
                current = part
                if isinstance(part, api.resource_variable):
                    if not isinstance(part.handle, api.eager_tensor):
                        return None
                    current = _read(part.handle, part.dtype)
                    tracks = self._held(part.handle, current)
                elif isinstance(part, api.eager_tensor):
                    tracks = self._tracks(part)
                if not isinstance(current, api.eager_tensor) or current.dtype not in api.wide:
                    return None
                exact, *noisy = (np.array(_array(track)) for track in tracks or (_widened(current),) * (1 + self._noisy))
                return exact, spread(exact, noisy) if self._noisy else None
        return None

    def _fast(self, context: Any, name: str, label: Any, *given: Any) -> Any:
        api = _tensorflow()
        if getattr(self._local, "inside", False):
            return api.fast(context, name, label, *given)
        plan = _plan(name)
        count = len(plan.arguments)
        if plan.way is _Way.WIDE:
            given = (*map(self._explicitly_read, given[:count]), *given[count:])
        inputs, attributes = given[:count], given[count:]
        before = self._before(plan, inputs)
        result = api.fast(context, name, label, *given)
        self._accompany(name, plan, inputs, attributes, before, result)
        return result

    def _slow(self, handle: Any, device: Any, name: Any, inputs: Any, attributes: Any, outputs: Any) -> Any:
        api = _tensorflow()
        if getattr(self._local, "inside", False):
            return api.slow(handle, device, name, inputs, attributes, outputs)
        text = name.decode() if isinstance(name, bytes) else name
        plan = _plan(text)
        named = dict(zip((attributes or ())[::2], (attributes or ())[1::2], strict=True))
        grouped = tuple(_grouped(plan, inputs or (), named))
        before = self._before(plan, grouped)
        result = api.slow(handle, device, name, inputs, attributes, outputs)
        if plan.way is _Way.FUNCTION:
            self._beside_function(text, plan, grouped[0], lambda given: api.slow(handle, device, name, given, attributes, outputs), result)
        else:
            inferred = {attr for a in plan.arguments for attr in (a.type_attr, a.number_attr, a.list_attr)}
            rest = tuple(word for pair in named.items() if pair[0] not in inferred for word in pair)
            is_function = any(argument.rest for argument in plan.arguments)
            self._accompany(_FUNCTION if is_function else text, plan, grouped, rest, before, result)
        return result

    def _beside_function(self, name: str, plan: _Plan, inputs: list[Any], call: Callable[[list[Any]], Any], result: Any) -> None:
        """Run a graph on the tracks as they are once rounded: its inside can't be widened, but what comes in can differ."""
        self.ops += 1
        if not any(self._tracks(value) for value in inputs):
            return
        try:
            with self._quietly():
                self._past(_FUNCTION, flat(result))
                twins = self._twins(plan, [inputs], plan.arguments[0], inputs, False)
                runs = [flat(call(_of_track(twins, track))) for track in range(1 + self._noisy)]
                self._finish(plan, [inputs], flat(result), runs)
        except Exception:
            return  # what it came to in the program stands for itself

    def _past(self, name: str, outputs: list[Any]) -> None:
        """The tracks end here: what comes out is the program's own value, known to within its rounding."""
        self._count(name)
        for output in filter(_is_float, outputs):
            self._tag(output, self._started(output))

    def _seen(self, tensor: Any) -> Any:
        if not getattr(self._local, "inside", False) and self._tracks(tensor):
            self.read += 1
        return _tensorflow().numpy(tensor)

    def _explicitly_read(self, value: Any) -> Any:
        """TensorFlow reads a variable that it is handed out of our sight, and the tape then keeps what it read: read it here."""
        api = _tensorflow()
        if not isinstance(value, api.resource_variable):
            return value
        try:
            return value.value() if value.dtype in api.wide else value
        except Exception:
            return value  # the operation raises what there is to raise

    def _before(self, plan: _Plan, inputs: Sequence[Any]) -> dict[int, tuple[Any, Tracks]]:
        """The tracks of the variables that an operation is about to change: by the place of their handles."""
        if plan.way is not _Way.VARIABLE:
            return {}
        api = _tensorflow()
        found: dict[int, tuple[Any, Tracks]] = {}
        dtypes = [value.dtype for value in inputs if isinstance(value, api.eager_tensor) and value.dtype in api.wide]
        try:
            with self._quietly():
                for place, value in enumerate(inputs):
                    if isinstance(value, api.eager_tensor) and value.dtype == api.tf.resource:
                        dtype = _dtype_of(value) or (dtypes or [None])[0]
                        if dtype in api.wide:
                            current = _read(value, dtype)
                            found[place] = current.dtype, self._held(value, current) or (_widened(current),) * (1 + self._noisy)
        except Exception:
            return {}
        return found

    def _accompany(
        self, name: str, plan: _Plan, inputs: Sequence[Any], attributes: Sequence[Any], before: dict[int, tuple[Any, Tracks]], result: Any
    ) -> None:
        """Do for the tracks what the program has just done; whatever goes wrong stays in here."""
        self.ops += 1
        self.random |= plan.random
        outputs = flat(result)
        try:
            with self._quietly():
                match plan.way:
                    case _Way.READ:
                        held = self._held(inputs[0], outputs[0])
                        if held is not None:
                            self._tag(outputs[0], held)
                    case _Way.ASSIGN:
                        tracks = self._tracks(inputs[1])
                        self._hold(inputs[0], tracks, inputs[1]) if tracks else _drop(inputs[0])
                    case _Way.VARIABLE if before:
                        self._on_variables(name, plan, inputs, attributes, before, outputs)
                    case _Way.WIDE | _Way.OWN:
                        self._beside(name, plan, inputs, attributes, outputs)
                    case _Way.NOT if outputs and any(self._tracks(value) for value in flat(inputs)):
                        self._past(name, outputs)
        except Exception:
            self._count(name)

    def _beside(self, name: str, plan: _Plan, inputs: Sequence[Any], attributes: Sequence[Any], outputs: list[Any]) -> None:
        variant = _tensorflow().tf.variant
        if not any(_is_float(output) or output.dtype == variant for output in outputs):
            return
        followed = any(self._tracks(value) for value in flat(inputs))
        if not followed and ((plan.moves and outputs[0].dtype != variant) or plan.way is _Way.OWN):
            return
        key = (name, tuple(output.dtype for output in outputs))
        if plan.way is _Way.WIDE and key not in self._narrow:
            try:
                runs = self._runs(name, plan, inputs, attributes, followed, wide=True)
                self._finish(plan, inputs, outputs, runs)
                if any(_is_float(tensor) and tensor.dtype not in _tensorflow().exact for tensor in runs[0]):
                    self._count(name)  # it takes float64, and makes float32 of it
                return
            except _Unfit:
                pass
            except Exception:
                self._narrow.add(key)
        self._count(name)
        self._finish(plan, inputs, outputs, self._runs(name, plan, inputs, attributes, followed, wide=False))

    def _runs(
        self, name: str, plan: _Plan, inputs: Sequence[Any], attributes: Sequence[Any], followed: bool, *, wide: bool
    ) -> list[list[Any]]:
        """The results of the operation on each track. One run serves for all where no input has tracks."""
        if wide:
            attributes = _widened_attributes(plan, attributes)
        twins = [self._twins(plan, inputs, argument, value, wide) for argument, value in zip(plan.arguments, inputs, strict=True)]
        perturbed = plan.adds_up and self._noisy > 0
        return [
            _run(name, [_of_track(twin, track) for twin in twins], attributes)
            for track in range(1 + self._noisy if followed or perturbed else 1)
        ]

    def _twins(self, plan: _Plan, inputs: Sequence[Any], argument: _Argument, value: Any, wide: bool) -> Any:
        """What an argument is on each track: a tuple, a list of tuples, or the one value that it is on all of them."""
        if argument.is_list:
            return [self._twin(plan, inputs, argument, element, wide) for element in value]
        return self._twin(plan, inputs, argument, value, wide)

    def _twin(self, plan: _Plan, inputs: Sequence[Any], argument: _Argument, value: Any, wide: bool) -> Any:
        api = _tensorflow()
        if not isinstance(value, api.eager_tensor):
            value = _converted(plan, inputs, argument, value)
            if not _is_float(value):
                return value
        tracks = self._tracks(value)
        if tracks is None and not _is_float(value):
            return value
        if value.dtype == api.tf.variant:
            return tracks if wide else value
        if tracks is None:
            exact = _widened(value)
            tracks = (exact, *(self._moved(exact, api.epsilon[value.dtype]) if plan.adds_up else exact for _ in range(self._noisy)))
        if wide and not argument.fixed:
            return tracks
        return tuple(_cast(track, value.dtype) for track in tracks)

    def _finish(self, plan: _Plan, inputs: Sequence[Any], outputs: list[Any], runs: list[list[Any]]) -> None:
        """Give each result its tracks: the operation's, with the rounding that the program's own dtype would add."""
        api = _tensorflow()
        for place, output in enumerate(outputs):
            found = [run[place] for run in runs]
            if output.dtype == api.tf.variant:
                self._tag(output, tuple(found * (1 + self._noisy if len(found) == 1 else 1)))
                continue
            if not _is_float(output):
                continue
            if any(track.shape != output.shape for track in found):
                raise _Unfit
            found = [_widened(track) for track in found]
            tracks = self._rounded(plan, inputs, output, found)
            if tracks is not None:
                self._tag(output, tracks)

    def _rounded(self, plan: _Plan, inputs: Sequence[Any], output: Any, found: list[Any]) -> Tracks | None:
        api = _tensorflow()
        own, exact = _array(output), _array(found[0])
        if np.isnan(exact).any():
            # Rounding decided on which side of a domain's edge the program was: keep to its side.
            beyond = np.isnan(exact) & ~np.isnan(own)
            if beyond.any():
                exact = np.where(beyond, own, exact)
                found = [_tensor(exact), *(_tensor(np.where(beyond, own, _array(track))) for track in found[1:])]
        epsilon = api.epsilon[output.dtype]
        if plan.moves:
            noise: Any = False
        elif not plan.correctly_rounded:
            noise = True
        elif all(api.epsilon.get(value.dtype, 0.0) > epsilon for value in inputs if isinstance(value, api.eager_tensor)):
            noise = False  # a cast to a larger type
        elif output.dtype in api.exact:
            # No larger type tells whether it was rounded: where it has few digits, it was not.
            noise = own != own.astype(np.complex64 if output.dtype.is_complex else np.float32)
        else:
            noise = own != exact
        if len(found) == 1:
            if noise is not True and not np.any(noise) and output.dtype.size == found[0].dtype.size:
                return None
            if not np.any(noise) and (own == exact).all():
                return None
            found = found * (1 + self._noisy)
        return (found[0], *(self._moved(track, epsilon, noise) if np.any(noise) else track for track in found[1:]))

    def _on_variables(
        self,
        name: str,
        plan: _Plan,
        inputs: Sequence[Any],
        attributes: Sequence[Any],
        before: dict[int, tuple[Any, Tracks]],
        outputs: list[Any],
    ) -> None:
        """Repeat what reads or changes variables on variables of our own that hold the tracks."""
        after = {place: _read(inputs[place], dtype) for place, (dtype, _) in before.items()}
        if outputs and not any(map(_is_float, outputs)):
            return
        try:
            twins = [
                None if place in before else self._twins(plan, inputs, argument, value, True)
                for place, (argument, value) in enumerate(zip(plan.arguments, inputs, strict=True))
            ]
            runs: list[list[Any]] = []
            states: list[dict[int, Any]] = []
            for track in range(1 + self._noisy):
                made = {place: _variable(tracks[track]) for place, (_, tracks) in before.items()}
                arguments = [made[place] if place in made else _of_track(twin, track) for place, twin in enumerate(twins)]
                runs.append(_run(name, arguments, _widened_attributes(plan, attributes)))
                states.append({place: _read(made[place], before[place][1][0].dtype) for place in before})
                for handle in made.values():
                    _run("DestroyResourceOp", [handle], ("ignore_lookup_error", True))
        except Exception:
            self._count(name)
            for place in before:
                _drop(inputs[place])
            return
        if outputs:
            self._finish(plan, inputs, outputs, runs)
            return
        for place in before:
            found = [state[place] for state in states]
            tracks = self._rounded(_ARITHMETIC, (), after[place], found)
            self._hold(inputs[place], tracks or tuple(found), after[place])

    def _started(self, tensor: Any) -> Tracks:
        exact = _widened(tensor)
        return (exact, *(self._moved(exact, _tensorflow().epsilon[tensor.dtype]) for _ in range(self._noisy)))

    def _moved(self, tensor: Any, epsilon: float, where: Any = True) -> Any:
        """The tensor with a relative error of its own in each element."""
        array = _array(tensor)
        factor = 1.0 + epsilon * self._drawn(array.shape)
        if array.dtype.kind == "c":
            factor = factor + 1j * epsilon * self._drawn(array.shape)
        return _tensor(array * factor if where is True else np.where(where, array * factor, array))

    def _drawn(self, shape: tuple[int, ...]) -> Any:
        """Numbers between -1 and 1, from a pool: drawing them anew for each operation would take most of the time."""
        size = int(np.prod(shape, dtype=np.int64))
        if size > _POOL // 4:
            return self._random.random(shape, dtype=np.float32) * 2.0 - 1.0
        if self._pool is None:
            self._pool = self._random.random(_POOL) * 2.0 - 1.0
        if self._offset + size > _POOL:
            self._offset = int(self._random.integers(_POOL // 2))
        start, self._offset = self._offset, self._offset + size
        return self._pool[start : self._offset].reshape(shape)

    def _tag(self, tensor: Any, tracks: Tracks) -> None:
        setattr(tensor, _ATTRIBUTE, (self._random, tracks))

    def _tracks(self, tensor: Any) -> Tracks | None:
        held = getattr(tensor, _ATTRIBUTE, None)
        return held[1] if type(held) is tuple and held[0] is self._random else None

    def _hold(self, handle: Any, tracks: Tracks, value: Any) -> None:
        setattr(handle, _ATTRIBUTE, _Held(self._random, tracks, value))

    def _held(self, handle: Any, value: Any) -> Tracks | None:
        held = getattr(handle, _ATTRIBUTE, None)
        if not isinstance(held, _Held) or held.shadow is not self._random or not _same(held.value, value):
            return None
        return held.tracks

    def _count(self, name: str) -> None:
        self.unsupported[name] = self.unsupported.get(name, 0) + 1

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._local.inside = True
        try:
            with _apart():
                yield
        finally:
            self._local.inside = False


_ARITHMETIC = _Plan(_Way.WIDE, correctly_rounded=True)


def flat(value: Any) -> list[Any]:
    """The tensors of a result: nothing, one, a list, or a list with lists in it."""
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [tensor for part in value for tensor in flat(part)]
    return [value]


def spread(exact: Any, noisy: Iterable[Any]) -> Any:
    """The largest distance of a noisy value from the exact one, for each element; inf where one of them alone is NaN."""
    largest = np.zeros(np.shape(exact))
    for array in noisy:
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(array - exact)
        same = (array == exact) | (np.isnan(array) & np.isnan(exact))
        distance = np.where(same, 0.0, np.where(np.isnan(distance), np.inf, distance))
        largest = np.maximum(largest, distance)
    return largest


@contextmanager
def _apart() -> Iterator[None]:
    """The user's tapes don't see what runs in here, and NumPy doesn't warn of it."""
    with _tensorflow().stop_recording(), np.errstate(all="ignore"):
        yield


def _parts(value: Any) -> Iterator[Any]:
    """The tensors and variables that a leaf consists of: a Keras variable wraps one, a layer or a module has several."""
    api = _tensorflow()
    if isinstance(value, (api.eager_tensor, api.resource_variable)):
        yield value
        return
    inner = _attribute(value, "value")
    if isinstance(inner, (api.eager_tensor, api.resource_variable)):
        yield inner
        return
    variables = _attribute(value, "variables")
    if isinstance(variables, (list, tuple)):
        for variable in variables:
            yield from _parts(variable)


def _attribute(value: Any, name: str) -> Any:
    """Of an object of the user's, whose properties may raise what they like."""
    try:
        return getattr(value, name, None)
    except Exception:
        return None


def _is_float(value: Any) -> bool:
    api = _tensorflow()
    return isinstance(value, api.eager_tensor) and value.dtype in api.wide


def _run(name: str, inputs: Sequence[Any], attributes: Sequence[Any]) -> list[Any]:
    api = _tensorflow()
    return flat(api.fast(api.context(), name, None, *inputs, *attributes))


def _cast(tensor: Any, dtype: Any) -> Any:
    if tensor.dtype == dtype:
        return tensor
    return _run("Cast", [tensor], ("DstT", dtype, "Truncate", False))[0]


def _widened(tensor: Any) -> Any:
    return _cast(tensor, _tensorflow().wide[tensor.dtype])


def _widened_attributes(plan: _Plan, attributes: Sequence[Any]) -> tuple[Any, ...]:
    def widened(value: Any) -> Any:
        api = _tensorflow()
        if isinstance(value, (list, tuple)):
            return [widened(each) for each in value]
        if isinstance(value, int):
            return api.wide_by_number.get(value, value)
        return api.wide.get(value, value) if isinstance(value, api.tf.DType) else value

    pairs = zip(attributes[::2], attributes[1::2], strict=True)
    return tuple(word for key, value in pairs for word in (key, widened(value) if key in plan.type_attrs else value))


def _converted(plan: _Plan, inputs: Sequence[Any], argument: _Argument, value: Any) -> Any:
    """A Python or NumPy value as the tensor that the operation makes of it: in the dtype of the tensors beside it."""
    api = _tensorflow()
    beside = (
        tensor.dtype
        for other, given in zip(plan.arguments, inputs, strict=True)
        if argument.type_attr and other.type_attr == argument.type_attr
        for tensor in flat(given)
        if isinstance(tensor, api.eager_tensor)
    )
    dtype = next(beside, None)
    if dtype is None and argument.type_attr and isinstance(value, int):
        return value
    return api.tf.convert_to_tensor(value, dtype=dtype)


def _of_track(twin: Any, track: int) -> Any:
    match twin:
        case tuple():
            return twin[track]
        case list():
            return [_of_track(element, track) for element in twin]
        case _:
            return twin


def _grouped(plan: _Plan, inputs: Sequence[Any], attributes: dict[Any, Any]) -> Iterator[Any]:
    """The flat inputs of an operation, those that make up a list together in one."""
    start = 0
    for argument in plan.arguments:
        if argument.rest:
            yield list(inputs[start:])
            return
        if not argument.is_list:
            yield inputs[start]
            start += 1
            continue
        count = attributes.get(argument.number_attr, 0) if argument.number_attr else len(attributes.get(argument.list_attr, ()))
        yield list(inputs[start : start + count])
        start += count


def _array(tensor: Any) -> Any:
    """What a tensor holds, to be read only: without a copy where TensorFlow allows that."""
    array = np.asarray(_tensorflow().numpy(tensor))
    return array if array.dtype.kind in "fc" and array.dtype.itemsize >= 4 else array.astype(np.float64)


def _tensor(array: Any) -> Any:
    return _tensorflow().tf.convert_to_tensor(array)


def _same(first: Any, second: Any) -> bool:
    """Bit by bit. What a variable held can't be changed in place while we hold it too, so most often it is the same memory."""
    if first is second:
        return True
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    one, other = (np.asarray(_tensorflow().numpy(tensor)) for tensor in (first, second))
    if one.__array_interface__["data"][0] == other.__array_interface__["data"][0]:
        return True
    return np.array_equal(one.reshape(-1).view(np.uint8), other.reshape(-1).view(np.uint8))


def _dtype_of(handle: Any) -> Any:
    data = getattr(handle, "_handle_data", None)
    if data is None or not data.is_set or not data.shape_and_type:
        return None
    return _tensorflow().tf.as_dtype(data.shape_and_type[0].dtype)


def _read(handle: Any, dtype: Any) -> Any:
    return _run("ReadVariableOp", [handle], ("dtype", dtype))[0]


def _variable(value: Any) -> Any:
    """A variable of our own: nothing but the handle."""
    named = ("container", "", "shared_name", _tensorflow().anonymous, "dtype", value.dtype, "shape", value.shape)
    [handle] = _run("VarHandleOp", [], named)
    _run("AssignVariableOp", [handle, value], ("dtype", value.dtype))
    return handle


def _drop(handle: Any) -> None:
    if hasattr(handle, _ATTRIBUTE):
        delattr(handle, _ATTRIBUTE)
