"""The canonical name of what TensorFlow offers under many.

TensorFlow's public API has many names for one function. `aliases.txt`, made from TensorFlow by `scripts/make_aliases.py`, leads
every one of them to a single name, which is what rows of the table and transforms compare with.
"""

from __future__ import annotations

import functools
import os

# `import tensorflow.compat.v2 as tf` is TensorFlow as we know it.
_SAME_PACKAGE = ("tensorflow.compat.v2.", "tensorflow._api.v2.v2.")


@functools.cache
def aliases() -> dict[str, str]:
    """From every other public name to the canonical one, both without `tensorflow.`."""
    table = {}
    # Not importlib.resources: importing it takes longer than reading the file.
    with open(os.path.join(os.path.dirname(__file__), "aliases.txt"), encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                canonical, *others = line.split()
                table.update(dict.fromkeys(others, canonical))
    return table


_SHOWING = frozenset({"builtins.display", "IPython.display.display", "IPython.core.display.display", "builtins.__displayed__"})
"""What shows a value in a notebook, as its last expression is shown too: no row has to know them beside `print`."""


def canonical(name: str) -> str:
    """The one name that a public name of TensorFlow is known by here."""
    if name in _SHOWING:
        return "builtins.print"
    for prefix in _SAME_PACKAGE:
        if f"{name}.".startswith(prefix):
            name = "tensorflow." + name[len(prefix) :] if len(name) > len(prefix) else "tensorflow"
    if name.startswith("keras."):
        return "tensorflow." + _of_keras(name)
    if not name.startswith("tensorflow."):
        return name
    short = name.removeprefix("tensorflow.")
    if short.startswith(_KERAS):
        return "tensorflow." + _of_keras(short if short.startswith("keras.") else f"keras.{short}")
    return "tensorflow." + aliases().get(short, short)


_KERAS = ("keras.", "losses.", "metrics.", "optimizers.", "initializers.")
"""Keras, and the packages of TensorFlow that are views of parts of it."""
_MOVED = {
    "keras.models.Model": "keras.Model", "keras.models.Sequential": "keras.Sequential", "keras.layers.Input": "keras.Input",
    "keras.Layer": "keras.layers.Layer", "keras.preprocessing.image_dataset_from_directory": "keras.utils.image_dataset_from_directory",
    "keras.preprocessing.text_dataset_from_directory": "keras.utils.text_dataset_from_directory",
    "keras.preprocessing.sequence.pad_sequences": "keras.utils.pad_sequences", "keras.metrics.mse": "keras.losses.mse",
    "keras.losses.MSE": "keras.losses.mse", "keras.losses.mean_squared_error": "keras.losses.mse",
}  # fmt: skip


def _of_keras(name: str) -> str:
    """The name that a row has, of the many that Keras has for one class."""
    if (moved := _MOVED.get(name)) is not None:
        return moved
    if name.startswith("keras.layers."):
        last = name[len("keras.layers.") :]
        for short, long in (("AvgPool", "AveragePool"), ("Convolution", "Conv")):
            last = last.replace(short, long)
        if last.endswith(("Pool1D", "Pool2D", "Pool3D")):
            last = f"{last[:-2]}ing{last[-2:]}"
        return f"keras.layers.{last}"
    return name
