"""Layers of Keras that do nothing but to compute: no state, no random numbers, no losses beside, the same in training."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.kinds import Kind, Sort
from tfrewrite.ops import op
from tfrewrite.ops.made import Made

_SETTINGS = frozenset({
    "units", "activation", "use_bias", "name", "filters", "kernel_size", "strides", "padding", "dilation_rate", "axis", "epsilon",
    "center", "scale", "input_shape", "input_dim", "kernel_initializer", "bias_initializer",
})  # fmt: skip
_PARTS = _SETTINGS | {"kernel", "bias", "rate", "layer", "cell", "call", "build", "gamma", "beta", "embeddings", "_layers"}
_HARMLESS = frozenset({"trainable", "learning_rate", "lr", "optimizer", "stop_training", "name"})
_ACTIVATIONS = frozenset({
    "tanh", "relu", "sigmoid", "softplus", "softsign", "elu", "selu", "gelu", "silu", "swish", "linear", "relu6", "leaky_relu",
})  # fmt: skip
_LAYERS = frozenset({"Dense", "Conv1D", "Conv2D", "Conv3D", "DepthwiseConv2D", "LayerNormalization"})


def layers_called(call: gast.Call, facts: Facts) -> tuple[Made, ...]:
    """The layers that a call of one, or of a Sequential model of some, runs; none where one may do more than compute."""
    called = facts.kind(call.func).instance
    if not isinstance(called, Made) or len(call.args) != 1 or call.keywords or facts.kind(call).sort is not Sort.TENSOR:
        return ()
    found = _layers(called)
    return found if found and all(map(_only_computes, found)) and not _is_changed(facts) else ()


def _layers(made: Made) -> tuple[Made, ...]:
    if made.name != "keras.Sequential" or made.own is not None:
        return (made,)
    items = made["layers"].items if {key for key, _ in made.given} <= {"layers", "name"} else None
    layers = [item.instance for item in items or () if isinstance(item, Kind)]
    return tuple(one for one in layers if isinstance(one, Made)) if all(isinstance(one, Made) for one in layers) else ()


def _only_computes(layer: Made) -> bool:
    row = op(f"tensorflow.{layer.name}")
    plain = layer.own is None and layer.name.removeprefix("keras.layers.") in _LAYERS and row.is_layer and not row.minds_training
    given = {key for key, _ in layer.given}
    return plain and given <= _SETTINGS and layer.text("activation", "linear") in _ACTIVATIONS


def _is_changed(facts: Facts) -> bool:
    """Does the file add layers to models, or losses to layers, or replace what they do?"""
    names = {node.attr for node in facts.nodes([gast.Attribute]) if isinstance(node, gast.Attribute)}
    return not names.isdisjoint({"add", "pop", "add_loss", "activity_regularizer", "quantize", "enable_lora"}) or patched(facts) is not None


def patched(facts: Facts) -> gast.AST | None:
    """Where the file gives a layer, a model or a class of Keras another part: `net.layers[0].activation = f`, `setattr(net, ...)`."""
    for store in facts.scopes.attribute_stores:
        if isinstance(store.value, gast.Name) and store.value.id == "self":
            continue
        of_keras = isinstance(facts.kind(store.value).instance, Made) or (facts.names(store.value) or "").startswith("tensorflow.keras")
        unknown = facts.kind(store.value).sort is Sort.UNKNOWN and store.attr in _PARTS
        if (of_keras and store.attr not in _HARMLESS) or unknown or store.attr in ("call", "__call__"):
            return store
    for call in facts.nodes([gast.Call]):
        if isinstance(call, gast.Call) and facts.called(call) == "builtins.setattr" and call.args:
            if not (isinstance(call.args[0], gast.Name) and call.args[0].id == "self"):
                return call
    return None
