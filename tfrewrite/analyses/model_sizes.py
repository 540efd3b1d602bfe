"""How many bytes the weights of a Keras model take, and what its layers give, where the text tells."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tfrewrite.analyses.training_steps import made
from tfrewrite.kinds import ITEM_BYTES, Kind, Sort
from tfrewrite.ops import op
from tfrewrite.ops.keras import applied_to
from tfrewrite.ops.made import Made
from tfrewrite.ops.row import Op

_VIEWS = frozenset({"Flatten", "Reshape", "Identity"})
_FLOAT = 4
_GATES = {"LSTM": 4, "GRU": 3, "SimpleRNN": 1}


@dataclass(frozen=True)
class Sizes:
    """Of a model that is applied to a batch: the bytes of each of its weights, and of what each layer but the last gives.

    What isn't known of the latter, as how many rows a batch has, is None.
    """

    weights: tuple[int, ...]
    kept: tuple[int | None, ...]


def sizes(model: Made, given: Kind) -> Sizes | None:
    """None where a layer or its weights aren't known."""
    if model.name != "keras.Sequential" or not model["layers"].items or model.own is not None:
        return None
    weights: list[int] = []
    kept: list[int | None] = []
    found = given
    for layer, one in _layers(model):
        if one is None:
            return None
        own = _weights(one, found) if layer.has_weights else []
        found = applied_to(one, found)
        if own is None:
            return None
        weights += own
        if one.name.rpartition(".")[2] not in _VIEWS:
            kept.append(size_of(found))
    return Sizes(tuple(weights), tuple(kept[:-1]))


def size_of(kind: Kind) -> int | None:
    """The bytes of a tensor, where its shape and dtype are known."""
    return None if kind.size is None or kind.dtype not in ITEM_BYTES else kind.size * ITEM_BYTES[kind.dtype]


def _layers(model: Made) -> Iterator[tuple[Op, Made | None]]:
    for kind in model["layers"].items or ():
        if kind.sort is Sort.SYMBOLIC:
            continue  # keras.Input
        one = made(kind)
        known = one is not None and one.own is None and op(f"tensorflow.{one.name}").is_layer
        yield op(f"tensorflow.{one.name}") if one is not None else op(None), one if known else None


def _weights(layer: Made, given: Kind) -> list[int] | None:
    """What the gradients of its weights take, that of an embedding aside: it holds the rows that were looked up alone."""
    name = layer.name.rpartition(".")[2]
    last = given.shape[-1] if isinstance(given.shape, tuple) and given.shape else None
    match name:
        case "Dense":
            return _product(last, layer.integer("units"))
        case "Conv1D" | "Conv2D" | "Conv3D" | "Conv1DTranspose" | "Conv2DTranspose" | "Conv3DTranspose":
            axes = int(name[4])
            return _product(last, layer.integer("filters"), *layer.sizes("kernel_size", axes, 1)) if not layer.has("groups") else None
        case "LSTM" | "GRU" | "SimpleRNN":
            units = layer.integer("units")
            own, recurrent = _product(last, units, _GATES[name]), _product(units, units, _GATES[name])
            return None if own is None or recurrent is None else own + recurrent
        case "Embedding" | "BatchNormalization" | "LayerNormalization" | "GroupNormalization" | "PReLU":
            return []
    return None


def _product(*sizes: object) -> list[int] | None:
    numbers = [one for one in sizes if type(one) is int]
    return [math.prod(numbers) * _FLOAT] if len(numbers) == len(sizes) else None
