"""Datasets: what elements they have, how many of them, and what their methods do to these.

A method is a row of the class's name. The kind of a dataset holds that of its elements and, where it is known, how many there are:
`math.inf` of one that never ends.
"""

from __future__ import annotations

import math
from dataclasses import replace

from tfrewrite.kinds import UNKNOWN, Dim, Kind, Sort, array, join, sequence, tensor
from tfrewrite.ops.call import Call, Rule, as_tensor, dims_of
from tfrewrite.ops.row import Op
from tfrewrite.ops.shared_results import component, row_of

Count = int | float | None


def dataset(each: Kind | None, count: Count = None) -> Kind:
    return Kind(Sort.DATASET, value=count, each=None if each == UNKNOWN else each)


def _count(kind: Kind) -> Count:
    return kind.value if isinstance(kind.value, int | float) else None


def _own(call: Call) -> Kind:
    return call["self"]


# Sources


def _range(call: Call) -> Kind:
    values = [call[name].value for name in ("start", "stop", "step") if call.given(name)]
    known = [value for value in values if type(value) is int]
    count = len(range(*known)) if len(known) == len(values) > 0 and 0 not in known[2:] else None
    return dataset(tensor(call.dtype("output_type", "int64"), ()), count)


def _slices(call: Call) -> Kind:
    x = call["x"]
    return dataset(row_of(x), _first_size(x))


def _first_size(kind: Kind) -> int | None:
    if kind.sort is Sort.TUPLE:
        sizes = [_first_size(item) for item in kind.items or ()]
        return next((size for size in sizes if size is not None), None)
    shape = as_tensor(kind).shape
    return shape[0] if isinstance(shape, tuple) and shape and isinstance(shape[0], int) else None


def _whole(call: Call) -> Kind:
    return dataset(component(call["x"]), 1)


def _lines(call: Call) -> Kind:
    return dataset(tensor("string", ()))


def of_spec(kind: Kind) -> Kind:
    """The elements that a `tf.TensorSpec`, or a tuple of some, describes."""
    if kind.instance == "tensorflow.TensorSpec":
        return tensor(kind.dtype, kind.shape)
    if kind.sort is Sort.TUPLE and kind.items is not None:
        return sequence(Sort.TUPLE, tuple(of_spec(item) for item in kind.items))
    return UNKNOWN


def spec(call: Call) -> Kind:
    shape = dims_of(call["shape"]) if call["shape"].sort in (Sort.TUPLE, Sort.LIST) else None
    return Kind(Sort.OBJECT, call.dtype("dtype", "float32"), shape, instance="tensorflow.TensorSpec")


def _generated(call: Call) -> Kind:
    if call.given("output_signature"):
        return dataset(of_spec(call["output_signature"]))
    dtype = call.dtype("output_types") if call.given("output_types") else None
    shape = dims_of(call["output_shapes"]) if call.given("output_shapes") and call["output_shapes"].sort is not Sort.NONE else None
    return dataset(tensor(dtype, shape) if dtype is not None else None)


def _zip(call: Call) -> Kind:
    parts = [call[name] for name in ("datasets", *_MORE) if call.given(name)]
    if call.given("datasets") and len(parts) == 1 and parts[0].sort is Sort.TUPLE and parts[0].items is not None:
        parts = list(parts[0].items)
    if not parts or any(one.sort is not Sort.DATASET for one in parts) or call.given(_MORE[-1]):
        return dataset(None)
    counts = [_count(one) for one in parts]
    least = None if None in counts else min(one for one in counts if one is not None)
    return dataset(sequence(Sort.TUPLE, tuple(one.each or UNKNOWN for one in parts)), least)


_MORE = tuple(f"dataset{i}" for i in range(1, 6))


def _mixed(call: Call) -> Kind:
    """Elements of several datasets."""
    parts = call["datasets"].items
    if not parts or any(one.sort is not Sort.DATASET or one.each is None for one in parts):
        return dataset(None)
    each = parts[0].each
    for one in parts[1:]:
        each = join(each, one.each) if each is not None and one.each is not None else None
    return dataset(each)


def _integers(call: Call) -> Kind:
    return dataset(tensor("int64", ()), math.inf)


# Methods


def _same(call: Call) -> Kind:
    return _own(call)


def _some(call: Call) -> Kind:
    return dataset(_own(call).each)


def _repeated(call: Call) -> Kind:
    count, own = call["count"].value, _count(_own(call))
    if not call.given("count") or call["count"].sort is Sort.NONE:
        return dataset(_own(call).each, math.inf if own else None)
    times = math.inf if count == -1 else count if type(count) is int and count >= 0 else None
    return dataset(_own(call).each, _times(own, times))


def _times(own: Count, times: Count) -> Count:
    if own is None or times is None:
        return None
    return 0 if 0 in (own, times) else own * times


def _taken(call: Call) -> Kind:
    count, own = call["count"].value, _count(_own(call))
    if type(count) is not int or own is None:
        return dataset(_own(call).each)
    least = own if count == -1 else min(own, count)
    return dataset(_own(call).each, int(least) if least != math.inf else least)


def _skipped(call: Call) -> Kind:
    count, own = call["count"].value, _count(_own(call))
    if type(count) is not int or count < 0 or own is None:
        return dataset(_own(call).each)
    return dataset(_own(call).each, max(own - count, 0))


def _mapped(call: Call) -> Kind:
    each = component(in_graph(call.returned("map_func", elements(_own(call)))))
    return dataset(each, _count(_own(call)))


def in_graph(kind: Kind) -> Kind:
    """What a mapped function returns, as elements: arrays and numbers become tensors, and a list one tensor."""
    if kind.sort is Sort.TUPLE and kind.items is not None:
        return sequence(Sort.TUPLE, tuple(in_graph(item) for item in kind.items))
    return kind if kind.sort in (Sort.TENSOR, Sort.NUMBER, Sort.ARRAY, Sort.TEXT) else UNKNOWN


def elements(kind: Kind) -> tuple[Kind, ...] | None:
    """What a function is handed that is mapped over a dataset: a tuple is spread over its parameters."""
    each = kind.each
    if each is None:
        return None
    return each.items if each.sort is Sort.TUPLE else (each,)


def _flattened(call: Call) -> Kind:
    found = call.returned("map_func", elements(_own(call)))
    return dataset(found.each if found.sort is Sort.DATASET else None)


def _batched(call: Call) -> Kind:
    size, rest = call["batch_size"].value, call["drop_remainder"]
    own, number_of = _own(call), size if type(size) is int and size > 0 else None
    drops = rest.value if call.given("drop_remainder") else False
    count = _count(own)
    full = drops is True or (count is not None and number_of is not None and (count == math.inf or count % number_of == 0))
    batches = None
    if count is not None and number_of is not None and isinstance(drops, bool):
        batches = count if count == math.inf else int(count // number_of if drops else -(-count // number_of))
    return dataset(own.each and _with_axis(own.each, number_of if full else None), batches)


def _with_axis(kind: Kind, size: Dim) -> Kind:
    if kind.sort is Sort.TUPLE and kind.items is not None:
        return sequence(Sort.TUPLE, tuple(_with_axis(item, size) for item in kind.items))
    if kind.sort is not Sort.TENSOR:
        return UNKNOWN
    return tensor(kind.dtype, (size, *kind.shape) if isinstance(kind.shape, tuple) else None)


def _padded(call: Call) -> Kind:
    found = _batched(call)
    return replace(found, each=found.each and _loosened(found.each, call.given("padded_shapes")))


def _loosened(kind: Kind, told: bool) -> Kind:
    """Rows are as long as the longest of their batch, if nothing else is told."""
    if kind.sort is Sort.TUPLE and kind.items is not None:
        return sequence(Sort.TUPLE, tuple(_loosened(item, told) for item in kind.items))
    if not told or not isinstance(kind.shape, tuple):
        return kind
    return replace(kind, shape=(kind.shape[0], *(None,) * (len(kind.shape) - 1)))


def _unbatched(call: Call) -> Kind:
    each = _own(call).each
    return dataset(None if each is None else row_of(each))


def _numbered(call: Call) -> Kind:
    each = _own(call).each
    return dataset(sequence(Sort.TUPLE, (tensor("int64", ()), each or UNKNOWN)), _count(_own(call)))


def _joined(call: Call) -> Kind:
    own, other = _own(call), call["dataset"]
    if own.each is None or other.sort is not Sort.DATASET or other.each is None:
        return dataset(None)
    counts = (_count(own), _count(other))
    total = None if counts[0] is None or counts[1] is None else counts[0] + counts[1]
    return dataset(join(own.each, other.each), total)


def _arrays(call: Call) -> Kind:
    return Kind(Sort.ITERATOR, each=_own(call).each and _as_arrays(_own(call).each))


def _as_arrays(kind: Kind | None) -> Kind:
    if kind is None:
        return UNKNOWN
    if kind.sort is Sort.TUPLE and kind.items is not None:
        return sequence(Sort.TUPLE, tuple(map(_as_arrays, kind.items)))
    if kind.sort is not Sort.TENSOR or kind.dtype in (None, "string") or not kind.rank:
        return UNKNOWN
    return array(kind.dtype, kind.shape)


def _how_many(call: Call) -> Kind:
    count = _count(_own(call))
    return replace(tensor("int64", ()), value=count if isinstance(count, int) else None)


def _windows(call: Call) -> Kind:
    each = _own(call).each
    return dataset(None if each is None else _as_windows(each))


def _as_windows(kind: Kind) -> Kind:
    """Each component becomes a dataset of its own."""
    if kind.sort is Sort.TUPLE and kind.items is not None:
        return sequence(Sort.TUPLE, tuple(map(_as_windows, kind.items)))
    return dataset(kind) if kind.sort is Sort.TENSOR else UNKNOWN


def _scanned(call: Call) -> Kind:
    """The second of what the function returns for a state and an element."""
    state, each = call["initial_state"], _own(call).each
    if each is None or state.sort not in (Sort.TENSOR, Sort.ARRAY, Sort.NUMBER):
        return dataset(None)
    # Its shape may be another one after an element.
    found = call.returned("scan_func", (tensor(as_tensor(state).dtype), each))
    parts = found.items if found.sort is Sort.TUPLE else None
    return dataset(component(in_graph(parts[1])) if parts is not None and len(parts) == 2 else None)


def _opaque(call: Call) -> Kind:
    return dataset(None)


_TRAITS = "is_no_tensor is_outside"


def _method(name: str, parameters: str, returns: Rule, traits: str = "") -> Op:
    return Op(f"data.Dataset.{name}", parameters, returns, f"{_TRAITS} {traits}".strip())


_AS_THEY_ARE = "keeps_elements keeps_order"

ROWS = (
    Op("data.Dataset.from_tensor_slices", "x=tensors", _slices, "may_share is_no_tensor"),
    Op("data.Dataset.from_tensors", "x=tensors", _whole, "may_share is_no_tensor"),
    Op("data.Dataset.range", "start stop step", _range, "may_share is_no_tensor"),
    Op("data.Dataset.from_generator", "generator output_types output_shapes args output_signature", _generated, _TRAITS),
    Op("data.Dataset.list_files", "file_pattern shuffle seed", _lines, f"{_TRAITS} is_random"),
    Op("data.Dataset.random", "seed", _integers, f"{_TRAITS} is_random"),
    Op("data.Dataset.zip", "datasets dataset1 dataset2 dataset3 dataset4 dataset5", _zip, _TRAITS),
    Op("data.Dataset.choose_from_datasets", "datasets choice_dataset", _mixed, _TRAITS),
    Op("data.Dataset.sample_from_datasets", "datasets weights seed", _mixed, f"{_TRAITS} is_random"),
    Op("data.TFRecordDataset", "filenames compression_type buffer_size num_parallel_reads", _lines, _TRAITS),
    Op("data.TextLineDataset", "filenames compression_type buffer_size num_parallel_reads", _lines, _TRAITS),
    Op("data.FixedLengthRecordDataset", "filenames record_bytes", _lines, _TRAITS),
    _method("as_numpy_iterator", "", _arrays),
    _method("apply", "transformation_func", _opaque),
    _method("batch", "batch_size drop_remainder num_parallel_calls", _batched, "keeps_order holds_elements"),
    _method("cache", "filename", _same, f"{_AS_THEY_ARE} is_one_to_one holds_elements"),
    _method("cardinality", "", _how_many),
    _method("concatenate", "dataset", _joined, _AS_THEY_ARE),
    _method("enumerate", "start", _numbered, "keeps_order is_one_to_one"),
    _method("filter", "predicate", _some, _AS_THEY_ARE),
    _method("flat_map", "map_func", _flattened, "keeps_order"),
    _method("interleave", "map_func cycle_length block_length num_parallel_calls deterministic", _flattened),
    _method("map", "map_func num_parallel_calls deterministic", _mapped, "keeps_order is_one_to_one"),
    _method("padded_batch", "batch_size padded_shapes padding_values drop_remainder", _padded, "keeps_order holds_elements"),
    _method("prefetch", "buffer_size", _same, f"{_AS_THEY_ARE} is_one_to_one holds_elements"),
    _method("rebatch", "batch_size drop_remainder", _opaque, "keeps_order"),
    _method("repeat", "count", _repeated, _AS_THEY_ARE),
    _method("shard", "num_shards index", _some, _AS_THEY_ARE),
    _method("shuffle", "buffer_size seed reshuffle_each_iteration", _same, "keeps_elements is_one_to_one holds_elements is_random"),
    _method("skip", "count", _skipped, _AS_THEY_ARE),
    _method("take", "count", _taken, _AS_THEY_ARE),
    _method("take_while", "predicate", _some, _AS_THEY_ARE),
    _method("unbatch", "", _unbatched, "keeps_order"),
    _method("unique", "", _some, _AS_THEY_ARE),
    _method("scan", "initial_state scan_func", _scanned, "keeps_order is_one_to_one"),
    _method("window", "size shift stride drop_remainder", _windows, "keeps_order holds_elements"),
    _method("with_options", "options", _same, f"{_AS_THEY_ARE} is_one_to_one"),
)
