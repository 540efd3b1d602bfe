"""The layers of Keras 3: what they give, and what they do in training.

The dtype is that of the policy, float32 where a program sets none; where it sets one, nothing is said here. The first size of what
a layer is given is that of the batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tfrewrite.kinds import FLOATS, UNKNOWN, Dim, Kind, Sort, broadcast, tensor
from tfrewrite.ops.call import as_tensor
from tfrewrite.ops.made import Applied, Made, is_input, like, made, members
from tfrewrite.ops.row import Op

Sizes = tuple[Dim, ...]
Rule = Callable[[Made, Sizes], Sizes | None]
"""The sizes of a result, of the sizes of what the layer is given."""


def result_dtype(layer: Made, x: Kind) -> str | None:
    """Floats become what the policy says; other numbers stay."""
    return layer.dtype if x.dtype in FLOATS else x.dtype


def _cast(layer: Made, x: Kind) -> Kind:
    if x.sort is Sort.SYMBOLIC:
        return Kind(Sort.SYMBOLIC, result_dtype(layer, x), x.shape)
    return tensor(result_dtype(layer, as_tensor(x)), x.shape) if is_input(x) else UNKNOWN


def shaped(rule: Rule, rank: int | None = None, *, computes: bool = True, of_floats: bool = False) -> Applied:
    """A layer with one tensor, of which this rule says the sizes. What `computes` gives floats, or gives them only of floats.

    `rank` is that of what it takes, where it takes nothing else.
    """

    def applied(layer: Made, given: Kind) -> Kind:
        x = _cast(layer, given)
        if x.sort is Sort.UNKNOWN:
            return UNKNOWN
        known = x.shape if isinstance(x.shape, tuple) else None if rank is None else (None,) * rank
        sizes = rule(layer, known) if known is not None else None
        dtype = x.dtype if not computes else layer.dtype if x.dtype in FLOATS or not of_floats else None
        return like(x, dtype, sizes)

    return applied


def _same(layer: Made, x: Sizes) -> Sizes:
    return x


def _rank(count: int) -> Rule:
    """The same sizes of what has so many axes."""
    return lambda layer, x: x if len(x) == count else None


same = shaped(_same)
same_floats = shaped(_same, of_floats=True)
kept = shaped(_same, computes=False)


def _dense(layer: Made, x: Sizes) -> Sizes:
    return (*x[:-1], layer.integer("units"))


def _embedding(layer: Made, given: Kind) -> Kind:
    if not is_input(given):
        return UNKNOWN
    x = given if given.sort is Sort.SYMBOLIC else as_tensor(given)
    return like(x, layer.dtype, (*x.shape, layer.integer("output_dim")) if isinstance(x.shape, tuple) else None)


# Convolutions and pools


def _first(layer: Made) -> bool | None:
    """Do the channels come first?"""
    order = layer.text("data_format", "channels_last")
    return None if order is None else order.lower() == "channels_first"


def _padding_of(layer: Made) -> str | None:
    """Keras takes "SAME" for "same"."""
    padding = layer.text("padding", "valid")
    return None if padding is None else padding.lower()


def _windows(size: Dim, kernel: int | None, stride: int | None, padding: str | None, dilation: int | None = 1) -> Dim:
    if not isinstance(size, int) or kernel is None or stride is None or dilation is None or padding is None:
        return size if padding in ("same", "causal") and stride == 1 else None
    if padding in ("same", "causal"):
        return -(-size // stride)
    return max(-(-(size - dilation * (kernel - 1)) // stride), 0)


def _over(axes: int, x: Sizes, layer: Made, of: Callable[[Dim, int], Dim], channels: Callable[[Dim], Dim]) -> Sizes | None:
    """The sizes of each axis of space, and of the channels."""
    first = _first(layer)
    if first is None or len(x) != axes + 2:
        return None
    space = x[2:] if first else x[1:-1]
    channel = channels(x[1] if first else x[-1])
    new = tuple(of(size, axis) for axis, size in enumerate(space))
    return (x[0], channel, *new) if first else (x[0], *new, channel)


def _convolution(axes: int, *, depthwise: bool = False) -> Rule:
    def rule(layer: Made, x: Sizes) -> Sizes | None:
        kernel = layer.sizes("kernel_size", axes, 0)
        strides = layer.sizes("strides", axes, 1)
        dilations = layer.sizes("dilation_rate", axes, 1)
        padding = _padding_of(layer)
        multiplier = layer.integer("depth_multiplier", 1)

        def channels(size: Dim) -> Dim:
            if not depthwise:
                return layer.integer("filters")
            return size * multiplier if isinstance(size, int) and multiplier is not None else None

        return _over(axes, x, layer, lambda size, i: _windows(size, kernel[i], strides[i], padding, dilations[i]), channels)

    return rule


def _transposed(axes: int) -> Rule:
    def rule(layer: Made, x: Sizes) -> Sizes | None:
        kernel, strides = layer.sizes("kernel_size", axes, 0), layer.sizes("strides", axes, 1)
        padding, plain = _padding_of(layer), not layer.has("output_padding") and not layer.has("dilation_rate")

        def longer(size: Dim, axis: int) -> Dim:
            k, s = kernel[axis], strides[axis]
            if not isinstance(size, int) or k is None or s is None or padding is None or not plain:
                return None
            return size * s if padding == "same" else size * s + max(k - s, 0)

        return _over(axes, x, layer, longer, lambda size: layer.integer("filters"))

    return rule


def _pool(axes: int) -> Rule:
    def rule(layer: Made, x: Sizes) -> Sizes | None:
        pool = layer.sizes("pool_size", axes, 2)
        told = layer.has("strides") and layer["strides"].sort is not Sort.NONE
        strides = layer.sizes("strides", axes, 1) if told else pool
        padding = _padding_of(layer)
        return _over(axes, x, layer, lambda size, i: _windows(size, pool[i], strides[i], padding), lambda size: size)

    return rule


def _global_pool(axes: int) -> Rule:
    def rule(layer: Made, x: Sizes) -> Sizes | None:
        keep, first = layer.flag("keepdims"), _first(layer)
        if len(x) != axes + 2 or keep is None or first is None:
            return None
        if not keep:
            return (x[0], x[1] if first else x[-1])
        return (x[0], x[1], *(1,) * axes) if first else (x[0], *(1,) * axes, x[-1])

    return rule


def _each_axis(axes: int, name: str, of: Callable[[Dim, Kind, int], Dim]) -> Rule:
    """What makes each axis of space longer or shorter."""

    def rule(layer: Made, x: Sizes) -> Sizes | None:
        return _over(axes, x, layer, lambda size, i: of(size, _of_axis(layer[name], i, layer.has(name), axes), i), lambda size: size)

    return rule


def _of_axis(kind: Kind, axis: int, given: bool, axes: int) -> Kind:
    if not given:
        return UNKNOWN
    return kind.items[axis] if kind.items is not None and len(kind.items) == axes else kind


def _edges(kind: Kind) -> int | None:
    """How much two edges are together, of `1` and of `(1, 2)`."""
    match kind:
        case Kind(value=int() as both):
            return 2 * both
        case Kind(items=(Kind(value=int() as before), Kind(value=int() as after))):
            return before + after
    return None


def _padding(size: Dim, kind: Kind, axis: int) -> Dim:
    edges = _edges(kind)
    return size + edges if isinstance(size, int) and edges is not None else None


def _cropping(size: Dim, kind: Kind, axis: int) -> Dim:
    edges = _edges(kind)
    return size - edges if isinstance(size, int) and edges is not None else None


def _edges_1d(sign: int, name: str) -> Rule:
    def rule(layer: Made, x: Sizes) -> Sizes | None:
        edges = _edges(layer[name]) if layer.has(name) else 2
        if len(x) != 3:
            return None
        return (x[0], x[1] + sign * edges if isinstance(x[1], int) and edges is not None else None, x[2])

    return rule


def _defaulted(rule: Rule, name: str, axes: int, each: int) -> Rule:
    """The rule where the setting is given; of one that isn't, each axis grows by so much."""

    def whole(layer: Made, x: Sizes) -> Sizes | None:
        if layer.has(name):
            return rule(layer, x)
        return _over(axes, x, layer, lambda size, i: size + each if isinstance(size, int) else None, lambda size: size)

    return whole


def _upsampled(axes: int) -> Rule:
    def rule(layer: Made, x: Sizes) -> Sizes | None:
        factors = layer.sizes("size", axes, 2)

        def longer(size: Dim, axis: int) -> Dim:
            factor = factors[axis]
            return size * factor if isinstance(size, int) and factor is not None else None

        return _over(axes, x, layer, longer, lambda size: size)

    return rule


# Shapes


def _flat(layer: Made, x: Sizes) -> Sizes | None:
    rest = x[1:]
    if not rest:
        return (x[0], 1) if x else None
    known = [dim for dim in rest if isinstance(dim, int)]
    return (x[0], math.prod(known) if len(known) == len(rest) else None)


def _reshaped(layer: Made, x: Sizes) -> Sizes | None:
    items = layer["target_shape"].items
    if items is None:
        return None
    wanted: list[Dim] = [item.value if type(item.value) is int else None for item in items]
    if wanted.count(-1) == 1 and None not in wanted:
        rest = math.prod(dim for dim in wanted if isinstance(dim, int) and dim != -1)
        known = [dim for dim in x[1:] if isinstance(dim, int)]
        filled = math.prod(known) // rest if rest and len(known) == len(x) - 1 else None
        wanted = [filled if dim == -1 else dim for dim in wanted]
    return (x[0], *(None if dim == -1 else dim for dim in wanted))


def _flattened(layer: Made, given: Kind) -> Kind:
    """A matrix, whatever it was."""
    found = shaped(_flat, computes=False)(layer, given)
    return found if found.sort is Sort.UNKNOWN or isinstance(found.shape, tuple) else like(found, found.dtype, (None, None))


def _shaped_anew(layer: Made, given: Kind) -> Kind:
    found = shaped(_reshaped, computes=False)(layer, given)
    items = layer["target_shape"].items
    if found.sort is Sort.UNKNOWN or isinstance(found.shape, tuple) or items is None:
        return found
    sizes = [item.value if type(item.value) is int and item.value != -1 else None for item in items]
    return like(found, found.dtype, (None, *sizes))


def _permuted(layer: Made, x: Sizes) -> Sizes | None:
    order = [item.value for item in layer["dims"].items or ()]
    if sorted(map(str, order)) != sorted(str(i + 1) for i in range(len(x) - 1)):
        return None
    return (x[0], *(x[i] for i in order if isinstance(i, int)))


def _repeated(layer: Made, x: Sizes) -> Sizes | None:
    return (x[0], layer.integer("n"), x[1]) if len(x) == 2 else None


def _resized(layer: Made, x: Sizes) -> Sizes | None:
    size = (layer.integer("height"), layer.integer("width"))
    if layer.has("pad_to_aspect_ratio") and layer.flag("pad_to_aspect_ratio") is None or len(x) not in (3, 4) or _first(layer) is not False:
        return None
    return (*x[:-3], *size, x[-1])


# Several inputs


def _inputs(layer: Made, given: Kind) -> list[Kind] | None:
    if given.sort not in (Sort.LIST, Sort.TUPLE) or not given.items:
        return None
    kinds = [_cast(layer, one) for one in given.items]
    return kinds if all(one.sort is not Sort.UNKNOWN for one in kinds) else None


def _merged(layer: Made, given: Kind) -> Kind:
    kinds = _inputs(layer, given)
    if kinds is None:
        return UNKNOWN
    shape = kinds[0].shape
    ranks = {one.rank for one in kinds}
    for one in kinds[1:]:
        shape = broadcast(shape, one.shape)
    dtypes = {one.dtype for one in kinds}
    return like(members(kinds), dtypes.pop() if len(dtypes) == 1 else None, shape if len(ranks) == 1 and None not in ranks else None)


def _averaged(layer: Made, given: Kind) -> Kind:
    found = _merged(layer, given)
    return found if found.dtype in FLOATS or found.sort is Sort.UNKNOWN else like(found, None, found.shape)


def _concatenated(layer: Made, given: Kind) -> Kind:
    kinds = _inputs(layer, given)
    if kinds is None:
        return UNKNOWN
    return joined(kinds, layer.integer("axis", -1))


def joined(kinds: Sequence[Kind], axis: int | None) -> Kind:
    dtypes = {one.dtype for one in kinds}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    shapes = [one.shape for one in kinds if isinstance(one.shape, tuple)]
    rank = len(shapes[0]) if shapes else 0
    if len(shapes) < len(kinds) or axis is None or any(len(one) != rank for one in shapes) or not -rank <= axis < rank:
        return like(members(kinds), dtype, None)
    along = [shape[axis] for shape in shapes]
    total = sum(one for one in along if isinstance(one, int)) if all(isinstance(one, int) for one in along) else None
    whole = [next((shape[i] for shape in shapes if isinstance(shape[i], int)), shapes[0][i]) for i in range(rank)]
    whole[axis] = total
    return like(members(kinds), dtype, tuple(whole))


def _attended(layer: Made, given: Kind) -> Kind:
    """`MultiHeadAttention` gives what its query is like."""
    if layer.has("output_shape") and layer["output_shape"].sort is not Sort.NONE:
        return UNKNOWN
    return same(layer, given)


def _weighed(layer: Made, given: Kind) -> Kind:
    """`Attention` of `[query, value]` or `[query, value, key]` gives for each query a mean of the values."""
    kinds = _inputs(layer, given)
    if kinds is None or len(kinds) not in (2, 3) or any(one.dtype not in FLOATS or one.rank != 3 for one in kinds):
        return UNKNOWN
    query, value = (one.shape for one in kinds[:2])
    assert isinstance(query, tuple) and isinstance(value, tuple)
    return like(members(kinds), layer.dtype, (*query[:-1], value[-1]))


# Sequences


_CELLS = frozenset({"keras.layers.LSTMCell", "keras.layers.GRUCell", "keras.layers.SimpleRNNCell"})


def _of_cells(layer: Made, given: Kind) -> Kind:
    """`RNN` of a cell, or of several, the last of which says what comes out."""
    cell = layer["cell"]
    if isinstance(stacked := cell.instance, Made) and stacked.name == "keras.layers.StackedRNNCells" and stacked.own is None:
        cell = stacked["cells"]
    cells = [one.instance for one in (cell,) if cell.items is None] or [one.instance for one in cell.items or ()]
    known = [one for one in cells if isinstance(one, Made) and one.name in _CELLS and one.own is None and one.dtype == layer.dtype]
    if not known or len(known) < len(cells):
        return UNKNOWN
    return _recurrent(Made(layer.name, (*layer.given, ("units", known[-1]["units"])), layer.dtype), given)


def _recurrent(layer: Made, given: Kind) -> Kind:
    x = _cast(layer, given)
    sequences, state, units = layer.flag("return_sequences"), layer.flag("return_state"), layer.integer("units")
    if x.sort is Sort.UNKNOWN or sequences is None or state is not False or layer.flag("time_major") is not False:
        return UNKNOWN
    if not isinstance(x.shape, tuple) or len(x.shape) != 3:
        return like(x, layer.dtype, (None, None, units) if sequences else (None, units))
    return like(x, layer.dtype, (*x.shape[:2], units) if sequences else (x.shape[0], units))


def _both_ways(layer: Made, given: Kind) -> Kind:
    inner = layer["layer"].instance
    if not isinstance(inner, Made) or inner.name.rpartition(".")[2] not in ("LSTM", "GRU", "SimpleRNN"):
        return UNKNOWN
    found = _recurrent(inner, given)
    if found.sort is Sort.UNKNOWN or not isinstance(found.shape, tuple):
        return found
    match layer.text("merge_mode", "concat") if layer["merge_mode"].sort is not Sort.NONE else None:
        case "concat":
            units = found.shape[-1]
            return like(found, found.dtype, (*found.shape[:-1], 2 * units if isinstance(units, int) else None))
        case "sum" | "mul" | "ave":
            return found
    return UNKNOWN


# What reads texts and prepares data


def _texts(layer: Made, given: Kind) -> Kind:
    """`TextVectorization` gives numbers of words, or counts."""
    mode = layer.text("output_mode", "int")
    x = as_tensor(given) if given.sort in (Sort.TENSOR, Sort.ARRAY, Sort.LIST) else given
    if not is_input(x) or mode != "int" or (layer.has("split") and layer.text("split", "") is None) or layer.flag("ragged") is not False:
        return UNKNOWN
    length = layer.integer("output_sequence_length") if layer.has("output_sequence_length") else None
    rank = x.rank if x.rank in (1, 2) else None
    batch = x.shape[0] if isinstance(x.shape, tuple) and x.shape else None
    return like(x, "int64", (batch, length) if rank else None)


def _looked_up(default: str) -> Applied:
    def applied(layer: Made, given: Kind) -> Kind:
        x = as_tensor(given) if given.sort in (Sort.ARRAY, Sort.LIST) else given
        inverse, mode = layer.flag("invert"), layer.text("output_mode", "int")
        if not is_input(x) or inverse is None or mode != "int":
            return UNKNOWN
        return like(x, ("string" if default == "string" else "int64") if inverse else "int64", x.shape)

    return applied


_LAYER = "is_no_tensor is_outside is_layer"
_PLAIN = f"{_LAYER} is_by_row"
_WEIGHTS = f"{_PLAIN} has_weights"
_NOISE = f"{_PLAIN} is_random minds_training"


def _layer(name: str, parameters: str, applied: Applied | None, traits: str) -> Op:
    whole = f"keras.layers.{name}"
    return Op(whole, parameters, made(whole), traits, applied=applied)


def _convolutions() -> tuple[Op, ...]:
    common = "filters kernel_size strides padding data_format dilation_rate"
    alone = "kernel_size strides padding depth_multiplier data_format dilation_rate"
    found = []
    for axes in (1, 2, 3):
        found.append(_layer(f"Conv{axes}D", common, shaped(_convolution(axes), axes + 2), _WEIGHTS))
        orders = "data_format output_padding" if axes == 3 else "output_padding data_format"
        padded = f"filters kernel_size strides padding {orders} dilation_rate"
        found.append(_layer(f"Conv{axes}DTranspose", padded, shaped(_transposed(axes), axes + 2), _WEIGHTS))
        if axes < 3:
            found.append(_layer(f"SeparableConv{axes}D", common, shaped(_convolution(axes), axes + 2), _WEIGHTS))
            found.append(_layer(f"DepthwiseConv{axes}D", alone, shaped(_convolution(axes, depthwise=True), axes + 2), _WEIGHTS))
        pool = "pool_size strides padding data_format"
        found.append(_layer(f"MaxPooling{axes}D", pool, shaped(_pool(axes), axes + 2, of_floats=True), _PLAIN))
        found.append(_layer(f"AveragePooling{axes}D", pool, shaped(_pool(axes), axes + 2, of_floats=True), _PLAIN))
        found.append(
            _layer(f"GlobalMaxPooling{axes}D", "data_format keepdims", shaped(_global_pool(axes), axes + 2, of_floats=True), _PLAIN)
        )
        found.append(
            _layer(f"GlobalAveragePooling{axes}D", "data_format keepdims", shaped(_global_pool(axes), axes + 2, of_floats=True), _PLAIN)
        )
        upsampling = {1: "size", 2: "size data_format interpolation", 3: "size data_format"}[axes]
        found.append(_layer(f"UpSampling{axes}D", upsampling, shaped(_upsampled(axes), axes + 2, of_floats=True), _PLAIN))
        found.append(_layer(f"SpatialDropout{axes}D", "rate" if axes == 1 else "rate data_format", same_floats, _NOISE))
    return tuple(found)


ROWS = (
    *_convolutions(),
    _layer("ActivityRegularization", "l1 l2", kept, _PLAIN),
    _layer("Activation", "activation", kept, _PLAIN),
    _layer("Add", "", _merged, _PLAIN),
    _layer("AdditiveAttention", "use_scale dropout", _weighed, f"{_WEIGHTS} is_random minds_training"),
    _layer("AlphaDropout", "rate noise_shape seed", same_floats, _NOISE),
    _layer("Attention", "use_scale score_mode dropout", _weighed, f"{_WEIGHTS} is_random minds_training"),
    _layer("Average", "", _averaged, _PLAIN),
    _layer("BatchNormalization", "axis momentum epsilon center scale", same, f"{_WEIGHTS} is_stateful minds_training"),
    _layer("Bidirectional", "layer merge_mode", _both_ways, _WEIGHTS),
    _layer("CategoryEncoding", "num_tokens output_mode", None, _LAYER),
    _layer("CenterCrop", "height width data_format", shaped(_resized, of_floats=True), _PLAIN),
    _layer("Concatenate", "axis", _concatenated, _PLAIN),
    _layer("ConvLSTM1D", "filters kernel_size", None, _WEIGHTS),
    _layer("ConvLSTM2D", "filters kernel_size", None, _WEIGHTS),
    _layer("ConvLSTM3D", "filters kernel_size", None, _WEIGHTS),
    _layer("Cropping1D", "cropping", shaped(_edges_1d(-1, "cropping"), computes=False), _PLAIN),
    _layer(
        "Cropping2D",
        "cropping data_format",
        shaped(_defaulted(_each_axis(2, "cropping", _cropping), "cropping", 2, 0), computes=False),
        _PLAIN,
    ),
    _layer(
        "Cropping3D",
        "cropping data_format",
        shaped(_defaulted(_each_axis(3, "cropping", _cropping), "cropping", 3, -2), computes=False),
        _PLAIN,
    ),
    _layer("Dense", "units activation", shaped(_dense), _WEIGHTS),
    _layer("Discretization", "bin_boundaries num_bins", None, _PLAIN),
    _layer("Dot", "axes normalize", None, _PLAIN),
    _layer("Dropout", "rate noise_shape seed", same_floats, _NOISE),
    _layer("ELU", "alpha", same, _PLAIN),
    _layer("EinsumDense", "equation output_shape", None, f"{_LAYER} has_weights"),
    _layer("Embedding", "input_dim output_dim", _embedding, _WEIGHTS),
    _layer("Flatten", "data_format", _flattened, _PLAIN),
    _layer("GRU", "units activation", _recurrent, _WEIGHTS),
    _layer("GRUCell", "units activation", None, _WEIGHTS),
    _layer("GaussianDropout", "rate seed", same_floats, _NOISE),
    _layer("GaussianNoise", "stddev seed", same_floats, _NOISE),
    _layer("GroupNormalization", "groups axis epsilon", same, _WEIGHTS),
    _layer("GroupQueryAttention", "head_dim num_query_heads num_key_value_heads", None, f"{_WEIGHTS} is_random minds_training"),
    _layer("HashedCrossing", "num_bins output_mode", None, _PLAIN),
    _layer("Hashing", "num_bins mask_value", None, _PLAIN),
    _layer("Identity", "", kept, _PLAIN),
    _layer("IntegerLookup", "max_tokens num_oov_indices", _looked_up("int"), f"{_PLAIN} is_stateful"),
    _layer("LSTM", "units activation", _recurrent, _WEIGHTS),
    _layer("LSTMCell", "units activation", None, _WEIGHTS),
    _layer("Lambda", "function output_shape", None, _LAYER),
    _layer("LayerNormalization", "axis epsilon center scale", same, _WEIGHTS),
    _layer("LeakyReLU", "negative_slope", same, _PLAIN),
    _layer("Masking", "mask_value", kept, _PLAIN),
    _layer("Maximum", "", _merged, _PLAIN),
    _layer("Minimum", "", _merged, _PLAIN),
    _layer("MultiHeadAttention", "num_heads key_dim value_dim dropout", _attended, f"{_WEIGHTS} is_random minds_training"),
    _layer("Multiply", "", _merged, _PLAIN),
    _layer("Normalization", "axis mean variance invert", same, f"{_PLAIN} is_stateful"),
    _layer("PReLU", "alpha_initializer", same, _WEIGHTS),
    _layer("Permute", "dims", shaped(_permuted, computes=False), _PLAIN),
    _layer("RNN", "cell return_sequences return_state", _of_cells, _WEIGHTS),
    _layer("RandomBrightness", "factor value_range seed", None, _NOISE),
    _layer("RandomContrast", "factor value_range seed", None, _NOISE),
    _layer("RandomCrop", "height width seed", shaped(_resized, of_floats=True), _NOISE),
    _layer("RandomFlip", "mode seed data_format", same_floats, _NOISE),
    _layer("RandomRotation", "factor fill_mode interpolation seed", same_floats, _NOISE),
    _layer("RandomTranslation", "height_factor width_factor", same_floats, _NOISE),
    _layer("RandomZoom", "height_factor width_factor", same_floats, _NOISE),
    _layer("ReLU", "max_value negative_slope threshold", same_floats, _PLAIN),
    _layer("RepeatVector", "n", shaped(_repeated, computes=False), _PLAIN),
    _layer("Rescaling", "scale offset", same, _PLAIN),
    _layer("Reshape", "target_shape", _shaped_anew, _PLAIN),
    _layer("Resizing", "height width interpolation", shaped(_resized, of_floats=True), _PLAIN),
    _layer("SimpleRNN", "units activation", _recurrent, _WEIGHTS),
    _layer("SimpleRNNCell", "units activation", None, _WEIGHTS),
    _layer("Softmax", "axis", same, _PLAIN),
    _layer("SpectralNormalization", "layer power_iterations", None, f"{_WEIGHTS} is_stateful minds_training"),
    _layer("StackedRNNCells", "cells", None, _WEIGHTS),
    _layer("StringLookup", "max_tokens num_oov_indices", _looked_up("string"), f"{_PLAIN} is_stateful"),
    _layer("Subtract", "", _merged, _PLAIN),
    _layer("TextVectorization", "max_tokens standardize split ngrams output_mode output_sequence_length", _texts, f"{_PLAIN} is_stateful"),
    _layer("TimeDistributed", "layer", None, _WEIGHTS),
    _layer("UnitNormalization", "axis", same, _PLAIN),
    _layer("ZeroPadding1D", "padding", shaped(_edges_1d(1, "padding"), computes=False), _PLAIN),
    _layer(
        "ZeroPadding2D",
        "padding data_format",
        shaped(_defaulted(_each_axis(2, "padding", _padding), "padding", 2, 2), computes=False),
        _PLAIN,
    ),
    _layer(
        "ZeroPadding3D",
        "padding data_format",
        shaped(_defaulted(_each_axis(3, "padding", _padding), "padding", 3, 2), computes=False),
        _PLAIN,
    ),
)
