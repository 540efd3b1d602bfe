"""What Keras keeps beside the values that its objects compute: added losses, regularizers, constraints, masks, settings.

Read from where Keras 3 stores it. Its public properties would evaluate regularizers, which may be code of the program's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

_DEFAULTS = {"floatx": "float32", "epsilon": 1e-7, "image_data_format": "channels_last"}


def is_layer(value: Any) -> bool:
    keras = sys.modules.get("keras")
    layer = getattr(getattr(keras, "layers", None), "Layer", None)
    return isinstance(layer, type) and isinstance(value, layer) and isinstance(getattr(value, "_losses", None), list)


def _layers(layer: Any) -> list[Any]:
    """The layer and those in it."""
    try:
        return [one for one in layer._flatten_layers() if isinstance(getattr(one, "_losses", None), list)]
    except AttributeError:
        return [layer]


def losses(layer: Any) -> tuple[tuple[Any, ...], ...]:
    """What `add_loss` has added in a layer, and in each of those in it. Empty where nothing was."""
    found = tuple(tuple(one._losses) for one in _layers(layer))
    return found if any(found) else ()


def set_losses(layer: Any, kept: Sequence[Sequence[Any]]) -> None:
    """Those of a graph stay: the call that would put them there again is one that nobody traces any more."""
    for index, one in enumerate(_layers(layer)):
        if all(hasattr(loss, "numpy") for loss in one._losses):
            one._losses[:] = kept[index] if index < len(kept) else ()


def rules(variables: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """What a training is to keep small, or within bounds."""
    for at, variable in enumerate(variables):
        for name in ("regularizer", "constraint"):
            if (rule := getattr(variable, f"_{name}", None)) is not None:
                yield f".variables[{at}].{name}", rule


def mask(tensor: Any) -> Any:
    """Which places of a tensor the next layer is to skip."""
    return getattr(tensor, "_keras_mask", None)


def settings() -> dict[str, Any]:
    """What is set for all layers to come, as far as it isn't what it is without saying so."""
    config = getattr(sys.modules.get("keras"), "config", None)
    if config is None:
        return {}
    found = {name: getattr(config, name)() for name in _DEFAULTS if hasattr(config, name)}
    # The public function would make a policy where there is none, and keep it.
    attribute = getattr(sys.modules.get("keras.src.backend.common.global_state"), "get_global_attribute", lambda _: None)
    policy = attribute("dtype_policy")
    changed = {name: value for name, value in found.items() if value != _DEFAULTS[name]}
    if policy is not None and policy.name != found.get("floatx"):
        changed["dtype_policy"] = str(policy.name)
    return changed
