"""The functions of `tf.nn`: activations, windows that slide over images, losses, statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from tfrewrite.kinds import FLOATS, INTEGERS, Dim, Kind, Shape, Sort, broadcast, same_shape, sequence, tensor
from tfrewrite.ops.call import Call, as_tensor, axes_of, common_dtype, elementwise
from tfrewrite.ops.row import ALL, BOUNDED, EVERYWHERE, EXPONENT, IN_GRAPHS, IN_XLA, ROOTED, STEEP, SUM_ROOTED, SUMMED, Op, Xla
from tfrewrite.ops.shared_results import same, same_finite


def _scaled(call: Call) -> Kind:
    """Broadcasts with `beta`, where that is given."""
    kind = elementwise(call["x"])
    return replace(kind, shape=None) if call.given("beta") else kind


def _leaky(call: Call) -> Kind:
    kind = elementwise(call["x"])
    return kind if kind.dtype in FLOATS else tensor("float32" if kind.dtype in INTEGERS else None, kind.shape)


def _l2_loss(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(x.dtype, (), fixed=x.fixed)


def _biased(call: Call) -> Kind:
    value, bias = as_tensor(call["value"]), as_tensor(call["bias"])
    return tensor(common_dtype(call["value"], call["bias"]), value.shape, fixed=value.fixed and bias.fixed)


def _text(call: Call, name: str) -> str | None:
    node = call.nodes.get(name)
    return node.value if isinstance(node, gast.Constant) and isinstance(node.value, str) else None


def _sizes(kind: Kind, rank: int) -> tuple[int, ...] | None:
    """The sizes along the axes of an image, of `2`, `[2, 2]` or `[1, 2, 2, 1]`."""
    values = [kind.value] * rank if kind.items is None else [item.value for item in kind.items]
    if len(values) == 1:
        values *= rank
    if len(values) == rank + 2:
        if values[0] != 1 or values[-1] != 1:
            return None
        values = values[1:-1]
    known = tuple(value for value in values if isinstance(value, int) and value > 0)
    return known if len(known) == len(values) == rank else None


def _windows(size: Dim, window: Dim, stride: int, padding: str) -> Dim:
    """How many windows fit along one axis."""
    if stride == 1 and (padding == "SAME" or window == 1):
        return size
    if not isinstance(size, int):
        return None
    if padding == "SAME":
        return -(-size // stride)
    return max(0, -(-(size - window + 1) // stride)) if isinstance(window, int) else None


def _slid(call: Call, shape: Shape, windows: Shape, strides: str, channels: Dim) -> Shape:
    """The shape of an image after a window slid over it, the channels at its end."""
    if not isinstance(shape, tuple) or not isinstance(windows, tuple) or len(shape) != len(windows) + 2:
        return None
    rank = len(windows)
    steps, padding = _sizes(call[strides], rank), _text(call, "padding")
    plain = call.nodes.get("data_format") is None or _text(call, "data_format") in ("NHWC", "NWC")
    if steps is None or padding not in ("SAME", "VALID") or not plain or call.given("dilations"):
        return (None,) * len(shape)
    inner = [_windows(dim, window, step, padding) for dim, window, step in zip(shape[1:-1], windows, steps, strict=True)]
    return (shape[0], *inner, channels)


def _convolution(rank: int, strides: str) -> Callable[[Call], Kind]:
    def rule(call: Call) -> Kind:
        x, filters = as_tensor(call["x"]), as_tensor(call["filters"])
        kind = tensor(common_dtype(call["x"], call["filters"]), fixed=x.fixed and filters.fixed)
        if x.rank != rank + 2 or filters.rank != rank + 2 or not isinstance(filters.shape, tuple):
            return kind
        return replace(kind, shape=_slid(call, x.shape, filters.shape[:rank], strides, filters.shape[-1]))

    return rule


def _pooled(call: Call) -> Kind:
    x = as_tensor(call["x"])
    kind = tensor(x.dtype, fixed=x.fixed)
    if not isinstance(x.shape, tuple) or len(x.shape) != 4 or (windows := _sizes(call["ksize"], 2)) is None:
        return kind
    return replace(kind, shape=_slid(call, x.shape, windows, "strides", x.shape[-1]))


def _cross_entropy(call: Call) -> Kind:
    x, labels = as_tensor(call["x"]), as_tensor(call["labels"])
    kind = tensor(x.dtype, fixed=x.fixed and labels.fixed)
    axis = call.integer("axis", -1)
    if not isinstance(x.shape, tuple) or not same_shape(x.shape, labels.shape) or axis is None or not -len(x.shape) <= axis < len(x.shape):
        return kind
    return replace(kind, shape=tuple(dim for i, dim in enumerate(x.shape) if i != axis % len(x.shape)))


def _sparse_cross_entropy(call: Call) -> Kind:
    x, labels = as_tensor(call["x"]), as_tensor(call["labels"])
    return tensor(x.dtype, labels.shape, fixed=x.fixed)


def _sigmoid_cross_entropy(call: Call) -> Kind:
    x, labels = as_tensor(call["x"]), as_tensor(call["labels"])
    return tensor(x.dtype, x.shape, fixed=x.fixed and labels.fixed)


def _moments(call: Call) -> Kind:
    x = as_tensor(call["x"])
    kept = call["keepdims"].value if call.given("keepdims") else False
    axes = axes_of(call, x.rank, "axes")
    one = tensor(x.dtype, fixed=x.fixed)
    if isinstance(x.shape, tuple) and axes is not None and isinstance(kept, bool):
        one = replace(one, shape=tuple(1 if i in axes else dim for i, dim in enumerate(x.shape) if kept or i not in axes))
    return sequence(Sort.TUPLE, (one, one))


def _normalized(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = x.shape
    for name in ("mean", "variance", "offset", "scale"):
        if call[name].sort is not Sort.NONE:
            shape = broadcast(shape, as_tensor(call[name]).shape)
    return tensor(x.dtype, shape)


def _dropout(call: Call) -> Kind:
    kind = elementwise(call["x"])
    return kind if "noise_shape" not in call.nodes else replace(kind, shape=None)


ROWS = (
    Op("nn.avg_pool", "x=input ksize strides padding data_format name", _pooled, "may_share", bits=IN_GRAPHS, error=SUMMED),
    Op("nn.avg_pool1d", error=SUMMED),
    Op("nn.avg_pool2d", "x=input ksize strides padding data_format name", _pooled, "may_share", bits=IN_GRAPHS, error=SUMMED),
    Op("nn.batch_normalization", "x mean variance offset scale variance_epsilon name", _normalized),
    Op("nn.bias_add", "value bias data_format name", _biased, "adds is_position_free", bits=IN_XLA, error=SUMMED),
    Op(
        "nn.conv1d",
        "x=input filters stride padding data_format dilations name",
        _convolution(1, "stride"),
        "contracts is_heavy scales",
        bits=IN_GRAPHS,
        error=SUMMED,
        xla=Xla(of_nan="{} of an infinity beside the border may be NaN under XLA"),
    ),
    Op(
        "nn.conv2d",
        "x=input filters strides padding data_format dilations name",
        _convolution(2, "strides"),
        "contracts is_heavy scales",
        bits=IN_GRAPHS,
        error=SUMMED,
        xla=Xla(of_nan="{} of an infinity beside the border may be NaN under XLA"),
    ),
    Op("nn.conv3d", traits="contracts scales", error=SUMMED),
    Op("nn.dropout", "x rate noise_shape seed name", _dropout, "may_share is_random"),
    Op("nn.elu", "x=features", same, "is_elementwise fits_all is_monotonic is_activation wants_floats", bits=IN_GRAPHS, error=STEEP),
    Op("nn.gelu", "x=features", same, "is_elementwise fits_all is_activation wants_floats", error=STEEP),
    Op("nn.l2_loss", "x=t name", _l2_loss, "is_never_negative wants_floats", bits=IN_GRAPHS, error=SUMMED),
    Op("nn.l2_normalize", "x", same, "mixes fits_all takes_root wants_floats", error=ROOTED, axis=ALL),
    Op(
        "nn.leaky_relu",
        "x=features alpha",
        _leaky,
        "is_elementwise fits_all is_fused is_activation is_position_free",
        bits=IN_GRAPHS,
        error=STEEP,
    ),
    Op("nn.log_softmax", "x=logits", same, "mixes fits_all wants_floats", bits=IN_GRAPHS, error=SUMMED, axis=-1),
    Op(
        "nn.max_pool",
        "x=input ksize strides padding data_format name",
        _pooled,
        "may_share takes_extreme",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} ignores NaN and minus infinity, and XLA doesn't"),
    ),
    Op("nn.max_pool1d", traits="takes_extreme", error=BOUNDED),
    Op(
        "nn.max_pool2d",
        "x=input ksize strides padding data_format name",
        _pooled,
        "may_share takes_extreme",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} ignores NaN and minus infinity, and XLA doesn't"),
    ),
    Op("nn.max_pool3d", traits="takes_extreme"),
    Op(
        "nn.moments",
        "x axes shift keepdims name",
        _moments,
        "may_share is_no_tensor",
        error=SUM_ROOTED,
        xla=Xla(of_integers="{} of no integers is 0, and XLA gives -1"),
    ),
    Op(
        "nn.relu",
        "x=features",
        same_finite,
        "is_elementwise fits_all makes_node is_fused is_monotonic is_activation signs_zero is_position_free is_never_negative",
        bits=EVERYWHERE,
        error=BOUNDED,
    ),
    Op(
        "nn.relu6",
        "x=features",
        same_finite,
        "is_elementwise fits_all is_monotonic is_activation signs_zero is_position_free is_never_negative",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} of NaN is NaN, and XLA gives 0"),
    ),
    Op("nn.selu", "x=features", same, "is_elementwise fits_all is_monotonic is_activation wants_floats", bits=IN_GRAPHS, error=STEEP),
    Op(
        "nn.sigmoid_cross_entropy_with_logits",
        "labels x=logits name",
        _sigmoid_cross_entropy,
        error=SUMMED,
        xla=Xla(of_nan="{} of NaN is a number, and NaN under XLA"),
    ),
    Op("nn.silu", "x=features beta", _scaled, "is_elementwise fits_all is_activation wants_floats", error=STEEP),
    Op(
        "nn.softmax",
        "x=logits axis",
        same_finite,
        "mixes fits_all makes_node is_exponential is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=EXPONENT,
        axis=-1,
    ),
    Op("nn.softmax_cross_entropy_with_logits", "labels x=logits axis name", _cross_entropy, bits=IN_GRAPHS, error=SUMMED),
    Op(
        "nn.softplus",
        "x=features",
        same,
        "is_elementwise fits_all is_monotonic is_activation is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=EXPONENT,
    ),
    Op("nn.softsign", "x=features", same, "is_elementwise fits_all is_monotonic is_position_free wants_floats", bits=IN_XLA, error=BOUNDED),
    Op(
        "nn.sparse_softmax_cross_entropy_with_logits",
        "labels x=logits name",
        _sparse_cross_entropy,
        "is_indexed may_raise",
        bits=IN_GRAPHS,
        error=SUMMED,
    ),
)
